package scopes

import (
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/format/bounds"
)

// A program is a known program that writes profile reports. parents maps each of its scopes to the
// scope that contains it. The call hierarchy in a report lists only the five hottest methods. If
// names depended on it alone, a method would begin a new series whenever it entered or left the
// list.
type program struct {
	suite   string
	mark    string // a method that only this program has
	parents map[string]string
	several map[string][]string // the parents of each method with several parents
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

// entryPoint is the parent of an outermost method.
const entryPoint = ""

// A caller is a line in a call hierarchy.
type caller struct {
	name  string
	calls int
}

// callPaths finds the callers of the methods in a report.
type callPaths struct {
	callers map[string][]caller // callers according to the report; empty for an entry point
	known   program             // the program that wrote the report
}

// parent returns the scope that makes all calls to a method. ok is false if several scopes call the
// method or if its callers are unknown.
func (p callPaths) parent(name string, calls int) (parent string, ok bool) {
	callers, ok := p.callers[name]
	switch {
	case !ok:
		parent, ok = p.known.parents[name]
		return parent, ok
	case len(callers) == 0:
		return entryPoint, true
	}
	return callers[0].name, len(callers) == 1 && callers[0].calls == calls && callers[0].name != name
}

// path returns the call path of a method, or just its name if a parent on the path is unknown.
func (p callPaths) path(ms *methods, name string) string {
	path, size, on := []string{}, 0, name
	for size <= bounds.MaxName { // also stops if the callers form a cycle
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

// selfTimes returns each method's time per call outside the scopes it contains. It returns nil if
// any method has no time or if its parents are unknown, because a method with unknown parents could
// be inside any other.
func (p callPaths) selfTimes(ms *methods) map[*method]float64 {
	inside := make(map[string]figure) // total time of each method's children
	shared := make(map[string]bool)   // methods with a child that has several parents
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
		case !ok && len(p.known.several[m.row.name])+len(p.callers[m.row.name]) == 0:
			return nil
		case !ok:
			for _, in := range p.known.several[m.row.name] {
				shared[in] = true
			}
			for _, c := range p.callers[m.row.name] {
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
			continue // the scopes ran concurrently
		}
		self[m] = max(rest, 0) / n
	}
	return self
}
