package naming

import (
	"strings"
	"testing"
)

// A rule's glob matches a benchmark at every GOMAXPROCS or, if it ends in -N, at just one.
func TestMatchesBenchmark(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"Sort", "Sort", true}, {"Sort", "Sort-4", true}, {"Sort-4", "Sort-4", true}, {"Sort-4", "Sort", false}, {"Sort-4", "Sort-2", false},
		{"Sort", "SortStable-4", false}, {"Sort/n=1", "Sort/n=10-4", false}, {"Sort/*=10", "Sort/n=10-4", true}, {"Sort", "Sort-x", false},
	} {
		if got := MatchesBenchmark(tt.pattern, tt.name); got != tt.want {
			t.Errorf("MatchesBenchmark(%q, %q) = %v", tt.pattern, tt.name, got)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"", "", true}, {"", "a", false}, {"*", "", true}, {"*", "a/b", true}, {"**", "a", true},
		{"a*", "a", true}, {"*a", "ba", true}, {"a*b*c", "a1b2b3c", true}, {"a*b*c", "a1b2b3", false},
		{"?", "é", true}, {"?", "", false}, {"a?c", "abc", true}, {"[a]", "[a]", true}, {"[a]", "a", false},
		{"*é?", "aéb", true}, {strings.Repeat("a*", 40) + "b", strings.Repeat("a", 4000), false},
	} {
		if got := Matches(tt.pattern, tt.name); got != tt.want {
			t.Errorf("Matches(%.20q, %.20q) = %v", tt.pattern, tt.name, got)
		}
	}
}
