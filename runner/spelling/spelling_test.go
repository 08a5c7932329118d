package spelling

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	words := []string{"bench", "benchtime", "budget", "run", "ask", "db", "threshold", "GELU_1000", "list", "history"}
	for _, tt := range []struct{ typed, want string }{
		{"bnech", "bench"},
		{"bench", "bench"},
		{"benchtme", "benchtime"},
		{"budgt", "budget"},
		{"rnu", "run"},
		{"RUN", "run"},
		{"gelu_100", "GELU_1000"},
		{"thresh", "threshold"}, // many edits away, but a prefix
		{"hist", "history"},     // although list is only one edit away
		{"t", ""},               // too short to guess
		{"xy", ""},
		{"xyz", ""},
		{"", ""},
		{"entirely else", ""},
		{strings.Repeat("run", 1e6), ""}, // must return at once
	} {
		if got := Nearest(tt.typed, words); got != tt.want {
			t.Errorf("Nearest(%.20q) = %q, want %q", tt.typed, got, tt.want)
		}
	}
}

func TestEdits(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "ab", 2}, {"run", "run", 0}, {"rnu", "run", 1}, {"rn", "run", 1}, {"runn", "run", 1},
		{"ran", "run", 1}, {"kitten", "sitting", 3}, {"abcdef", "ab", 3}, {"abab", "baba", 2},
	} {
		if got := edits(tt.a, tt.b); got != tt.want {
			t.Errorf("edits(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := edits(tt.b, tt.a); got != tt.want {
			t.Errorf("edits(%q, %q) = %d, want %d", tt.b, tt.a, got, tt.want)
		}
	}
}
