package format

import (
	"errors"
	"fmt"
	"io"
	"math"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/record"
)

// guarded returns f with a Read that keeps the promises of Format.
func guarded(f Format) Format {
	read := f.Read
	f.Read = func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
		if fileName == "" {
			fileName = "<unknown>" // as benchfmt calls it
		}
		g := &guard{fileName: fileName, emit: emit, samples: make(map[string]int)}
		in := &limitedReader{r: r, fileName: fileName, left: bounds.MaxInput}
		if err := read(in, fileName, g.check); err != nil {
			return err
		}
		// A reader that stopped before the end has not seen the limit.
		_, err := io.Copy(io.Discard, in)
		return err
	}
	return f
}

// limitedReader fails after MaxInput bytes, where io.LimitReader would end the input.
type limitedReader struct {
	r        io.Reader
	fileName string
	left     int64 // -1 when there was one byte too many
}

func (l *limitedReader) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, fmt.Errorf("%s: larger than %d MiB, the limit of an input", l.fileName, bounds.MaxInput>>20)
	}
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.r.Read(p)
	if l.left -= int64(n); l.left < 0 {
		n, err = n-1, nil // the next call tells
	}
	return n, err
}

// guard checks each record on its way from a reader to the caller.
type guard struct {
	fileName string
	emit     func(benchfmt.Record) error
	samples  map[string]int // results by package and name
	values   int
	key      []byte // scratch
}

func (g *guard) check(rec benchfmt.Record) error {
	result, ok := rec.(*benchfmt.Result)
	if !ok {
		return g.emit(rec)
	}
	fileName, line := result.Pos()
	if fileName == "" {
		fileName = g.fileName
	}
	if err := Check(result); err != nil {
		return g.emit(&benchfmt.SyntaxError{FileName: fileName, Line: line, Msg: err.Error()})
	}
	if err := g.count(result); err != nil {
		return fmt.Errorf("%s:%d: %w", fileName, line, err)
	}
	return g.emit(result)
}

// count keeps the limits on the number of things.
func (g *guard) count(r *benchfmt.Result) error {
	if _, own := r.ConfigIndex(record.KeyFormat); own {
		return nil // an export holds many runs; the store counts within each
	}
	g.key = g.key[:0]
	if i, ok := r.ConfigIndex(record.KeyPackage); ok {
		g.key = append(g.key, r.Config[i].Value...)
	}
	g.key = append(append(g.key, 0), r.Name...)
	n := g.samples[string(g.key)]
	if n == 0 && len(g.samples) == bounds.MaxBenchmarks {
		return fmt.Errorf("more than %d benchmarks, the limit of an input", bounds.MaxBenchmarks)
	}
	if n == bounds.MaxSamples {
		return fmt.Errorf("more than %d samples of %s, the limit of one benchmark", bounds.MaxSamples, r.Name)
	}
	if g.values += len(r.Values); g.values > bounds.MaxValues {
		return fmt.Errorf("more than %d values, the limit of an input", bounds.MaxValues)
	}
	g.samples[string(g.key)] = n + 1
	return nil
}

// Check reports why a result must not be stored; what a [Format] reads passed it. A negative
// zero becomes zero.
func Check(r *benchfmt.Result) error {
	if err := bounds.CheckText("benchmark name", []byte(record.WithoutProcs(string(r.Name))), bounds.MaxName); err != nil {
		return err
	}
	if r.Iters <= 0 {
		return fmt.Errorf("iteration count %d is not above zero", r.Iters)
	}
	if len(r.Values) == 0 {
		return errors.New("missing measurements")
	}
	for i := range r.Values {
		if err := checkValue(&r.Values[i]); err != nil {
			return err
		}
		for _, before := range r.Values[:i] {
			if before.Unit == r.Values[i].Unit {
				return fmt.Errorf("two values in %s", UnitOf(before))
			}
		}
	}
	if len(r.Config) > bounds.MaxKeys {
		return fmt.Errorf("more than %d configuration keys, the limit", bounds.MaxKeys)
	}
	for _, c := range r.Config {
		if err := bounds.CheckConfig(c.Key, c.Value); err != nil {
			return err
		}
	}
	return nil
}

func checkValue(v *benchfmt.Value) error {
	unit := UnitOf(*v)
	if unit == "" {
		return errors.New("missing units")
	}
	if err := bounds.CheckText("unit", []byte(unit), bounds.MaxUnit); err != nil {
		return err
	}
	// Converting the unit can make a finite number overflow.
	for _, f := range []*float64{&v.Value, &v.OrigValue} {
		switch {
		case math.IsNaN(*f) || math.IsInf(*f, 0):
			return fmt.Errorf("value in %s is not finite", unit)
		case *f < 0:
			return fmt.Errorf("value in %s is negative", unit)
		case *f == 0:
			*f = 0
		}
	}
	return nil
}

// UnitOf returns the unit of a value as it was written, before it was tidied.
func UnitOf(v benchfmt.Value) string {
	if v.OrigUnit != "" {
		return v.OrigUnit
	}
	return v.Unit
}
