package tree

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
)

// PartUnseen are the objects that the benchmark counts and the profile does not: objects
// of less than 16 bytes without pointers share blocks, and only the first object of a block
// is in a profile.
const PartUnseen = "(not told by the profile)"

// ownAllocations sums what each function allocates. What the runtime allocates for itself,
// such as threads, is left out: it is no part of an operation.
func ownAllocations(stacks []Stack) map[string]float64 {
	sums := map[string]float64{}
	for _, s := range stacks {
		if name := caller(s.Functions); name != PartRuntime && !isHarness(s.Functions) {
			sums[name] += s.Value
		}
	}
	return aboveZero(sums)
}

// aboveZero leaves out what is, but for rounding, not above 0. Values are differences of
// two processes, and what only the first one allocates is no part of an operation.
func aboveZero(sums map[string]float64) map[string]float64 {
	for name, v := range sums {
		if !(v > 1e-9) {
			delete(sums, name)
		}
	}
	return sums
}

// hidden reports whether a benchmark counts clearly more objects than the profile.
func hidden(sums map[string]float64, measured float64) bool {
	return measured-totalOf(sums) > allocationNoise*measured
}

func totalOf(sums map[string]float64) (total float64) {
	for _, name := range sorted(sums) {
		total += sums[name]
	}
	return total
}

// withUnseen are the objects of a side if the profile of either side hides some: those in
// blocks that may be shared are attributed to PartUnseen, not to their functions.
func withUnseen(stacks []Stack, measured float64) map[string]float64 {
	sums := ownAllocations(slices.DeleteFunc(slices.Clone(stacks), func(s Stack) bool { return s.Shared }))
	maps.DeleteFunc(sums, func(_ string, v float64) bool { return v <= allocationNoise*measured })
	if rest := measured - totalOf(sums); rest > allocationNoise*measured {
		sums[PartUnseen] = rest
	}
	return sums
}

// callersOfShared are the functions that allocate objects in blocks that may be shared, by
// themselves or in what they call. How many objects these are is not known.
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

// unseenObjects is the caveat about the objects whose function is not known: how many they
// are, and which functions they may be of.
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
	return compare.Caveat{Code: CodeUnseen, Text: fmt.Sprintf("which functions allocate %.4g objects at base and %.4g at head is not known: of objects of less than 16 bytes, "+
		"which share blocks, the profile has the first of each block only; seen with such", unseen.Base, unseen.Head), Detail: strings.Join(names, " ")}
}
