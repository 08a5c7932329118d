package naming

import (
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// Nesting returns which of the rows of one kind directly contain each of the
// others, by their names: the time of a row is also in the time of its parents,
// so a change in it is one change and not several. A row that stands on its own
// has no entry. Parents are sorted. The rules, the first that fits:
//
//   - Of scopes, a call path lies in its longest beginning that is a name: A/B/C
//     in A/B, else in A. The parts of a benchmark's name contain nothing.
//   - X_Iteration lies in every other X_* (MatMul_Iteration in MatMul_64x64,
//     MatMul_128x128...): its time is spread over all of them. Of benchmarks
//     only in those whose name goes on with a size, as in our own suites.
//   - Model_M_Forward lies in Model_M_GenerateToken, and that in
//     Model_M_Inference; where one is missing, in the next.
//
// It needs no more than names, which is all that the store keeps of a nesting.
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

// CallPaths returns what lies in what by call paths alone: of the first rule.
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

type nesting struct {
	kind    record.Kind
	names   map[string]bool
	byFirst map[string][]string // by the first word: MatMul of MatMul_*
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

// caller is the longest beginning of a call path that is a name.
func (n nesting) caller(name string) (string, bool) {
	for i := strings.LastIndexByte(name, '/'); i > 0; i = strings.LastIndexByte(name[:i], '/') {
		if n.names[name[:i]] {
			return name[:i], true
		}
	}
	return "", false
}

// sizes returns the rows of a kernel's family, which its _Iteration lies in.
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

const Iteration = "_Iteration"

// modelSteps are the rows of a model's run, each inside the next.
var modelSteps = []string{"_Forward", "_GenerateToken", "_Inference"}

// Leaf is the last element of a call path: what a profile without paths has as
// the whole name.
func Leaf(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }
