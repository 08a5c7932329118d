package documents

import (
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/digest"
)

// Every verdict must have its own look and group, including verdicts added later.
func TestEachVerdictHasAGroup(t *testing.T) {
	count := map[string]int{}
	for _, g := range Groups() {
		count[g.Key]++
	}
	for _, v := range append([]compare.Verdict{digest.Accepted}, compare.Verdicts...) {
		if count[string(v)] != 1 {
			t.Errorf("%q is in %d groups: it belongs in verdicts of looks.go once", v, count[string(v)])
		}
	}
	if want := len(verdicts) + len(withoutVerdict); len(count) != want {
		t.Errorf("%d groups, want %d", len(count), want)
	}
}

func TestStatesOfRowsAreLooks(t *testing.T) {
	for i, s := range States {
		if s.Unresolved && !s.Worse || s.Worse && !s.Telling || i > 0 && s.Telling && !States[i-1].Telling {
			t.Errorf("%+v is out of order", s)
		}
	}
}
