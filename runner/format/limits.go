package format

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/record"
)

// The limits of an input. They are far above what benchmark programs print, and keep a
// hostile file from filling the memory or the database.
const (
	MaxInput      = 64 << 20  // bytes of a file
	MaxLine       = 1 << 20   // bytes of any line, without its line break
	MaxRecordLine = 64 << 10  // bytes of a benchmark, unit or configuration line, with its line break
	MaxBenchmarks = 10_000    // different benchmarks, by package and name, of a file
	MaxSamples    = 10_000    // samples of one benchmark of a file
	MaxValues     = 1_000_000 // values of a file
	MaxName       = 512       // bytes of a benchmark name
	MaxUnit       = 32        // bytes of a unit
	MaxKeys       = 64        // configuration keys of a result
	MaxConfig     = 1 << 10   // bytes of a configuration key with its value
)

// guarded returns f with a Read that keeps the promises of Format.
func guarded(f Format) Format {
	read := f.Read
	f.Read = func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
		if fileName == "" {
			fileName = "<unknown>" // as benchfmt calls it
		}
		g := &guard{fileName: fileName, emit: emit, samples: make(map[string]int)}
		in := &limitedReader{r: r, fileName: fileName, left: MaxInput}
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
		return 0, fmt.Errorf("%s: larger than %d MiB, the limit of an input", l.fileName, MaxInput>>20)
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
	if err := checkResult(result); err != nil {
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
	if n == 0 && len(g.samples) == MaxBenchmarks {
		return fmt.Errorf("more than %d benchmarks, the limit of an input", MaxBenchmarks)
	}
	if n == MaxSamples {
		return fmt.Errorf("more than %d samples of %s, the limit of one benchmark", MaxSamples, r.Name)
	}
	if g.values += len(r.Values); g.values > MaxValues {
		return fmt.Errorf("more than %d values, the limit of an input", MaxValues)
	}
	g.samples[string(g.key)] = n + 1
	return nil
}

// checkResult reports why r must not be stored. A negative zero becomes zero.
func checkResult(r *benchfmt.Result) error {
	if err := checkText("benchmark name", r.Name, MaxName); err != nil {
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
				return fmt.Errorf("two values in %s", unitOf(before))
			}
		}
	}
	if len(r.Config) > MaxKeys {
		return fmt.Errorf("more than %d configuration keys, the limit", MaxKeys)
	}
	for _, c := range r.Config {
		if err := checkConfig(c.Key, c.Value); err != nil {
			return err
		}
	}
	return nil
}

func checkValue(v *benchfmt.Value) error {
	unit := unitOf(*v)
	if unit == "" {
		return errors.New("missing units")
	}
	if err := checkText("unit", []byte(unit), MaxUnit); err != nil {
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

// checkConfig reports why a configuration line must not be stored.
func checkConfig(key string, value []byte) error {
	if err := checkText("configuration", []byte(key), MaxConfig); err != nil {
		return err
	}
	if len(value) <= MaxConfig-len(key) && utf8.Valid(value) && bytes.IndexByte(value, 0) < 0 {
		return nil // nearly all: no text for a message is made of each
	}
	return checkText("configuration "+shorten(key), value, MaxConfig-len(key))
}

// checkText reports why a text must not be stored.
func checkText(what string, text []byte, limit int) error {
	switch {
	case len(text) > limit:
		return fmt.Errorf("%s is longer than %d bytes, the limit", what, limit)
	case !utf8.Valid(text):
		return fmt.Errorf("%s is not valid UTF-8", what)
	case bytes.IndexByte(text, 0) >= 0:
		return fmt.Errorf("%s holds NUL", what)
	}
	return nil
}

// unitOf is the unit as it was written.
func unitOf(v benchfmt.Value) string {
	if v.OrigUnit != "" {
		return v.OrigUnit
	}
	return v.Unit
}

// shorten quotes text of the input for a message.
func shorten(s string) string {
	if len(s) > 40 {
		return fmt.Sprintf("%q...", strings.ToValidUTF8(s[:40], ""))
	}
	return fmt.Sprintf("%q", s)
}
