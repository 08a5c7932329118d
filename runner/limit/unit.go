package limit

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/perf/benchunit"
)

// A measure is how people write what a benchmark measures.
type measure struct {
	name   string // as it is written: "ms", "GFLOPS"
	base   string // what it is measured in
	factor float64
}

// measures are those with prefixes. All others are written as benchmarks report them.
var measures = []measure{
	{"ns", "sec", 1e-9}, {"us", "sec", 1e-6}, {"µs", "sec", 1e-6}, {"μs", "sec", 1e-6}, {"ms", "sec", 1e-3}, {"s", "sec", 1}, {"sec", "sec", 1},
	{"B", "B", 1}, {"kB", "B", 1e3}, {"MB", "B", 1e6}, {"GB", "B", 1e9}, {"TB", "B", 1e12},
	{"KiB", "B", 1 << 10}, {"MiB", "B", 1 << 20}, {"GiB", "B", 1 << 30}, {"TiB", "B", 1 << 40},
	{"FLOPS", "FLOPS", 1}, {"kFLOPS", "FLOPS", 1e3}, {"MFLOPS", "FLOPS", 1e6}, {"GFLOPS", "FLOPS", 1e9}, {"TFLOPS", "FLOPS", 1e12},
	{"tok", "tok", 1}, {"ktok", "tok", 1e3}, {"Mtok", "tok", 1e6},
}

// exact are further names that benchmarks report, to find misspelt ones.
var exact = []string{"allocs"}

// parseUnit reads a unit as it is written in a limit.
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
			unit += "/op" // a time is that of an operation unless it says otherwise
		}
	}
	name, factor = canonical(unit)
	return name, factor, nil
}

// canonical returns the unit without prefixes, and how much of that one is: "GFLOPS" is
// 1e9 "FLOPS", "ttft-ms" a thousandth "ttft-sec".
func canonical(unit string) (name string, factor float64) {
	of, amount, per := split(unit)
	m, ok := find(amount)
	if !ok {
		factor, name = benchunit.Tidy(1, unit)
		return name, factor
	}
	return of + m.base + per, m.factor
}

// split returns what stands before an amount ("ttft-"), the amount ("ns"), and for what it
// is ("/op").
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

// misspelt returns the unit with the capital letters that its name has.
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
