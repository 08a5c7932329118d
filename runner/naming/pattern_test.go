package naming

import (
	"regexp"
	"strings"
	"testing"
)

// testingRuns reports whether package testing runs the named benchmark for an expression: each
// level of one of the alternatives must match the same level of the name.
func testingRuns(expr, name string) bool {
	levels := strings.Split("Benchmark"+name, "/")
	for _, alt := range splitOutside(expr, '|') {
		all := true
		for i, part := range splitOutside(alt, '/') {
			all = all && i < len(levels) && regexp.MustCompile(part).MatchString(levels[i])
		}
		if all {
			return true
		}
	}
	return false
}

// An expression selects the same benchmarks whether a command matches the names of stored results
// or lets package testing match. This holds at any GOMAXPROCS. The names here are those at
// GOMAXPROCS 1; the last column is for GOMAXPROCS 4, where results have the suffix -4.
func TestPattern(t *testing.T) {
	for _, tt := range []struct {
		expr, name string
		want       bool // selected at GOMAXPROCS 1, by the result's name and by package testing
		shown      bool // selected at GOMAXPROCS 4, by the printed name and by package testing
	}{
		{"", "Sort/n=10", true, true},
		{".", "Sort", true, true},
		{"Sort", "Sort", true, true},
		{"Sort", "Sort/n=10", true, true},
		{"sort", "Sort", false, false},
		{"^Sort", "Sort", true, true},
		{"^Sort", "QuickSort", false, false},
		{"^BenchmarkSort", "Sort", true, true},
		{"^BenchmarkSort$", "SortStable", false, false},
		{"^Sort$", "Sort/n=10", true, true},
		{"^Sort$", "SortStable", false, false},
		{"Benchmark", "Sort", true, true},
		{"Sort/n", "Sort/n=10", true, true},
		{"Sort/n=10$", "Sort/n=10", true, true},
		{"Sort/n=10$", "Sort/n=100", false, false},
		{"^Sort/n=.*/kind=up", "Sort/n=10/kind=up", true, true},
		{"Sort/.*/x", "Sort/a/x", true, true},
		{"Sort/.*/x", "Sort/a/y", false, false},
		{"n=10", "Sort/n=10", false, false}, // as in go test, the first level is the function
		{"/n=10", "Sort/n=10", true, true},
		{"Sort|Search/a", "Search/a", true, true},
		{"Sort|Search/a", "Search/b", false, false},
		{"(MatMul|GELU)_", "GELU_1000", true, true},
		{"[/|]x|Sort", "Sort", true, true},
		{"Sort-4", "Sort", false, true},
		{"Sort-4$", "Sort", false, true},
		{"^Sort-4$", "Sort", false, true},
		{"Sort-2", "Sort", false, false},
		{"Sort/n=10-4", "Sort/n=10", false, true},
		{"Sort/n=10-4$", "Sort/n=100", false, false},
		{"Sort/n=10-4", "Sort/n=100", false, false},
		{"Sort/n-4", "Sort/n-4", true, true}, // -4 is part of its own name
		{"Sort/.*-4", "Sort/n=10", false, true},
		{"Sort/(a|b)-4", "Sort/b", false, true},
	} {
		p, err := ParsePattern(tt.expr)
		if err != nil {
			t.Fatalf("ParsePattern(%q): %v", tt.expr, err)
		}
		if got := p.Matches(tt.name); got != tt.want {
			t.Errorf("%q selects the results of %s: %v", tt.expr, tt.name, got)
		}
		if got := p.Matches(tt.name) || p.Matches(tt.name+"-4"); got != tt.shown {
			t.Errorf("%q selects the results of %s-4: %v", tt.expr, tt.name, got)
		}
		function, _, _ := strings.Cut(tt.name, "/")
		for procs, want := range map[int]bool{1: tt.want, 4: tt.shown} {
			expr, ok := p.ForFunction(function, procs)
			if got := ok && testingRuns(expr, tt.name); got != want {
				t.Errorf("%q runs %s at %d: %v, by %q", tt.expr, tt.name, procs, got, expr)
			}
			if !ok && expr != "" {
				t.Errorf("%q of %s is none and %q", tt.expr, function, expr)
			}
		}
	}
	for _, bad := range []string{"(", "Sort/[", "a|*"} {
		if _, err := ParsePattern(bad); err == nil {
			t.Errorf("ParsePattern(%q): no error", bad)
		}
	}
}

func TestPatternNearest(t *testing.T) {
	functions := []string{"Sort", "SortStable", "Search", "MatMul_64x64"}
	for expr, want := range map[string]string{
		"Srot":              ": did you mean Sort?",
		"^BenchmarkSrot$":   ": did you mean Sort?",
		"sort":              ": did you mean Sort, SortStable?",
		"^Stable":           ": did you mean SortStable?",
		"matmul/a":          ": did you mean MatMul_64x64?",
		"Serach|Srot":       ": did you mean Search, Sort?",
		"Nothing":           "",
		"^[x]$":             "",
		"":                  "",
		"(":                 "",
		"Quicksort-4":       "",
		"Sort/a|MatMull_64": ": did you mean Sort, SortStable?",
	} {
		p, _ := ParsePattern(expr)
		if got := p.Nearest(functions); got != want {
			t.Errorf("near %q%q, want %q", expr, got, want)
		}
	}
}
