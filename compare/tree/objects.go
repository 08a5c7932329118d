package tree

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
)

// PartUnseen stands for objects counted by the benchmark but missing from the profile. Objects of
// less than 16 bytes without pointers share blocks, and only the first object in a block appears in
// a profile.
const PartUnseen = "(not in the profile)"

// ownAllocations sums up the allocations of each function. It leaves out the runtime's own
// allocations, such as threads, because they are not part of an operation.
func ownAllocations(stacks []Stack) map[string]float64 {
	sums := map[string]float64{}
	for _, s := range stacks {
		if name := caller(s.Functions); name != PartRuntime && !isHarness(s.Functions) {
			sums[name] += s.Value
		}
	}
	return aboveZero(sums)
}

// aboveZero drops sums not above 0, allowing for rounding. Values are differences between two
// processes, and allocations of only the first process are not part of an operation.
func aboveZero(sums map[string]float64) map[string]float64 {
	for name, v := range sums {
		if !(v > 1e-9) {
			delete(sums, name)
		}
	}
	return sums
}

// hidden reports whether a benchmark counts clearly more objects than the profile contains.
func hidden(sums map[string]float64, measured float64) bool {
	return measured-totalOf(sums) > allocationNoise*measured
}

func totalOf(sums map[string]float64) (total float64) {
	for _, name := range sorted(sums) {
		total += sums[name]
	}
	return total
}

// withUnseen returns the number of objects on a side by function, for use if the profile of either
// side lacks some objects. Objects in possibly shared blocks are attributed to PartUnseen instead
// of to their functions.
func withUnseen(stacks []Stack, measured float64) map[string]float64 {
	sums := ownAllocations(slices.DeleteFunc(slices.Clone(stacks), func(s Stack) bool { return s.Shared }))
	maps.DeleteFunc(sums, func(_ string, v float64) bool { return v <= allocationNoise*measured })
	if rest := measured - totalOf(sums); rest > allocationNoise*measured {
		sums[PartUnseen] = rest
	}
	return sums
}

// callersOfShared returns the functions that allocate objects in blocks that may be shared,
// directly or through callees. How many such objects there are is unknown.
func callersOfShared(b, h []Stack) map[string]bool {
	unknown := map[string]bool{}
	for _, s := range slices.Concat(b, h) {
		if s.Shared {
			for _, f := range s.Functions {
				unknown[f] = true
			}
		}
	}
	return unknown
}

// unseenObjects returns the caveat about objects whose functions are unknown. It gives their number
// and the functions that they may belong to.
func unseenObjects(b, h []Stack, measured Pair) compare.Caveat {
	isKnown := func(s Stack) bool { return !s.Shared }
	var names []string
	for side, stacks := range [][]Stack{b, h} {
		for name, v := range ownAllocations(slices.DeleteFunc(slices.Clone(stacks), isKnown)) {
			if v > allocationNoise*[]float64{measured.Base, measured.Head}[side] && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	const few = 3
	if len(names) > few {
		names = append(names[:few], fmt.Sprintf("and %d more", len(names)-few))
	}
	unseen := Pair{withUnseen(b, measured.Base)[PartUnseen], withUnseen(h, measured.Head)[PartUnseen]}
	return compare.Caveat{Code: CodeUnseen, Text: fmt.Sprintf("%.4g objects at base and %.4g at head belong to unknown functions: objects smaller than 16 bytes "+
		"share blocks, and the profile records only the first in each block; functions with shared blocks", unseen.Base, unseen.Head), Detail: strings.Join(names, " ")}
}
