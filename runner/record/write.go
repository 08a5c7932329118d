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

	"github.com/perftrack/perftrack/runner/record/internal/merge"
)

// Versions of the canonical text. If the text of an existing run changed, so would its id. Each run
// is therefore written in the oldest version that can represent it. A perftrack without support for
// the version of a text returns an error.
const (
	formatVersion   = "1"
	unsampledFormat = "2" // for an unmeasured side of a trial
	slicedFormat    = "3" // some values are based on slices
	meanFormat      = "4" // some rounds have the mean of all their slices
	protocolFormat  = "5" // the run has a protocol

	unsampledProtocolFormat = "6" // the run has a protocol and no samples
)

var formats = []string{formatVersion, unsampledFormat, slicedFormat, meanFormat, protocolFormat, unsampledProtocolFormat}

// Unsampled reports whether texts of this version have a result line for [UnsampledName] instead of
// samples.
func Unsampled(format string) bool {
	return format == unsampledFormat || format == unsampledProtocolFormat
}

// UnsampledName and unsampledUnit form the only result line of a run without samples. The line is
// needed because a reader of the format reports configuration only together with a result.
const UnsampledName, unsampledUnit = "NothingMeasured", "samples"

// A Writer writes runs one after another in the Go benchmark format, without loss. Package decode
// reads them back.
type Writer struct {
	buf      *bufio.Writer
	settings map[string]*setting // by key
	config   []*setting          // configuration in effect at this point of the stream, in order of appearance
	units    map[string]bool     // units declared in the stream so far, by their normalized name in benchfmt
	headers  map[string]int      // number of runs in the stream with each header
	last     lastSample
	known    bool // whether the configuration in effect is that of last

	pkg, suite, profile, round, order, seed, slices, spread, mean, slow *setting // the settings of samples
}

// A setting is a configuration line whose value may change in the stream. It is not in effect if the
// value is empty.
type setting struct {
	key   string
	value []byte
}

// A lastSample is the sample written last.
type lastSample struct {
	id    BenchmarkID
	round Round
}

// NewWriter returns a Writer that writes to w.
func NewWriter(w io.Writer) *Writer {
	out := &Writer{buf: bufio.NewWriterSize(w, 32<<10), settings: map[string]*setting{}, units: map[string]bool{}, headers: map[string]int{}}
	out.pkg, out.suite, out.profile = out.setting(KeyPackage), out.setting(KeySuite), out.setting(KeyProfile)
	out.round, out.order, out.seed = out.setting(KeyRound), out.setting(KeyOrder), out.setting(KeyLayoutSeed)
	out.slices, out.spread, out.mean, out.slow = out.setting(KeySlices), out.setting(KeySpread), out.setting(KeyMean), out.setting(KeySlow)
	return out
}

func (w *Writer) setting(key string) *setting {
	if w.settings[key] == nil {
		w.settings[key] = &setting{key: key}
	}
	return w.settings[key]
}

// ID returns the run's public id, which is the SHA-256 in hex of its canonical text, as written by
// a new Writer. The run must be valid. Runs from package decode or a database are.
func (r *Run) ID() string {
	r.Normalize()
	return r.id(r.format(), r.series())
}

// IDWith returns the id that the run has with the given samples instead of its benchmarks. format
// is the newest [Round.Format] of all rounds.
func (r *Run) IDWith(format string, samples []Series) string {
	r.Normalize()
	if len(samples) == 0 {
		format = unsampledFormat
	}
	return r.id(r.Protocol.format(format), samples)
}

func (r *Run) id(format string, samples []Series) string {
	h := sha256.New()
	w := NewWriter(h)
	w.text(r, format, samples)
	_ = w.buf.Flush() // writing to a hash cannot fail
	return hex.EncodeToString(h.Sum(nil))
}

// Write puts one run into canonical order and writes it. If the run could not be read back
// unchanged, Write returns an error and writes nothing.
func (w *Writer) Write(r *Run) error {
	if err := r.Validate(); err != nil {
		return fmt.Errorf("write run: %w", err)
	}
	w.text(r, r.format(), r.series())
	if err := w.buf.Flush(); err != nil {
		return fmt.Errorf("write run: %w", err)
	}
	return nil
}

// text writes the lines that add a run to the stream: its header, followed by the samples.
func (w *Writer) text(r *Run, format string, samples []Series) {
	header := w.number(r.header(format))
	for _, have := range slices.Clone(w.config) {
		if !slices.ContainsFunc(header, func(s Setting) bool { return s.Key == have.key }) {
			w.set(have, "")
		}
	}
	for _, s := range header {
		w.set(w.setting(s.Key), s.Value)
	}
	for _, u := range r.Units {
		w.declare(u)
	}
	if Unsampled(format) {
		fmt.Fprintf(w.buf, "Benchmark%s 1 0 %s\n", UnsampledName, unsampledUnit)
	}
	w.known = false // the header may have changed any key
	w.samples(r.Env, samples)
}

// number distinguishes runs with the same header in one stream, which would otherwise be read back
// as one run. For all but the first, it appends "#2" and so on to the format version.
func (w *Writer) number(header Settings) Settings {
	key := header.Text()
	w.headers[key]++
	if n := w.headers[key]; n > 1 {
		header[0].Value += "#" + strconv.Itoa(n)
	}
	return header
}

// header returns the run's configuration lines, without empty ones.
func (r *Run) header(version string) Settings {
	var h Settings
	add := func(key, value string) {
		if value != "" {
			h = append(h, Setting{key, value})
		}
	}
	add(KeyFormat, version)
	add(keyTarget, r.Target)
	add(KeyCommit, r.Commit.SHA)
	add(keyTree, r.Commit.Tree)
	add(KeyBranch, r.Commit.Branch)
	if r.Commit.Dirty {
		add(keyDirty, "true")
	}
	add(KeyCommitTime, formatTime(r.Commit.Time))
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
	h = append(h, r.Protocol.lines()...)
	return append(h, r.Facts...)
}

// format returns the oldest version of the text that can represent the run.
func (r *Run) format() string {
	format := formatVersion
	if len(r.Benchmarks) == 0 {
		format = unsampledFormat
	}
	for _, b := range r.Benchmarks {
		for _, round := range b.Rounds {
			format = max(format, round.Format())
		}
	}
	return r.Protocol.format(format)
}

// format returns the version of the text for a run with protocol p, given the version that its
// samples need.
func (p *Protocol) format(samples string) string {
	switch {
	case p.JSON() == "":
		return samples
	case samples == unsampledFormat:
		return unsampledProtocolFormat
	}
	return protocolFormat
}

// Format returns the oldest version of the text that can represent the round.
func (r Round) Format() string {
	switch {
	case r.Mean > 0 || r.Slow > 0:
		return meanFormat
	case r.Slices > 0:
		return slicedFormat
	}
	return formatVersion
}

// set makes the value of a setting equal to value. It writes a line only if the value changes.
func (w *Writer) set(s *setting, value string) {
	switch {
	case string(s.value) == value:
		return
	case value == "":
		w.config = slices.DeleteFunc(w.config, func(have *setting) bool { return have == s })
	case len(s.value) == 0:
		w.config = append(w.config, s)
	}
	line := append(append(w.buf.AvailableBuffer(), s.key...), ':')
	if value != "" {
		line = append(append(line, ' '), value...)
	}
	s.value = append(s.value[:0], value...)
	_, _ = w.buf.Write(append(line, '\n')) // Flush returns the error
}

// declare writes the unit's metadata for other readers of the format. Each unit is written once per
// stream, because other readers would reject a second declaration. perftrack itself reads the units
// line in the header, which applies only to its own run.
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
	if u.From != "" {
		fmt.Fprintf(w.buf, "Unit %s from=%s\n", u.Name, u.From)
	}
}

// samples writes the result lines in the order of measurement.
func (w *Writer) samples(env Settings, all []Series) {
	lines := make([]lineOf, len(all))
	for i, one := range all {
		lines[i] = newLineOf(one.ID(), env)
		lines[i].units = one.Units()
	}
	var values []float64
	merge.InOrder(len(all), func(i int) (int, int, bool) {
		round, ok := all[i].Round()
		return round.N, round.Order, ok
	}, func(i int) {
		round, _ := all[i].Round()
		values = all[i].Take(values[:0])
		w.sample(&lines[i], round, values)
	})
}

// lineOf is the part shared by all result lines of a benchmark.
type lineOf struct {
	id    BenchmarkID
	name  string // full name
	units []string
}

func newLineOf(id BenchmarkID, env Settings) lineOf { return lineOf{id: id, name: id.FullName(env)} }

// sample writes the changed configuration lines of a sample, followed by its result line. It omits
// NaN values.
func (w *Writer) sample(b *lineOf, round Round, values []float64) {
	w.setSample(b.id, round)
	line := w.buf.AvailableBuffer()
	line = append(append(line, "Benchmark"...), b.name...)
	line = strconv.AppendInt(append(line, ' '), int64(round.Iters), 10)
	for i, v := range values {
		if !math.IsNaN(v) {
			line = appendSample(append(line, ' '), v)
			line = append(append(line, ' '), b.units[i]...)
		}
	}
	_, _ = w.buf.Write(append(line, '\n')) // Flush returns the error
}

// appendSample appends v as strconv.AppendFloat does with the format 'g' and the fewest digits.
func appendSample(line []byte, v float64) []byte {
	const exponent = 1e6 // from here on, the format has an exponent
	if v >= exponent {
		return strconv.AppendFloat(line, v, 'g', -1, 64)
	}
	// Most values are short decimals. If the decimal equals v, it is the shortest one, because
	// decimals of up to 15 digits are distinct as float64. The integer arithmetic is several times
	// as fast as strconv.
	for digits, ten := range [...]float64{1, 10, 100, 1000} {
		m := int64(v*ten + 0.5)
		if float64(m)/ten != v {
			continue
		}
		line = strconv.AppendInt(line, m/int64(ten), 10)
		if digits > 0 {
			line = append(line, '.')
		}
		for range digits {
			ten /= 10
			line = append(line, '0'+byte(m/int64(ten)%10))
		}
		return line
	}
	return strconv.AppendFloat(line, v, 'g', -1, 64)
}

// setSample writes the configuration lines that differ between a sample and the one before it.
func (w *Writer) setSample(id BenchmarkID, r Round) {
	last, known := w.last, w.known
	w.last, w.known = lastSample{id, r}, true
	if !known || last.id.Package != id.Package {
		w.set(w.pkg, id.Package)
	}
	if !known || last.id.Suite != id.Suite {
		w.set(w.suite, id.Suite)
	}
	if !known || last.id.Kind != id.Kind {
		profile := ""
		if id.Kind == Scope {
			profile = ProfileScopes
		}
		w.set(w.profile, profile)
	}
	if !known || last.round.N != r.N {
		w.setNumber(w.round, uint64(r.N), true)
	}
	if !known || last.round.Order != r.Order {
		w.setNumber(w.order, uint64(r.Order), true)
	}
	if !known || last.round.Seed != r.Seed {
		w.setNumber(w.seed, r.Seed, r.Seed != 0)
	}
	if !known || last.round.Slices != r.Slices {
		w.setNumber(w.slices, uint64(r.Slices), r.Slices > 0)
	}
	if !known || last.round.Spread != r.Spread {
		w.setPositive(w.spread, r.Spread)
	}
	if !known || last.round.Mean != r.Mean {
		w.setPositive(w.mean, r.Mean)
	}
	if !known || last.round.Slow != r.Slow {
		w.setPositive(w.slow, r.Slow)
	}
}

// setPositive sets s to v if v is above 0, and removes it otherwise.
func (w *Writer) setPositive(s *setting, v float64) {
	var text [32]byte
	if v > 0 {
		w.set(s, string(appendSample(text[:0], v)))
	} else {
		w.set(s, "")
	}
}

// setNumber sets s to n if some is true, and removes it otherwise.
func (w *Writer) setNumber(s *setting, n uint64, some bool) {
	var digits [20]byte
	text := digits[:0]
	if some {
		text = strconv.AppendUint(text, n, 10)
	}
	w.set(s, string(text))
}

// FullName returns the name as `go test` prints it in env: with the -N suffix if GOMAXPROCS is
// known, is not 1 and is not already part of the name.
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

// CompactJSON returns v as JSON on one line, as it appears in a run's text and in the database.
func CompactJSON(v any) string {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("encode " + fmt.Sprintf("%T", v) + ": " + err.Error()) // cannot happen: v is always a plain struct or list
	}
	return string(bytes.TrimSpace(buf.Bytes()))
}
