package record

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"
)

// unitOrder is the order in which `go test` prints units. A program's own units come between the
// time and the allocations, as in the output of `go test`.
var unitOrder = map[string]int{"ns/op": 0, "MB/s": 1, "B/op": 3, "allocs/op": 4}

// CompareUnits orders units as `go test` prints them. All other units come between the time and the
// allocations, sorted by name.
func CompareUnits(a, b string) int {
	rank := func(u string) int {
		if r, ok := unitOrder[u]; ok {
			return r
		}
		return 2
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
}

// Tidied returns the unit in which reports show values in a stored unit: sec/op for ns/op.
func Tidied(unit string) string {
	_, tidied := benchunit.Tidy(1, unit)
	return tidied
}

// Better returns the direction of a unit: +1 if higher values are better, -1 if lower values are
// better, and 0 if unknown. The benchmark program's `Unit` line overrides the directions of Go's
// and perftrack's own units.
func (r *Run) Better(unit string) int {
	i := slices.IndexFunc(r.Units, func(u Unit) bool { return u.Name == unit })
	if i >= 0 && r.Units[i].Better != 0 {
		return r.Units[i].Better
	}
	switch unit {
	case "GFLOPS", "tok/s":
		return 1
	case "B/tok", "ttft-ns", "min-ns/op", "max-ns/op", "self-ns/op", "total-ns":
		return -1
	}
	var none benchfmt.UnitMetadataMap
	return none.GetBetter(unit)
}

// Exact reports whether the benchmark program declared the unit exact.
func (r *Run) Exact(unit string) bool {
	return slices.ContainsFunc(r.Units, func(u Unit) bool { return u.Name == unit && u.Exact })
}

// WithDirections returns a copy of declared units in which the named units have the given
// directions.
func WithDirections(declared []Unit, directions map[string]int) []Unit {
	out := slices.Clone(declared)
	for _, name := range slices.Sorted(maps.Keys(directions)) {
		i := slices.IndexFunc(out, func(u Unit) bool { return u.Name == name })
		if i < 0 {
			i, out = len(out), append(out, Unit{Name: name})
		}
		out[i].Better = directions[name]
	}
	return out
}

// From returns the units that the values in a unit had in the imported file, or "" if they were
// not converted.
func (r *Run) From(unit string) string {
	i := slices.IndexFunc(r.Units, func(u Unit) bool { return u.Name == unit })
	if i < 0 {
		return ""
	}
	return r.Units[i].From
}

// AddFrom adds a unit, or several separated by commas, to the original units of u. They are sorted
// and joined by commas, because the benchmarks of one file may be in different units.
func (u *Unit) AddFrom(unit string) {
	all := strings.FieldsFunc(u.From+","+unit, func(r rune) bool { return r == ',' })
	slices.Sort(all)
	u.From = strings.Join(slices.Compact(all), ",")
}
