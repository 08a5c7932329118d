package record

import (
	"cmp"
	"slices"

	"golang.org/x/perf/benchfmt"
)

// unitOrder is the order in which `go test` prints its own units; units of the
// program's own stand between the time and the allocations, as they do there.
var unitOrder = map[string]int{"ns/op": 0, "MB/s": 1, "B/op": 3, "allocs/op": 4}

// CompareUnits orders units as `go test` prints them, others by name between
// the time and the allocations.
func CompareUnits(a, b string) int {
	rank := func(u string) int {
		if r, ok := unitOrder[u]; ok {
			return r
		}
		return 2
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
}

// Better returns the direction of a unit: +1 when higher values are better, -1
// when lower ones are, 0 when nobody said. The producer's `Unit` line wins
// over what is known of Go's own units and of perftrack's.
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

// Exact reports whether the producer declared the unit exact.
func (r *Run) Exact(unit string) bool {
	return slices.ContainsFunc(r.Units, func(u Unit) bool { return u.Name == unit && u.Exact })
}
