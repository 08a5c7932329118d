// Package limit reads limits on what benchmarks measure, such as ">= 25 GFLOPS" or
// "< 1 MB/tok", and says on which side of one an interval lies.
//
// In the flow engine -> runner -> store -> compare -> reports it is used by runner/config,
// which finds limits in perftrack.toml, and by compare, which judges samples by them. It
// has no I/O and knows nothing of samples.
//
// Begin with limit.go; unit.go has the units, profile.go those that only profiles have.
package limit

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/naming"
)

// A Limit bounds one unit of the benchmarks that a glob matches, or of scopes or whole profiles.
type Limit struct {
	On    Subject
	Bench string // glob, see naming.MatchesBenchmark; of a profile's scopes or suites by On
	Text  string // as it was written: "<= 100 ms"

	op    string  // one of ops
	value float64 // in unit
	unit  string  // canonical, see canonical
}

// ops are the relations that a limit may demand of a value.
var ops = []string{"<=", ">=", "<", ">"}

var shape = regexp.MustCompile(`^(<=|>=|<|>)\s*([0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)\s*([^\s0-9.,+-]\S*)$`)

// Parse reads a limit of the benchmarks that match the glob: one of <, <=, > and >=, a
// number and a unit, which must be written as people and benchmarks write it.
func Parse(bench, text string) (Limit, error) {
	return parse(Benchmark, bench, text)
}

func parse(on Subject, glob, text string) (Limit, error) {
	m := shape.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return Limit{}, fmt.Errorf(`%q: write a relation (%s), a number and a unit, for example "<= 100 ms"`, text, strings.Join(ops, " "))
	}
	value, err := strconv.ParseFloat(m[2], 64)
	if err != nil {
		return Limit{}, fmt.Errorf("%q: %s is too large", text, m[2])
	}
	unit, factor, err := on.parseUnit(m[3])
	if err != nil {
		return Limit{}, fmt.Errorf("%q: %w", text, err)
	}
	l := Limit{On: on, Bench: glob, Text: strings.Join([]string{m[1], m[2], m[3]}, " "), op: m[1], value: value * factor, unit: unit}
	switch {
	case math.IsInf(l.value, 0):
		return Limit{}, fmt.Errorf("%q: %s is too large", text, m[2])
	case value == 0 && l.op == "<":
		return Limit{}, fmt.Errorf("%q: no measured value is below 0", text)
	case value == 0 && l.op == ">=":
		return Limit{}, fmt.Errorf("%q: every measured value is at least 0", text)
	}
	return l, nil
}

// of returns the limit as one of the unit, in which it may be the inverse: a benchmark that reports
// tokens a second says how long a token takes, so that "<= 65 ms/tok" bounds it at ">= 15.4 tok/s".
func (l Limit) of(unit string) (Limit, bool) {
	name, factor := canonical(unit)
	if l.unit == "sec/tok" && name == "tok/s" && l.value > 0 {
		l.unit, l.value, l.op = name, 1/l.value, map[string]string{"<=": ">=", "<": ">", ">=": "<=", ">": "<"}[l.op]
	}
	if l.unit != name {
		return l, false
	}
	l.value /= factor
	return l, true
}

// String returns the limit with the benchmarks that it is for.
func (l Limit) String() string { return strings.TrimSpace(string(l.On) + " " + l.Bench + " " + l.Text) }

// Bound returns the limit's value in a unit, as it is shown or stored. ok is false for a
// unit that the limit does not bound.
func (l Limit) Bound(unit string) (value float64, ok bool) {
	of, ok := l.of(unit)
	return of.value, ok
}

// Names reports whether the limit is one of a benchmark, by its name, in whatever unit.
func (l Limit) Names(bench string) bool { return l.names(Benchmark, bench) }

func (l Limit) names(on Subject, name string) bool {
	if on == Benchmark {
		return l.On == on && naming.MatchesBenchmark(l.Bench, name)
	}
	return l.On == on && naming.Matches(l.Bench, name)
}

// Bounds reports whether the limit is one of a benchmark, by its name, in a unit.
func (l Limit) Bounds(bench, unit string) bool { return l.BoundsOn(Benchmark, bench, unit) }

// BoundsOn reports whether the limit is one of a subject, by its name, in a unit.
func (l Limit) BoundsOn(on Subject, name, unit string) bool {
	_, ok := l.Bound(unit)
	return ok && l.names(on, name)
}

// Below reports whether values have to be small.
func (l Limit) Below() bool { return l.op[0] == '<' }

// Factor returns how many times a value in unit has to become better to reach the limit: below 1
// it is on the right side already. It is NaN where no factor leads there.
func (l Limit) Factor(value float64, unit string) float64 {
	of, ok := l.of(unit)
	switch {
	case !ok || !(value > 0) || !(of.value > 0):
		return math.NaN()
	case of.Below():
		return value / of.value
	}
	return of.value / value
}

// A State is what is known of a limit.
type State string

// The states. The empty one is of what was not measured.
const (
	Unknown   State = ""
	Met       State = "met"
	Missed    State = "missed"
	Undecided State = "undecided"
)

// rounding is how far values of other units may lie apart and be the same, as a fraction:
// 300000 ns are 0.00030000000000000003 s, and 0.3 ms are 0.0003 s.
const rounding = 1e-12

// snap returns the bound for a value that only rounding keeps apart from it.
func snap(x, bound float64) float64 {
	if math.Abs(x-bound) <= rounding*math.Abs(bound) {
		return bound
	}
	return x
}

// Judge says on which side of the limit the interval from lo to hi lies, which is in unit.
func (l Limit) Judge(lo, hi float64, unit string) State {
	of, _ := l.of(unit)
	bound := of.value
	lo, hi = snap(lo, bound), snap(hi, bound)
	meets, misses := hi <= bound, lo > bound // of <=
	switch of.op {
	case "<":
		meets, misses = hi < bound, lo >= bound
	case ">=":
		meets, misses = lo >= bound, hi < bound
	case ">":
		meets, misses = lo > bound, hi <= bound
	}
	switch {
	case meets:
		return Met
	case misses:
		return Missed
	}
	return Undecided
}

// A List is limits in the order of their file.
type List []Limit

// Of returns the limits of one benchmark, by its name, in one unit. Of several that bound
// it to the same side, the last one is in force.
func (all List) Of(bench, unit string) (out List) { return all.OfOn(Benchmark, bench, unit) }

// OfOn returns those of a subject, as [List.Of] does of a benchmark.
func (all List) OfOn(on Subject, name, unit string) (out List) {
	for _, l := range slices.Backward(all) {
		if l.BoundsOn(on, name, unit) && !slices.ContainsFunc(out, func(o Limit) bool { return o.Below() == l.Below() }) {
			out = append(out, l)
		}
	}
	slices.Reverse(out)
	return out
}

// errPer is for an amount of bytes of which nobody knows for what.
var errPer = errors.New("bytes of what? Write for example MB/op, MB/s or MB/tok")
