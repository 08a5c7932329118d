package naming

import (
	"strings"
	"testing"
)

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
