package record

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"time"

	"golang.org/x/perf/benchunit"
)

// The versions of the canonical text. Changing the text of an existing run changes
// its id, so that each kind of run keeps the version in which it could be written
// first: a perftrack that does not know a version says so.
const (
	formatVersion   = "1"
	unsampledFormat = "2" // a side of a trial that was not measured
	slicedFormat    = "3" // some values are made of slices
	meanFormat      = "4" // some rounds say the mean of all their slices
)

// unsampledName and unsampledUnit are the one line of a run without samples: the
// configuration above a line is all that a reader of the format sees of it.
const unsampledName, unsampledUnit = "NothingMeasured", "samples"

// A Writer writes runs in the Go benchmark format, without loss, one after
// another. [Builder] reads them back.
type Writer struct {
	buf     *bufio.Writer
	config  map[string]string // what a reader of the stream holds at this point
	keys    []string          // its keys, in the order of their first appearance
	units   map[string]bool   // declared in the stream so far, as benchfmt tells them apart
	headers map[string]int    // how many runs of the stream had the header
}

// NewWriter returns a writer of runs to w.
func NewWriter(w io.Writer) *Writer {
	return &Writer{buf: bufio.NewWriter(w), config: map[string]string{}, units: map[string]bool{}, headers: map[string]int{}}
}

// ID returns the run's public id: the SHA-256, in hex, of its canonical text,
// which is what a fresh Writer writes. The run must be one that a Writer would
// write, as all are that came from a [Builder] or a database.
func (r *Run) ID() string {
	r.Normalize()
	return idOf(func(w *Writer) { w.text(r, r.format(), func() { w.samples(r) }) })
}

// idOf returns the id of the run that write writes.
func idOf(write func(*Writer)) string {
	h := sha256.New()
	w := NewWriter(h)
	write(w)
	_ = w.buf.Flush() // a hash takes all
	return hex.EncodeToString(h.Sum(nil))
}

// Write writes one run, which it first brings into the order of its canonical
// text. A run that could not be read back as it is, is an error and nothing is
// written.
func (w *Writer) Write(r *Run) error {
	if err := r.Validate(); err != nil {
		return fmt.Errorf("write run: %w", err)
	}
	w.text(r, r.format(), func() { w.samples(r) })
	if err := w.buf.Flush(); err != nil {
		return fmt.Errorf("write run: %w", err)
	}
	return nil
}

// text writes the lines that add a run to the stream: those of its header, and those that samples
// writes where it was sampled.
func (w *Writer) text(r *Run, format string, samples func()) {
	header := w.number(r.header(format))
	for _, key := range slices.Clone(w.keys) {
		if !slices.ContainsFunc(header, func(s Setting) bool { return s.Key == key }) {
			w.set(key, "")
		}
	}
	for _, s := range header {
		w.set(s.Key, s.Value)
	}
	for _, u := range r.Units {
		w.declare(u)
	}
	if format == unsampledFormat {
		fmt.Fprintf(w.buf, "Benchmark%s 1 0 %s\n", unsampledName, unsampledUnit)
	}
	samples()
}

// number tells apart the runs of one stream that have the same header, which
// would be read back as one: from the second on, "#2" and so on follows the
// format version.
func (w *Writer) number(header Settings) Settings {
	key := header.text()
	w.headers[key]++
	if n := w.headers[key]; n > 1 {
		header[0].Value += "#" + strconv.Itoa(n)
	}
	return header
}

// header returns the run's configuration lines, empty ones left out.
func (r *Run) header(version string) Settings {
	var h Settings
	add := func(key, value string) {
		if value != "" {
			h = append(h, Setting{key, value})
		}
	}
	add(KeyFormat, version)
	add(keyTarget, r.Target)
	add(keyCommit, r.Commit.SHA)
	add(keyTree, r.Commit.Tree)
	add(keyBranch, r.Commit.Branch)
	if r.Commit.Dirty {
		add(keyDirty, "true")
	}
	add(keyCommitTime, formatTime(r.Commit.Time))
	add(keyStatus, string(r.Status))
	add(keyTrial, r.Trial)
	add(keySide, string(r.Side))
	add(keyStart, formatTime(r.Start))
	add(keyEnd, formatTime(r.End))
	add(keyTool, r.Tool)
	if len(r.Units) > 0 {
		add(keyUnits, CompactJSON(r.Units))
	}
	if len(r.Failures) > 0 {
		add(keyFailures, CompactJSON(r.Failures))
	}
	for _, key := range EnvironmentKeys {
		add(key, r.Env.Get(key))
	}
	return append(h, r.Facts...)
}

// format is the version of the run's text: the oldest that can say all of it.
func (r *Run) format() string {
	if len(r.Benchmarks) == 0 {
		return unsampledFormat
	}
	format := formatVersion
	for _, b := range r.Benchmarks {
		for _, round := range b.Rounds {
			format = max(format, round.format())
		}
	}
	return format
}

// format is the oldest version of the text that can say all of the round.
func (r Round) format() string {
	switch {
	case r.Mean > 0 || r.Slow > 0:
		return meanFormat
	case r.Slices > 0:
		return slicedFormat
	}
	return formatVersion
}

// set brings the reader's value of key to value, by a line if it differs.
func (w *Writer) set(key, value string) {
	have, ok := w.config[key]
	switch {
	case have == value && (ok || value == ""):
		return
	case value == "":
		fmt.Fprintf(w.buf, "%s:\n", key)
		delete(w.config, key)
		w.keys = slices.DeleteFunc(w.keys, func(k string) bool { return k == key })
		return
	case !ok:
		w.keys = append(w.keys, key)
	}
	w.config[key] = value
	fmt.Fprintf(w.buf, "%s: %s\n", key, value)
}

// declare writes the unit's metadata for other readers of the format, once a
// stream: a second declaration would be an error there. perftrack itself reads
// the units line of the header, which belongs to its run alone.
func (w *Writer) declare(u Unit) {
	_, tidied := benchunit.Tidy(1, u.Name)
	if w.units[tidied] {
		return
	}
	w.units[tidied] = true
	if u.Better > 0 {
		fmt.Fprintf(w.buf, "Unit %s better=higher\n", u.Name)
	}
	if u.Better < 0 {
		fmt.Fprintf(w.buf, "Unit %s better=lower\n", u.Name)
	}
	if u.Exact {
		fmt.Fprintf(w.buf, "Unit %s assume=exact\n", u.Name)
	}
}

// samples writes the result lines in the order in which they were measured.
func (w *Writer) samples(r *Run) {
	lines := make([]lineOf, len(r.Benchmarks))
	at := make([]int, len(r.Benchmarks)) // the next round of each
	for i := range r.Benchmarks {
		b := &r.Benchmarks[i]
		lines[i] = newLineOf(b.BenchmarkID, r.Env)
		for _, s := range b.Samples {
			lines[i].units = append(lines[i].units, s.Unit)
		}
	}
	var values []float64
	inOrder(len(lines), func(i int) (int, int, bool) {
		rounds := r.Benchmarks[i].Rounds
		if at[i] == len(rounds) {
			return 0, 0, false
		}
		return rounds[at[i]].N, rounds[at[i]].Order, true
	}, func(i int) {
		b, k := &r.Benchmarks[i], at[i]
		values = values[:0]
		for _, s := range b.Samples {
			values = append(values, s.Values[k])
		}
		w.sample(&lines[i], b.Rounds[k], values)
		at[i]++
	})
}

// A lineOf is what all lines of a benchmark have in common.
type lineOf struct {
	id    BenchmarkID
	name  string // in full
	units []string
}

func newLineOf(id BenchmarkID, env Settings) lineOf { return lineOf{id: id, name: id.FullName(env)} }

// sample writes a result line, with the configuration of its own above it. A value that is NaN is none.
func (w *Writer) sample(b *lineOf, round Round, values []float64) {
	profile := ""
	if b.id.Kind == Scope {
		profile = ProfileScopes
	}
	w.set(KeyPackage, b.id.Package)
	w.set(KeySuite, b.id.Suite)
	w.set(KeyProfile, profile)
	w.setNumber(KeyRound, uint64(round.N), true)
	w.setNumber(KeyOrder, uint64(round.Order), true)
	w.setNumber(KeyLayoutSeed, round.Seed, round.Seed != 0)
	w.setNumber(KeySlices, uint64(round.Slices), round.Slices > 0)
	w.setPositive(KeySpread, round.Spread)
	w.setPositive(KeyMean, round.Mean)
	w.setPositive(KeySlow, round.Slow)
	line := w.buf.AvailableBuffer()
	line = append(append(line, "Benchmark"...), b.name...)
	line = strconv.AppendInt(append(line, ' '), int64(round.Iters), 10)
	for i, v := range values {
		if !math.IsNaN(v) {
			line = strconv.AppendFloat(append(line, ' '), v, 'g', -1, 64)
			line = append(append(line, ' '), b.units[i]...)
		}
	}
	_, _ = w.buf.Write(append(line, '\n')) // Flush returns the error
}

// setPositive is set of a number above 0, or of nothing.
func (w *Writer) setPositive(key string, v float64) {
	text := ""
	if v > 0 {
		text = strconv.FormatFloat(v, 'g', -1, 64)
	}
	w.set(key, text)
}

// setNumber is set of a number, or of nothing.
func (w *Writer) setNumber(key string, n uint64, some bool) {
	var digits [20]byte
	text := digits[:0]
	if some {
		text = strconv.AppendUint(text, n, 10)
	}
	if w.config[key] != string(text) {
		w.set(key, string(text))
	}
}

// FullName returns the name as `go test` prints it in env: with the -N suffix
// when GOMAXPROCS is known and not 1, unless the name has it already.
func (id BenchmarkID) FullName(env Settings) string {
	if n := env.Get(KeyGOMAXPROCS); n != "" && n != "1" && n != ProcsInNames && id.Kind == Bench {
		return id.Name + "-" + n
	}
	return id.Name
}

func formatTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// CompactJSON returns v as JSON on one line, as a run's text and the database have it.
func CompactJSON(v any) string {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("encode " + fmt.Sprintf("%T", v) + ": " + err.Error()) // only plain structs get here
	}
	return string(bytes.TrimSpace(buf.Bytes()))
}
