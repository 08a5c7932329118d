package naming

import (
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// Nesting returns the parents of each row: the rows of the same kind directly containing it
// according to their names. The time of a row is part of the time of its parents, so a change in
// all of them is a single change. A row without parents has no entry. Parents are sorted. The first
// applicable rule determines the parents:
//
//   - The parent of a scope is the longest prefix of its call path among the rows: for A/B/C it is
//     A/B, or else A. In benchmark names, a slash does not separate calls.
//   - X_Iteration is contained in every other X_* (MatMul_Iteration in MatMul_64x64,
//     MatMul_128x128 and so on), because its time is spread over all of them. For
//     benchmarks, these are only names with a size after X_, as in the engine's suites.
//   - Model_M_Forward is contained in Model_M_GenerateToken, which is contained in
//     Model_M_Inference. If one of them is missing, the next one is the parent.
func Nesting(kind record.Kind, names []string) map[string][]string {
	n := nesting{kind: kind, names: make(map[string]bool, len(names)), byFirst: make(map[string][]string)}
	for _, name := range names {
		if n.names[name] {
			continue
		}
		n.names[name] = true
		first, _, _ := strings.Cut(name, "_")
		n.byFirst[first] = append(n.byFirst[first], name)
	}
	parents := make(map[string][]string)
	for name := range n.names {
		if p := n.parents(name); len(p) > 0 {
			slices.Sort(p)
			parents[name] = p
		}
	}
	return parents
}

// CallPaths returns the parents of scopes according to only the first rule of [Nesting].
func CallPaths(names []string) map[string][]string {
	n := nesting{kind: record.Scope, names: make(map[string]bool, len(names))}
	for _, name := range names {
		n.names[name] = true
	}
	parents := make(map[string][]string)
	for _, name := range names {
		if caller, ok := n.caller(name); ok {
			parents[name] = []string{caller}
		}
	}
	return parents
}

// nesting is a set of names to find parents in.
type nesting struct {
	kind    record.Kind
	names   map[string]bool
	byFirst map[string][]string // by the first word, such as MatMul for MatMul_*
}

func (n nesting) parents(name string) []string {
	if n.kind == record.Scope {
		if caller, ok := n.caller(name); ok {
			return []string{caller}
		}
	}
	if family, ok := strings.CutSuffix(name, Iteration); ok {
		return n.sizes(family)
	}
	for i, step := range modelSteps {
		model, ok := strings.CutSuffix(name, step)
		if !ok || !strings.HasPrefix(model, "Model_") {
			continue
		}
		for _, outer := range modelSteps[i+1:] {
			if n.names[model+outer] {
				return []string{model + outer}
			}
		}
	}
	return nil
}

// caller returns the longest proper prefix of a call path among the names.
func (n nesting) caller(name string) (string, bool) {
	for i := strings.LastIndexByte(name, '/'); i > 0; i = strings.LastIndexByte(name[:i], '/') {
		if n.names[name[:i]] {
			return name[:i], true
		}
	}
	return "", false
}

// sizes returns the rows for a kernel's sizes, the parents of its _Iteration.
func (n nesting) sizes(family string) []string {
	first, _, _ := strings.Cut(family, "_")
	var in []string
	for _, other := range n.byFirst[first] {
		size, ok := strings.CutPrefix(other, family+"_")
		if !ok || size == "" || strings.HasSuffix(other, Iteration) {
			continue
		}
		if n.kind == record.Scope || '0' <= size[0] && size[0] <= '9' {
			in = append(in, other)
		}
	}
	return in
}

// Iteration is the name suffix for a single kernel call of any size.
const Iteration = "_Iteration"

// modelSteps lists the suffixes of a model's rows. Each row is contained in the next.
var modelSteps = []string{"_Forward", "_GenerateToken", "_Inference"}

// Leaf returns the last element of a call path, or the whole name in a profile without paths.
func Leaf(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }
