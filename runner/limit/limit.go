// Package limit parses limits on benchmark results, such as ">= 25 GFLOPS" or "< 1 MB/tok", and
// judges intervals against them.
//
// In the flow engine -> runner -> store -> compare -> reports it is used by runner/config to parse
// the limits in perftrack.toml, and by compare to judge samples. The package does no I/O and does
// not depend on samples.
//
// Start with limit.go. Units are in unit.go, and units that only profiles have are in profile.go.
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

// A Limit bounds the values in one unit for the benchmarks, scopes or whole profiles matching a
// glob.
type Limit struct {
	On    Subject
	Bench string // glob, see naming.MatchesBenchmark; depending on On, for benchmarks, scopes or suites
	Text  string // as it was written, such as "<= 100 ms"

	op    string  // one of ops
	value float64 // in unit
	unit  string  // canonical unit, see canonical
}

// ops lists the possible relations between a value and its bound.
var ops = []string{"<=", ">=", "<", ">"}

var shape = regexp.MustCompile(`^(<=|>=|<|>)\s*([0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)\s*([^\s0-9.,+-]\S*)$`)

// Parse parses a limit on the benchmarks matching the glob. The text consists of <, <=, > or >=, a
// number, and a unit, in the spelling of people or benchmarks.
func Parse(bench, text string) (Limit, error) {
	return parse(Benchmark, bench, text)
}

func parse(on Subject, glob, text string) (Limit, error) {
	m := shape.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return Limit{}, fmt.Errorf(`%q: write a relation (%s), a number and a unit, such as "<= 100 ms"`, text, strings.Join(ops, " "))
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

// of returns the limit converted to a unit, possibly the inverse unit. For example, tokens per
// second are the inverse of the time per token, so "<= 65 ms/tok" becomes ">= 15.4 tok/s". The
// result is false if the limit does not apply to the unit.
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

// String returns the limit together with the glob it applies to.
func (l Limit) String() string { return strings.TrimSpace(string(l.On) + " " + l.Bench + " " + l.Text) }

// Bound returns the limit's value in a unit, spelled either as shown or as stored. ok is false if
// the limit does not apply to the unit.
func (l Limit) Bound(unit string) (value float64, ok bool) {
	of, ok := l.of(unit)
	return of.value, ok
}

// Names reports whether the limit applies to the benchmark with this name, in any unit.
func (l Limit) Names(bench string) bool { return l.names(Benchmark, bench) }

func (l Limit) names(on Subject, name string) bool {
	if on == Benchmark {
		return l.On == on && naming.MatchesBenchmark(l.Bench, name)
	}
	return l.On == on && naming.Matches(l.Bench, name)
}

// Bounds reports whether the limit applies to the benchmark with this name, in a unit.
func (l Limit) Bounds(bench, unit string) bool { return l.BoundsOn(Benchmark, bench, unit) }

// BoundsOn reports whether the limit applies to the subject with this name, in a unit.
func (l Limit) BoundsOn(on Subject, name, unit string) bool {
	_, ok := l.Bound(unit)
	return ok && l.names(on, name)
}

// Below reports whether values must be below the limit.
func (l Limit) Below() bool { return l.op[0] == '<' }

// Factor returns the factor by which a value in unit must improve to reach the limit. If the value
// already meets the limit, the factor is at most 1. It is NaN if no factor can be computed.
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

// A State is the result of judging values by a limit.
type State string

// The states. A benchmark without results is Unknown.
const (
	Unknown   State = ""
	Met       State = "met"
	Missed    State = "missed"
	Undecided State = "undecided"
)

// rounding is the largest relative difference between equal values written in different units:
// 300000 ns are 0.00030000000000000003 s, while 0.3 ms are 0.0003 s.
const rounding = 1e-12

// snap returns bound if x differs from it only by rounding; otherwise it returns x.
func snap(x, bound float64) float64 {
	if math.Abs(x-bound) <= rounding*math.Abs(bound) {
		return bound
	}
	return x
}

// Judge compares the interval from lo to hi with the limit. lo and hi are in unit.
func (l Limit) Judge(lo, hi float64, unit string) State {
	of, _ := l.of(unit)
	bound := of.value
	lo, hi = snap(lo, bound), snap(hi, bound)
	meets, misses := hi <= bound, lo > bound // for <=
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

// A List is a list of limits in file order.
type List []Limit

// Of returns the limits on the benchmark with this name, in a unit. If several have the same
// direction, only the last one applies.
func (all List) Of(bench, unit string) (out List) { return all.OfOn(Benchmark, bench, unit) }

// OfOn returns the limits on a subject, as [List.Of] does for a benchmark.
func (all List) OfOn(on Subject, name, unit string) (out List) {
	for _, l := range slices.Backward(all) {
		if l.BoundsOn(on, name, unit) && !slices.ContainsFunc(out, func(o Limit) bool { return o.Below() == l.Below() }) {
			out = append(out, l)
		}
	}
	slices.Reverse(out)
	return out
}

// errPer is returned for a unit of bytes without a denominator.
var errPer = errors.New("bytes per op, second or token? Write for example MB/op, MB/s or MB/tok")
