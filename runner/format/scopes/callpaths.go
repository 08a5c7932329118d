package scopes

import (
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/format/bounds"
)

// A program is one that is known to write profile reports. Its parents say where its
// scopes are: the call hierarchy of a report lists only the five hottest methods, and a
// method whose name depended on being among them would have a new series whenever
// another one got faster.
type program struct {
	suite   string
	mark    string // the method that only this program has
	parents map[string]string
	several map[string][]string // the parents of a method that has no one place
}

var programs = []program{
	{"standard", "InferenceComplete", map[string]string{
		"ModelCreation":     entryPoint,
		"BuilderSetup":      "ModelCreation",
		"InferenceComplete": entryPoint,
		"PrepareInput":      "InferenceComplete",
		"GenerateToken":     "InferenceComplete",
		"ForwardPass":       "GenerateToken",
		"SampleToken":       "GenerateToken",
		"ApplyTemperature":  "SampleToken",
		"Softmax":           "SampleToken",
		"MultinomialSample": "SampleToken",
	}, nil},
	{"deep", "Transformer_Forward", map[string]string{
		"Transformer_ModelCreation": entryPoint,
		"Inference":                 entryPoint,
		"GenerateToken":             "Inference",
		"Transformer_Forward":       "GenerateToken",
		"MatMul_128x128":            entryPoint,
		"MatMul_256x256":            entryPoint,
		"MatMul_512x512":            entryPoint,
	}, map[string][]string{
		"MatMul_Iteration": {"MatMul_128x128", "MatMul_256x256", "MatMul_512x512"},
	}},
}

// entryPoint is the parent of a method that nothing contains.
const entryPoint = ""

// A caller is a line of a call hierarchy.
type caller struct {
	name  string
	calls int
}

// callPaths knows where the methods of a report are called from.
type callPaths struct {
	told  map[string][]caller // what the report says; no caller is an entry point
	known program             // that wrote it
}

// parent returns the one scope that contains all calls of a method. ok is false where
// it is not known or there are several.
func (p callPaths) parent(name string, calls int) (parent string, ok bool) {
	callers, told := p.told[name]
	switch {
	case !told:
		parent, ok = p.known.parents[name]
		return parent, ok
	case len(callers) == 0:
		return entryPoint, true
	}
	return callers[0].name, len(callers) == 1 && callers[0].calls == calls && callers[0].name != name
}

// path returns the call path of a method, and its bare name where a parent on the way
// is not known.
func (p callPaths) path(ms *methods, name string) string {
	path, size, on := []string{}, 0, name
	for size <= bounds.MaxName { // callers in a circle end here, too
		path, size = append(path, on), size+len(on)+1
		m, ok := ms.byName[on]
		if !ok {
			return name
		}
		parent, ok := p.parent(on, m.row.calls)
		if !ok {
			return name
		}
		if parent == entryPoint {
			slices.Reverse(path)
			return strings.Join(path, "/")
		}
		on = parent
	}
	return name
}

// selfTimes returns the time per call that a method spends outside the scopes in it.
// That needs the place of every method of the report: one of unknown place could be in
// any other.
func (p callPaths) selfTimes(ms *methods) map[*method]float64 {
	inside := make(map[string]figure) // of a method, its children's times
	shared := make(map[string]bool)   // a child of theirs is in others, too
	for _, m := range ms.ordered {
		if len(m.perCall) == 0 {
			return nil
		}
		parent, ok := p.parent(m.row.name, m.row.calls)
		switch {
		case ok && parent != entryPoint:
			t, f := inside[parent], finest(m.perCall)
			n := float64(m.row.calls)
			inside[parent] = figure{t.value + f.value*n, t.step + f.step*n}
		case !ok && len(p.known.several[m.row.name])+len(p.told[m.row.name]) == 0:
			return nil
		case !ok:
			for _, in := range p.known.several[m.row.name] {
				shared[in] = true
			}
			for _, c := range p.told[m.row.name] {
				shared[c.name] = true
			}
		}
	}
	self := make(map[*method]float64)
	for _, m := range ms.ordered {
		if shared[m.row.name] {
			continue
		}
		in, f, n := inside[m.row.name], finest(m.perCall), float64(m.row.calls)
		rest := f.value*n - in.value
		if rest < -(f.step*n + in.step) {
			continue // scopes that ran at the same time
		}
		self[m] = max(rest, 0) / n
	}
	return self
}
