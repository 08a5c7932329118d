package format

import (
	"slices"
	"strings"
)

// Nesting returns which of the scopes of one profile directly contain each of the
// others, by their names: the time of a scope is also in the time of its parents, so a
// change in it is one change and not several. A scope that stands on its own has no
// entry. Parents are sorted. The rules, the first that fits:
//
//   - A call path lies in its longest beginning that is a name: A/B/C in A/B, else in A.
//   - X_Iteration lies in every other X_* (MatMul_Iteration in MatMul_64x64,
//     MatMul_128x128...): its time is spread over all of them.
//   - Model_M_Forward lies in Model_M_GenerateToken, and that in Model_M_Inference;
//     where one is missing, in the next.
//
// It needs no more than names, which is all that the store keeps of a nesting.
func Nesting(names []string) map[string][]string {
	set := make(map[string]bool, len(names))
	byFirst := make(map[string][]string) // by the first word: MatMul of MatMul_*
	for _, n := range names {
		if set[n] {
			continue
		}
		set[n] = true
		first, _, _ := strings.Cut(n, "_")
		byFirst[first] = append(byFirst[first], n)
	}
	parents := make(map[string][]string)
	for n := range set {
		if p := parentsByName(n, set, byFirst); len(p) > 0 {
			slices.Sort(p)
			parents[n] = p
		}
	}
	return parents
}

func parentsByName(name string, set map[string]bool, byFirst map[string][]string) []string {
	for i := strings.LastIndexByte(name, '/'); i > 0; i = strings.LastIndexByte(name[:i], '/') {
		if set[name[:i]] {
			return []string{name[:i]}
		}
	}
	if family, ok := strings.CutSuffix(name, iteration); ok {
		first, _, _ := strings.Cut(family, "_")
		var in []string
		for _, other := range byFirst[first] {
			if strings.HasPrefix(other, family+"_") && !strings.HasSuffix(other, iteration) {
				in = append(in, other)
			}
		}
		return in
	}
	for i, step := range modelSteps {
		model, ok := strings.CutSuffix(name, step)
		if !ok || !strings.HasPrefix(model, "Model_") {
			continue
		}
		for _, outer := range modelSteps[i+1:] {
			if set[model+outer] {
				return []string{model + outer}
			}
		}
	}
	return nil
}

const iteration = "_Iteration"

// modelSteps are the scopes of a model's run, each inside the next.
var modelSteps = []string{"_Forward", "_GenerateToken", "_Inference"}
