package format

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/format/reading"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
)

// guarded returns a copy of f whose Read gives the guarantees of Format.
func guarded(f Format) Format {
	read := f.Read
	f.Read = func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
		if fileName == "" {
			fileName = "<unknown>" // benchfmt's own name
		}
		g := newGuard(fileName, emit)
		in := &limitedReader{r: r, fileName: fileName, left: maxFile}
		if err := read(in, fileName, g.check); err != nil {
			return err
		}
		// A reader that stopped early might not have reached the limit.
		_, err := io.Copy(io.Discard, in)
		return err
	}
	return f
}

// maxFile is [bounds.MaxFile]; a test lowers it.
var maxFile int64 = bounds.MaxFile

// limitedReader returns an error after MaxFile bytes, whereas io.LimitReader would end the input.
type limitedReader struct {
	r        io.Reader
	fileName string
	left     int64 // -1 after one byte too many
}

func (l *limitedReader) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, fmt.Errorf("%s: input is larger than the limit of %d MiB", l.fileName, maxFile>>20)
	}
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.r.Read(p)
	if l.left -= int64(n); l.left < 0 {
		n, err = n-1, nil // the next call returns the error
	}
	return n, err
}

// guard checks each record of a reader before it passes the record on. It skips the parts shared
// with the previous result.
type guard struct {
	fileName string
	emit     func(benchfmt.Record) error
	line     int // line of the result, if the result does not know it

	config []benchfmt.Config // checked configuration
	own    bool              // perftrack wrote the run of this configuration
	pkg    int               // position of the package in config, or -1
	units  []benchfmt.Value  // values with checked units

	samples map[string]*int // number of results by package and name
	last    *int            // number of results with the package and name in key
	key     []byte
	spare   []byte // reused buffer
	values  int

	history commits
}

func newGuard(fileName string, emit func(benchfmt.Record) error) *guard {
	return &guard{fileName: fileName, emit: emit, pkg: -1, samples: make(map[string]*int)}
}

func (g *guard) check(rec benchfmt.Record) error {
	var result *benchfmt.Result
	switch rec := rec.(type) {
	case *benchfmt.Result:
		result, g.line = rec, 0
	case *reading.Located:
		result, g.line = rec.Result, rec.Line
	default:
		return g.emit(rec)
	}
	if err := g.checkResult(result); err != nil {
		fileName, line := g.pos(result)
		return g.emit(&benchfmt.SyntaxError{FileName: fileName, Line: line, Msg: err.Error()})
	}
	if err := g.count(result); err != nil {
		fileName, line := g.pos(result)
		return fmt.Errorf("%s:%d: %w", fileName, line, err)
	}
	return g.emit(result)
}

func (g *guard) pos(r *benchfmt.Result) (fileName string, line int) {
	fileName, line = r.Pos()
	return cmp.Or(fileName, g.fileName), cmp.Or(line, g.line)
}

// checkResult is like Check.
func (g *guard) checkResult(r *benchfmt.Result) error {
	if err := checkHead(r); err != nil {
		return err
	}
	if sameUnits(g.units, r.Values) {
		for i := range r.Values {
			if err := checkNumbers(&r.Values[i]); err != nil {
				return err
			}
		}
	} else {
		if err := checkValues(r.Values); err != nil {
			return err
		}
		g.units = append(g.units[:0], r.Values...)
	}
	if decode.SameConfig(g.config, r.Config) {
		return nil
	}
	if err := checkConfig(r.Config); err != nil {
		return err
	}
	g.config = r.Config
	_, g.own = r.ConfigIndex(record.KeyFormat)
	g.pkg = slices.IndexFunc(r.Config, func(c benchfmt.Config) bool { return c.Key == record.KeyPackage })
	if i, ok := r.ConfigIndex(record.KeyCommit); ok && !g.own {
		g.history.at(string(r.Config[i].Value))
	} else {
		g.history.at("")
	}
	return nil
}

// sameUnits reports whether a and b have the same units, as they were written and as benchfmt
// normalized them.
func sameUnits(a, b []benchfmt.Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Unit != b[i].Unit || a[i].OrigUnit != b[i].OrigUnit {
			return false
		}
	}
	return true
}

// count returns an error if there are more benchmarks, samples or values than the limits allow.
func (g *guard) count(r *benchfmt.Result) error {
	if g.own {
		return nil // an export contains many runs, and the store enforces the limits on each
	}
	if g.values += len(r.Values); g.history.commit != "" {
		return g.history.count(len(r.Values), g.values)
	}
	if g.values > bounds.MaxValues {
		return errTooMany("values", bounds.MaxValues)
	}
	key := g.spare[:0]
	if g.pkg >= 0 {
		key = append(key, r.Config[g.pkg].Value...)
	}
	key = append(append(key, 0), r.Name...)
	if !bytes.Equal(key, g.key) {
		g.last = g.samples[string(key)]
		g.key, g.spare = key, g.key
	}
	if g.last == nil {
		if len(g.samples) == bounds.MaxBenchmarks {
			return errTooMany("benchmarks", bounds.MaxBenchmarks)
		}
		g.last = new(int)
		g.samples[string(key)] = g.last
	}
	if *g.last == bounds.MaxSamples {
		return fmt.Errorf("more than %d samples for %s, the limit for one benchmark", bounds.MaxSamples, r.Name)
	}
	*g.last++
	return nil
}

// Check returns an error if a result must not be stored. Results from a [Format] have already
// passed this check. Check replaces negative zero with zero.
func Check(r *benchfmt.Result) error {
	if err := checkHead(r); err != nil {
		return err
	}
	if err := checkValues(r.Values); err != nil {
		return err
	}
	return checkConfig(r.Config)
}

func checkHead(r *benchfmt.Result) error {
	name := []byte(r.Name)
	if len(name) > bounds.MaxName {
		name = []byte(record.WithoutProcs(string(name)))
	}
	switch err := bounds.CheckText("benchmark name", name, bounds.MaxName); {
	case err != nil:
		return err
	case r.Iters <= 0:
		return fmt.Errorf("iteration count %d is not above zero", r.Iters)
	case len(r.Values) == 0:
		return errors.New("missing measurements")
	}
	return nil
}

func checkConfig(config []benchfmt.Config) error {
	if len(config) > bounds.MaxKeys {
		return fmt.Errorf("more than %d configuration keys, the limit", bounds.MaxKeys)
	}
	for _, c := range config {
		if err := bounds.CheckConfig(c.Key, c.Value); err != nil {
			return err
		}
	}
	return nil
}

func checkValues(values []benchfmt.Value) error {
	for i := range values {
		if err := checkValue(&values[i]); err != nil {
			return err
		}
		for _, before := range values[:i] {
			if before.Unit == values[i].Unit {
				return fmt.Errorf("two values in %s", UnitOf(before))
			}
		}
	}
	return nil
}

func checkValue(v *benchfmt.Value) error {
	unit := UnitOf(*v)
	if unit == "" {
		return errors.New("no units")
	}
	if err := bounds.CheckText("unit", []byte(unit), bounds.MaxUnit); err != nil {
		return err
	}
	return checkNumbers(v)
}

func checkNumbers(v *benchfmt.Value) error {
	// A finite number can overflow when its unit is converted.
	for _, f := range [...]*float64{&v.Value, &v.OrigValue} {
		switch {
		case *f > 0 && *f <= math.MaxFloat64:
		case math.IsNaN(*f) || math.IsInf(*f, 0):
			return fmt.Errorf("value in %s is not finite", UnitOf(*v))
		case *f < 0:
			return fmt.Errorf("value in %s is negative", UnitOf(*v))
		case *f == 0:
			*f = 0
		}
	}
	return nil
}

// UnitOf returns the unit of a value as it was written, before benchfmt normalized it.
func UnitOf(v benchfmt.Value) string {
	if v.OrigUnit != "" {
		return v.OrigUnit
	}
	return v.Unit
}
