package reading

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/record"
)

// A Sheet emits the results of one input as records of the benchmark format.
//
// Facts may follow the results in a document. So results are held back until Ready or Close is
// called, or until there are many.
type Sheet struct {
	fileName string
	emit     func(benchfmt.Record) error
	config   []benchfmt.Config
	units    map[string]bool // declarations already emitted
	held     []benchfmt.Record
	ready    bool
	late     bool // results were emitted before all facts were known
}

// maxHeld is the number of results held back while facts may follow. If there are more, facts after
// them are ignored, because all results of a file have the same.
const maxHeld = 50_000

// NewSheet returns a sheet for the file called fileName.
func NewSheet(fileName string, emit func(benchfmt.Record) error) *Sheet {
	s := &Sheet{fileName: fileName, emit: emit, units: map[string]bool{}}
	s.set(record.KeyGOMAXPROCS, record.ProcsInNames) // a name such as fib-10 keeps its end
	return s
}

// A Value is a figure of one operation, in one of Go's units; see [UnitOf].
type Value struct {
	V    float64
	Unit string
	From string  // unit in the file if it is another one, or ""
	Raw  float64 // number in the file, in the unit From; 0 if it is V, or unknown
}

// written returns the value as it is in the file, as far as that is known.
func (v Value) written() string {
	if v.From != "" && v.Raw != 0 {
		return fmt.Sprintf("%v %s", v.Raw, v.From)
	}
	return fmt.Sprintf("%v %s", v.V, v.Unit)
}

// A Row is a benchmark in an input.
type Row struct {
	Line    int // line in the input
	Name    string
	Package string // "" if the name is unique in the file
	Iters   int    // iterations that the values average; 0 means 1
	Values  []Value
}

// A Spread describes the samples behind a summary, in the unit of the row's first value. Unknown
// figures are NaN.
type Spread struct {
	SD        float64 // standard deviation
	Low, High float64 // bounds, as the tool computes them
	N         int     // number of samples, 0 if unknown
}

// NoSpread has only unknown figures.
func NoSpread() Spread { return Spread{math.NaN(), math.NaN(), math.NaN(), 0} }

// Values returns the known figures as values that accompany one in a unit; see [Sheet.Summary].
func (s Spread) Values(unit string) (all []Value) {
	low, high := record.BoundUnits(unit)
	for _, v := range [...]Value{{V: s.SD, Unit: record.SDUnit(unit)}, {V: s.Low, Unit: low}, {V: s.High, Unit: high}} {
		if !math.IsNaN(v.V) && len(v.Unit) <= bounds.MaxUnit {
			v.V = max(v.V, 0)
			all = append(all, v)
		}
	}
	return all
}

// Late reports whether results were emitted already, so that a further fact comes too late.
func (s *Sheet) Late() bool { return s.late }

// Fact sets a configuration key for all following results, such as the version of a tool. Values
// that cannot be stored, and empty ones, are ignored.
func (s *Sheet) Fact(key, value string) {
	if value = strings.TrimSpace(value); !s.late && fits(key, value) {
		s.set(key, value)
	}
}

// fits reports whether a configuration line can be stored.
func fits(key, value string) bool {
	return value != "" && bounds.CheckConfig(key, []byte(value)) == nil && !strings.ContainsFunc(value, unicode.IsControl)
}

// set replaces the configuration, because results already emitted share it.
func (s *Sheet) set(key, value string) {
	if slices.ContainsFunc(s.config, func(old benchfmt.Config) bool { return old.Key == key && string(old.Value) == value }) {
		return
	}
	s.replace([]string{key}, benchfmt.Config{Key: key, Value: []byte(value), File: true})
}

// replace drops the configuration of some keys and adds other lines.
func (s *Sheet) replace(keys []string, lines ...benchfmt.Config) {
	config := make([]benchfmt.Config, 0, len(s.config)+len(lines))
	for _, c := range s.config {
		if !slices.Contains(keys, c.Key) {
			config = append(config, c)
		}
	}
	s.config = append(config, lines...)
	for _, rec := range s.held {
		if r, ok := rec.(*Located); ok {
			r.Config = s.config
		}
	}
}

// Machine sets the facts about the machine, as the tools of most languages name them: linux or
// Darwin, x86_64 or arm64. Unknown ones are "" and 0.
func (s *Sheet) Machine(os, arch, cpu string, cpus int) {
	s.Fact(record.KeyGOOS, goName(os, systems))
	s.Fact(record.KeyGOARCH, goName(arch, architectures))
	s.Fact(record.KeyCPU, strings.Join(strings.Fields(cpu), " "))
	if cpus > 0 {
		s.Fact(record.KeyCPUCount, strconv.Itoa(cpus))
	}
}

var (
	systems       = map[string]string{"macos": "darwin", "osx": "darwin", "win32": "windows", "mac os x": "darwin"}
	architectures = map[string]string{"x86_64": "amd64", "x64": "amd64", "x86-64": "amd64", "aarch64": "arm64", "i386": "386", "x86": "386", "i686": "386"}
)

// goName returns Go's name of a system or an architecture.
func goName(name string, known map[string]string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	if own, ok := known[name]; ok {
		return own
	}
	return name
}

// Commit sets the commit of all following results. Unknown facts are "" and the zero time. It reports
// whether sha is a hash; without one, nothing is set.
func (s *Sheet) Commit(sha, branch string, at time.Time) bool {
	if !record.IsHashPrefix(sha) {
		return false
	}
	lines := []benchfmt.Config{{Key: record.KeyCommit, Value: []byte(sha), File: true}}
	if fits(record.KeyBranch, branch) {
		lines = append(lines, benchfmt.Config{Key: record.KeyBranch, Value: []byte(branch), File: true})
	}
	if !at.IsZero() {
		lines = append(lines, benchfmt.Config{Key: record.KeyCommitTime, Value: at.UTC().AppendFormat(nil, time.RFC3339), File: true})
	}
	s.replace([]string{record.KeyCommit, record.KeyBranch, record.KeyCommitTime}, lines...)
	return true
}

// GoNames says whether the names of the following results end in -N as those of `go test` do, where N
// is GOMAXPROCS.
func (s *Sheet) GoNames(yes bool) {
	if yes {
		s.replace([]string{record.KeyGOMAXPROCS})
		return
	}
	s.set(record.KeyGOMAXPROCS, record.ProcsInNames)
}

// Declare says whether higher or lower values of a unit are better. The first declaration counts.
func (s *Sheet) Declare(unit, better string) error {
	if s.units[unit] || len(s.units) > record.MaxUnits {
		return nil
	}
	s.units[unit] = true
	return s.declare(unit, "better", better)
}

// Exact says that a unit has no noise, such as a number of executed instructions.
func (s *Sheet) Exact(unit string) error { return s.declare(unit, "assume", "exact") }

func (s *Sheet) declare(unit, key, value string) error {
	id := unit + " " + key + "=" + value
	if s.units[id] || len(s.units) > record.MaxUnits {
		return nil
	}
	s.units[id] = true
	_, tidy := benchunit.Tidy(1, unit)
	return s.emit(&benchfmt.UnitMetadata{
		UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: tidy, Key: key}, OrigUnit: unit, Value: value,
	})
}

// Result emits a row as one sample. A row with a value that is not a finite number of 0 or more
// becomes a syntax error.
func (s *Sheet) Result(row Row) error {
	if len(row.Values) == 0 {
		return s.Bad(row.Line, "%s has no figures", bounds.Quote(row.Name))
	}
	if len(row.Values) > record.MaxUnits {
		return s.Bad(row.Line, "%s has more than %d figures, the limit", bounds.Quote(row.Name), record.MaxUnits)
	}
	name := word(row.Name)
	if name == "" {
		return s.Bad(row.Line, "a benchmark has no name")
	}
	r := &benchfmt.Result{Name: benchfmt.Name(name), Iters: max(row.Iters, 1), Values: make([]benchfmt.Value, 0, len(row.Values))}
	for _, v := range row.Values {
		if err := bounds.CheckText("unit", []byte(v.Unit), bounds.MaxUnit); err != nil {
			return s.Bad(row.Line, "%w", err)
		}
		if bounds.IsDecimal(v.Unit) { // the benchmark format would take it for the next value
			return s.Bad(row.Line, "%s has the unit %s, a number", bounds.Quote(name), bounds.Quote(v.Unit))
		}
		if math.IsNaN(v.V) {
			return s.Bad(row.Line, "%s has no value in %s", bounds.Quote(name), cmp.Or(v.From, v.Unit))
		}
		if math.IsInf(v.V, 0) || v.V < 0 {
			return s.Bad(row.Line, "%s is %s: not a finite number of 0 or more", bounds.Quote(name), v.written())
		}
		r.Values = append(r.Values, tidied(v))
		if err := s.describe(v); err != nil {
			return err
		}
	}
	if row.Package != "" {
		r.Config = append(slices.Clip(s.config), benchfmt.Config{Key: record.KeyPackage, Value: []byte(word(row.Package)), File: true})
	} else {
		r.Config = s.config
	}
	return s.out(&Located{r, s.fileName, row.Line})
}

// tidied returns a value as benchfmt's reader does.
func tidied(v Value) benchfmt.Value {
	value, unit := benchunit.Tidy(v.V, v.Unit)
	if value == v.V { // a 0 keeps its unit
		return benchfmt.Value{Value: v.V, Unit: v.Unit}
	}
	return benchfmt.Value{Value: value, Unit: unit, OrigValue: v.V, OrigUnit: v.Unit}
}

// describe declares what is known of a value's unit.
func (s *Sheet) describe(v Value) error {
	if direction := better[v.Unit]; direction != "" {
		if err := s.Declare(v.Unit, direction); err != nil {
			return err
		}
	}
	if from := word(v.From); from != "" && len(from) <= bounds.MaxUnit {
		return s.declare(v.Unit, "from", from)
	}
	return nil
}

// Samples emits one result for each value of a series, in a unit of the file. row.Iters are the
// iterations of each sample.
func (s *Sheet) Samples(row Row, unit Unit, series *Series) error {
	if len(series.Values) == 0 {
		return s.Bad(row.Line, "%s has no samples", bounds.Quote(row.Name))
	}
	row.Iters = max(row.Iters, 1) * max(series.Batch, 1)
	more := row.Values
	for _, v := range series.Values {
		row.Values = append([]Value{unit.Value(v)}, more...)
		if err := s.Result(row); err != nil {
			return err
		}
		more = nil // other figures describe all samples, and belong to one of them
	}
	return nil
}

// Summary emits a row whose first value summarizes samples that the input does not contain.
func (s *Sheet) Summary(row Row, spread Spread) error {
	if len(row.Values) > 0 {
		row.Values = append(slices.Clip(row.Values), spread.Values(row.Values[0].Unit)...)
		row.Values = append(row.Values, Value{V: float64(spread.N), Unit: record.UnitSummaryN})
	}
	return s.Result(row)
}

// Bad emits a syntax error for a line.
func (s *Sheet) Bad(line int, format string, args ...any) error {
	return s.out(&benchfmt.SyntaxError{FileName: s.fileName, Line: line, Msg: fmt.Errorf(format, args...).Error()})
}

// LeaveOut emits a record about something that is left out; see [LeftOut].
func (s *Sheet) LeaveOut(line int, what, format string, args ...any) error {
	return s.out(&LeftOut{FileName: s.fileName, Line: line, What: what, Why: fmt.Sprintf(format, args...)})
}

// Fail is like LeaveOut, for a benchmark that failed.
func (s *Sheet) Fail(line int, what, format string, args ...any) error {
	return s.out(&LeftOut{FileName: s.fileName, Line: line, What: what, Why: fmt.Sprintf(format, args...), Failed: true})
}

func (s *Sheet) out(rec benchfmt.Record) error {
	if s.ready {
		return s.emit(rec)
	}
	if s.held = append(s.held, rec); len(s.held) > maxHeld {
		s.late = true
		return s.Ready()
	}
	return nil
}

// Ready says that all facts are known, and emits the results held back.
func (s *Sheet) Ready() error {
	s.ready = true
	held := s.held
	s.held = nil
	for _, rec := range held {
		if err := s.emit(rec); err != nil {
			return err
		}
	}
	return nil
}

// Close emits the results that are still held back.
func (s *Sheet) Close() error { return s.Ready() }
