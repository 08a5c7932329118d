package record

import (
	"bytes"
	"cmp"
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
)

// unsampledName and unsampledUnit are the one line of a run without samples: the
// configuration above a line is all that a reader of the format sees of it.
const unsampledName, unsampledUnit = "NothingMeasured", "samples"

// A Writer writes runs in the Go benchmark format, without loss, one after
// another. [Builder] reads them back.
type Writer struct {
	w       io.Writer
	config  map[string]string // what a reader of the stream holds at this point
	keys    []string          // its keys, in the order of their first appearance
	units   map[string]bool   // declared in the stream so far, as benchfmt tells them apart
	headers map[string]int    // how many runs of the stream had the header
}

// NewWriter returns a writer of runs to w.
func NewWriter(w io.Writer) *Writer {
	return &Writer{w: w, config: map[string]string{}, units: map[string]bool{}, headers: map[string]int{}}
}

// ID returns the run's public id: the SHA-256, in hex, of its canonical text,
// which is what a fresh Writer writes. The run must be one that a Writer would
// write, as all are that came from a [Builder] or a database.
func (r *Run) ID() string {
	r.Normalize()
	h := sha256.New()
	h.Write(NewWriter(nil).text(r))
	return hex.EncodeToString(h.Sum(nil))
}

// Write writes one run, which it first brings into the order of its canonical
// text. A run that could not be read back as it is, is an error and nothing is
// written.
func (w *Writer) Write(r *Run) error {
	if err := r.Validate(); err != nil {
		return fmt.Errorf("write run: %w", err)
	}
	if _, err := w.w.Write(w.text(r)); err != nil {
		return fmt.Errorf("write run: %w", err)
	}
	return nil
}

// text returns the lines that add r to the stream.
func (w *Writer) text(r *Run) []byte {
	var buf bytes.Buffer
	header := w.number(r.header())
	for _, key := range slices.Clone(w.keys) {
		if !slices.ContainsFunc(header, func(s Setting) bool { return s.Key == key }) {
			w.set(&buf, key, "")
		}
	}
	for _, s := range header {
		w.set(&buf, s.Key, s.Value)
	}
	for _, u := range r.Units {
		w.declare(&buf, u)
	}
	if len(r.Benchmarks) == 0 {
		fmt.Fprintf(&buf, "Benchmark%s 1 0 %s\n", unsampledName, unsampledUnit)
	}
	w.samples(&buf, r)
	return buf.Bytes()
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
func (r *Run) header() Settings {
	var h Settings
	add := func(key, value string) {
		if value != "" {
			h = append(h, Setting{key, value})
		}
	}
	add(KeyFormat, r.formatVersion())
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

func (r *Run) formatVersion() string {
	if len(r.Benchmarks) == 0 {
		return unsampledFormat
	}
	for _, b := range r.Benchmarks {
		if slices.ContainsFunc(b.Rounds, func(round Round) bool { return round.Slices > 0 }) {
			return slicedFormat
		}
	}
	return formatVersion
}

// set brings the reader's value of key to value, by a line if it differs.
func (w *Writer) set(buf *bytes.Buffer, key, value string) {
	have, ok := w.config[key]
	switch {
	case have == value && (ok || value == ""):
		return
	case value == "":
		fmt.Fprintf(buf, "%s:\n", key)
		delete(w.config, key)
		w.keys = slices.DeleteFunc(w.keys, func(k string) bool { return k == key })
		return
	case !ok:
		w.keys = append(w.keys, key)
	}
	w.config[key] = value
	fmt.Fprintf(buf, "%s: %s\n", key, value)
}

// declare writes the unit's metadata for other readers of the format, once a
// stream: a second declaration would be an error there. perftrack itself reads
// the units line of the header, which belongs to its run alone.
func (w *Writer) declare(buf *bytes.Buffer, u Unit) {
	_, tidied := benchunit.Tidy(1, u.Name)
	if w.units[tidied] {
		return
	}
	w.units[tidied] = true
	if u.Better > 0 {
		fmt.Fprintf(buf, "Unit %s better=higher\n", u.Name)
	}
	if u.Better < 0 {
		fmt.Fprintf(buf, "Unit %s better=lower\n", u.Name)
	}
	if u.Exact {
		fmt.Fprintf(buf, "Unit %s assume=exact\n", u.Name)
	}
}

// samples writes the result lines in the order in which they were measured.
func (w *Writer) samples(buf *bytes.Buffer, r *Run) {
	type place struct{ bench, index int }
	var places []place
	var names []string
	for i, b := range r.Benchmarks {
		names = append(names, b.FullName(r.Env))
		for j := range b.Rounds {
			places = append(places, place{i, j})
		}
	}
	slices.SortStableFunc(places, func(a, b place) int {
		x, y := r.Benchmarks[a.bench].Rounds[a.index], r.Benchmarks[b.bench].Rounds[b.index]
		return cmp.Or(cmp.Compare(x.N, y.N), cmp.Compare(x.Order, y.Order))
	})
	for _, p := range places {
		b := &r.Benchmarks[p.bench]
		round := b.Rounds[p.index]
		profile := ""
		if b.Kind == Scope {
			profile = ProfileScopes
		}
		seed, kept, spread := "", "", ""
		if round.Seed != 0 {
			seed = strconv.FormatUint(round.Seed, 10)
		}
		if round.Slices > 0 {
			kept = strconv.Itoa(round.Slices)
		}
		if round.Spread > 0 {
			spread = strconv.FormatFloat(round.Spread, 'g', -1, 64)
		}
		w.set(buf, KeyPackage, b.Package)
		w.set(buf, KeySuite, b.Suite)
		w.set(buf, KeyProfile, profile)
		w.set(buf, KeyRound, strconv.Itoa(round.N))
		w.set(buf, KeyOrder, strconv.Itoa(round.Order))
		w.set(buf, KeyLayoutSeed, seed)
		w.set(buf, KeySlices, kept)
		w.set(buf, KeySpread, spread)
		line := buf.AvailableBuffer()
		line = append(append(line, "Benchmark"...), names[p.bench]...)
		line = strconv.AppendInt(append(line, ' '), int64(round.Iters), 10)
		for _, s := range b.Samples {
			if v := s.Values[p.index]; !math.IsNaN(v) {
				line = strconv.AppendFloat(append(line, ' '), v, 'g', -1, 64)
				line = append(append(line, ' '), s.Unit...)
			}
		}
		buf.Write(append(line, '\n'))
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
