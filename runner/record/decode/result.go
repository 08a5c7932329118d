package decode

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/record"
)

// A result is one benchmark line. A Builder uses a single result and reuses its slices.
type result struct {
	id     record.BenchmarkID
	round  record.Round // N and Order are -1 if unknown
	file   string       // position in the input: file and line
	line   int
	units  []string
	values []float64
	code   []byte // buffer for pack.add
}

func (r *result) pos() string { return position(r.file, r.line) }

// set fills r from rec. known is the pack of its benchmark, or nil if it must be looked for.
func (r *result) set(rec *benchfmt.Result, at *places, known *pack) error {
	r.file, r.line = rec.Pos()
	r.round = record.Round{}
	if known != nil {
		r.id = known.id
	} else if err := r.setID(rec, at); err != nil {
		return err
	}
	if err := r.setRound(rec, at); err != nil {
		return err
	}
	return r.setValues(rec.Values)
}

func (r *result) setID(rec *benchfmt.Result, at *places) error {
	id := record.BenchmarkID{
		Kind:    kindOf(rec, at),
		Package: strings.TrimSpace(string(valueAt(rec, at.pkg))),
		Suite:   strings.TrimSpace(string(valueAt(rec, at.suite))),
		Name:    string(rec.Name),
	}
	// Check the name without its -N suffix, as it will be stored. The complete run is checked again
	// later.
	bare := id
	bare.Name = record.WithoutProcs(bare.Name)
	if err := bare.Validate(); err != nil {
		return err
	}
	r.id = id
	return nil
}

func kindOf(rec *benchfmt.Result, at *places) record.Kind {
	if string(valueAt(rec, at.profile)) == record.ProfileScopes {
		return record.Scope
	}
	return record.Bench
}

// holds reports whether p holds the results of the benchmark in rec. It returns false for a nil p.
func (p *pack) holds(rec *benchfmt.Result, at *places) bool {
	return p != nil && p.id.Name == string(rec.Name) && p.id.Package == string(valueAt(rec, at.pkg)) &&
		p.id.Suite == string(valueAt(rec, at.suite)) && p.id.Kind == kindOf(rec, at)
}

func (r *result) setRound(rec *benchfmt.Result, at *places) (err error) {
	if rec.Iters < 0 {
		return fmt.Errorf("%d iterations", rec.Iters)
	}
	r.round.Iters = rec.Iters
	if r.round.N, err = number(rec, at.round, 1); err != nil {
		return err
	}
	if r.round.Order, err = number(rec, at.order, 0); err != nil {
		return err
	}
	if s := valueAt(rec, at.seed); len(s) > 0 {
		if r.round.Seed, err = strconv.ParseUint(string(s), 10, 64); err != nil {
			return fmt.Errorf("%s: %w", record.KeyLayoutSeed, err)
		}
	}
	if r.round.Slices, err = number(rec, at.slices, 0); err != nil {
		return err
	}
	r.round.Slices = max(r.round.Slices, 0)
	if err := r.setSlices(rec, at); err != nil {
		return err
	}
	return r.round.CheckSlices()
}

// setSlices sets the fields that only rounds of alternating sides have.
func (r *result) setSlices(rec *benchfmt.Result, at *places) (err error) {
	for _, f := range []struct {
		at   int
		into *float64
	}{{at.spread, &r.round.Spread}, {at.mean, &r.round.Mean}, {at.slow, &r.round.Slow}} {
		if s := valueAt(rec, f.at); len(s) > 0 {
			if *f.into, err = strconv.ParseFloat(string(s), 64); err != nil {
				return fmt.Errorf("%s: %w", rec.Config[f.at].Key, err)
			}
		}
	}
	return nil
}

// setValues sets the values in the units printed by the program, because normalized values cannot
// be converted back exactly. It checks the units only if they differ from the previous result's
// units.
func (r *result) setValues(values []benchfmt.Value) error {
	r.values = r.values[:0]
	if r.hasUnits(values) {
		for _, v := range values {
			value, unit := written(v)
			if !storable(value) {
				return r.unstorable(value, unit)
			}
			r.values = append(r.values, value)
		}
		return nil
	}
	r.units = r.units[:0]
	for _, v := range values {
		if err := r.addValue(written(v)); err != nil {
			return err
		}
	}
	return nil
}

func (r *result) hasUnits(values []benchfmt.Value) bool {
	if len(values) != len(r.units) {
		return false
	}
	for i, v := range values {
		if _, unit := written(v); unit != r.units[i] {
			return false
		}
	}
	return true
}

// written returns a value and its unit as they were written, before benchfmt normalized them.
func written(v benchfmt.Value) (float64, string) {
	if v.OrigUnit != "" {
		return v.OrigValue, v.OrigUnit
	}
	return v.Value, v.Unit
}

func storable(value float64) bool { return !math.IsNaN(value) && !math.IsInf(value, 0) && value >= 0 }

func (r *result) unstorable(value float64, unit string) error {
	return fmt.Errorf("%s is %v %s: not a finite number of 0 or more", r.id.Name, value, unit)
}

func (r *result) addValue(value float64, unit string) error {
	switch err := record.CheckUnit(unit); {
	case err != nil:
		return fmt.Errorf("%s: %w", r.id.Name, err)
	case !storable(value):
		return r.unstorable(value, unit)
	case slices.Contains(r.units, unit):
		return fmt.Errorf("%s has %s twice", r.id.Name, unit)
	case len(r.units) >= record.MaxUnits:
		return fmt.Errorf("%s has more than %d units", r.id.Name, record.MaxUnits)
	}
	r.units, r.values = append(r.units, unit), append(r.values, value)
	return nil
}

// number returns the configuration value at a position as a number, or -1 if it is missing. It
// returns an error if the number is smaller than least.
func number(rec *benchfmt.Result, at, least int) (int, error) {
	s := valueAt(rec, at)
	if len(s) == 0 {
		return -1, nil
	}
	n, err := strconv.Atoi(string(s))
	if err != nil || n < least {
		return 0, fmt.Errorf("%s is %q: not a number of %d or more", rec.Config[at].Key, s, least)
	}
	return n, nil
}

func position(file string, line int) string {
	if file == "" {
		return "benchmark result"
	}
	return fmt.Sprintf("%s:%d", file, line)
}
