package scopes

import "testing"

// A call hierarchy that goes in circles, or on without end, ends as a bare name.
func TestCallPaths(t *testing.T) {
	ms := newMethods("f", nil)
	told := map[string][]caller{}
	for i, n := range []string{"A", "B", "C", "D", "E", "F"} {
		ms.add(row{name: n, calls: 2}, nil, i+1, 1)
	}
	told["A"] = nil
	told["B"] = []caller{{"A", 2}}
	told["C"] = []caller{{"D", 2}}
	told["D"] = []caller{{"C", 2}}
	told["E"] = []caller{{"A", 1}} // and once from nowhere
	told["F"] = []caller{{"F", 2}}
	paths := callPaths{told: told}
	for name, want := range map[string]string{"A": "A", "B": "A/B", "C": "C", "D": "D", "E": "E", "F": "F"} {
		if got := paths.path(ms, name); got != want {
			t.Errorf("path(%s) = %s, want %s", name, got, want)
		}
	}
}
