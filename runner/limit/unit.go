package limit

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/perf/benchunit"
)

// A measure is one spelling of a unit.
type measure struct {
	name   string // spelling, such as "ms" or "GFLOPS"
	base   string // canonical unit
	factor float64
}

// measures lists the units with prefixes. All other units are spelled as in benchmark results.
var measures = []measure{
	{"ns", "sec", 1e-9}, {"us", "sec", 1e-6}, {"µs", "sec", 1e-6}, {"μs", "sec", 1e-6}, {"ms", "sec", 1e-3}, {"s", "sec", 1}, {"sec", "sec", 1},
	{"B", "B", 1}, {"kB", "B", 1e3}, {"MB", "B", 1e6}, {"GB", "B", 1e9}, {"TB", "B", 1e12},
	{"KiB", "B", 1 << 10}, {"MiB", "B", 1 << 20}, {"GiB", "B", 1 << 30}, {"TiB", "B", 1 << 40},
	{"FLOPS", "FLOPS", 1}, {"kFLOPS", "FLOPS", 1e3}, {"MFLOPS", "FLOPS", 1e6}, {"GFLOPS", "FLOPS", 1e9}, {"TFLOPS", "FLOPS", 1e12},
	{"tok", "tok", 1}, {"ktok", "tok", 1e3}, {"Mtok", "tok", 1e6},
}

// exact lists further unit names in benchmark results, so that misspelt names can be detected.
var exact = []string{"allocs"}

// parseUnit parses a unit as it is written in a limit.
func parseUnit(unit string) (name string, factor float64, err error) {
	if near, ok := misspelt(unit); ok {
		return "", 0, fmt.Errorf("unknown unit %q: did you mean %q?", unit, near)
	}
	_, amount, per := split(unit)
	if m, ok := find(amount); ok && per == "" {
		switch {
		case m.base == "B" && amount == unit:
			return "", 0, errPer
		case m.base == "sec" && amount == unit:
			unit += "/op" // by default, a time is the time per operation
		}
	}
	name, factor = canonical(unit)
	return name, factor, nil
}

// canonical returns the unit without prefixes, and the factor to multiply values in the given unit
// by: "GFLOPS" is 1e9 "FLOPS", and "ttft-ms" is a thousandth of "ttft-sec".
func canonical(unit string) (name string, factor float64) {
	of, amount, per := split(unit)
	m, ok := find(amount)
	if !ok {
		factor, name = benchunit.Tidy(1, unit)
		return name, factor
	}
	return of + m.base + per, m.factor
}

// split splits a unit into the part before the amount ("ttft-"), the amount ("ns") and the
// denominator ("/op").
func split(unit string) (of, amount, per string) {
	amount = unit
	if at := strings.IndexByte(amount, '/'); at >= 0 {
		amount, per = amount[:at], amount[at:]
	}
	if at := strings.LastIndexByte(amount, '-'); at >= 0 {
		of, amount = amount[:at+1], amount[at+1:]
	}
	return of, amount, per
}

func find(name string) (measure, bool) {
	i := slices.IndexFunc(measures, func(m measure) bool { return m.name == name })
	if i < 0 {
		return measure{}, false
	}
	return measures[i], true
}

// misspelt returns the unit in the correct case if unit differs from a known one only in case. ok
// is false otherwise.
func misspelt(unit string) (near string, ok bool) {
	of, amount, per := split(unit)
	names := slices.Clone(exact)
	for _, m := range measures {
		names = append(names, m.name)
	}
	if slices.Contains(names, amount) {
		return "", false
	}
	for _, name := range names {
		if strings.EqualFold(name, amount) {
			return of + name + per, true
		}
	}
	return "", false
}
