package scopes

import "testing"

// A method keeps its bare name if its callers form a cycle or do not account for all of its calls.
func TestCallPaths(t *testing.T) {
	ms := newMethods("f", nil)
	callers := map[string][]caller{}
	for i, n := range []string{"A", "B", "C", "D", "E", "F"} {
		ms.add(row{name: n, calls: 2}, nil, i+1, 1)
	}
	callers["A"] = nil
	callers["B"] = []caller{{"A", 2}}
	callers["C"] = []caller{{"D", 2}}
	callers["D"] = []caller{{"C", 2}}
	callers["E"] = []caller{{"A", 1}} // and one call from an unknown caller
	callers["F"] = []caller{{"F", 2}}
	paths := callPaths{callers: callers}
	for name, want := range map[string]string{"A": "A", "B": "A/B", "C": "C", "D": "D", "E": "E", "F": "F"} {
		if got := paths.path(ms, name); got != want {
			t.Errorf("path(%s) = %s, want %s", name, got, want)
		}
	}
}
