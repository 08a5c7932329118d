package workspace

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/naming"
)

// A command about one benchmark accepts an expression for exactly one.
func TestSelectedOne(t *testing.T) {
	names := []string{"32Sizes", "32Sizes/1", "32Sizes/32", "Sort", "SortStable", "X"}
	for _, tt := range []struct{ bench, want, err string }{
		{"^X$", "X", ""},
		{"^BenchmarkX", "X", ""},
		{"^32Sizes$/^3", "32Sizes/32", ""},
		{"Stable$", "SortStable", ""},
		{"^Sort", "", `2 benchmarks match "^Sort", but exactly one must: Sort, SortStable`},
		{"^32Sizes", "", `2 benchmarks match "^32Sizes", but exactly one must: 32Sizes/1, 32Sizes/32`},
		{"Stabel$", "", `no benchmark matches "Stabel$"`},
	} {
		pattern, err := naming.ParsePattern(tt.bench)
		if err != nil {
			t.Fatal(err)
		}
		got, err := selectedOne(pattern, tt.bench, names)
		if got != tt.want || (err != nil) != (tt.err != "") || err != nil && !strings.HasPrefix(err.Error(), tt.err) {
			t.Errorf("%s: %q, %v", tt.bench, got, err)
		}
	}
}

// An expression for a single benchmark, as shown in messages, is recognized as the benchmark's
// name.
func TestLiteral(t *testing.T) {
	for bench, want := range map[string]string{
		"^Benchmark32Sizes$/^32$": "32Sizes/32",
		"^BenchmarkInfo$":         "Info",
		"^Sort$/^n=10$":           "Sort/n=10",
		`^Sort$/^a\.b$`:           "Sort/a.b",
		"^Sort":                   "",
		"Sort$":                   "",
		"^So.t$":                  "",
		"^A$|^B$":                 "",
	} {
		if got, ok := literal(bench); got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v", bench, got, ok)
		}
	}
}

// A plain word is taken as a name if it is the name of a known benchmark or of a sub-benchmark of
// one, or if it matches no known name and may belong to another commit. A word that is only part of
// known names is an expression.
func TestIsName(t *testing.T) {
	names := []string{"32Sizes", "32Sizes/1", "DigestBytes", "DigestString"}
	for word, want := range map[string]bool{
		"32Sizes": true, "32Sizes/7": true, "DigestBytes-4": true, "Gone": true, "Digest": false, "String": false,
	} {
		pattern, err := naming.ParsePattern(word)
		if err != nil {
			t.Fatal(err)
		}
		if got := isName(word, pattern, names); got != want {
			t.Errorf("%s: %v", word, got)
		}
	}
}
