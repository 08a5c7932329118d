package compare

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// scopes returns a side with one profile. Each word has the form name=calls*ms.
func scopes(t testing.TB, words string) Side {
	t.Helper()
	return Side{Runs: []*record.Run{runtest.Scopes(t, words)}}
}

func changes(table *Table) string {
	var out []string
	for _, c := range table.Changes() {
		s := c.Row.Name
		for _, w := range c.With {
			s += "+" + w.Name
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestChanges(t *testing.T) {
	for _, tt := range []struct{ name, base, head, want string }{
		{"nothing", "A=1*10 A/B=1*9", "A=1*10.4 A/B=1*9.4", ""},
		{"the deepest explains", "A=1*10 A/B=5*1.9 A/B/C=5*1.8", "A=1*20 A/B=5*3.9 A/B/C=5*3.8", "A/B/C+A+A/B"},
		{"both parts explain", "A=1*10 A/B=1*4 A/C=1*5", "A=1*14 A/B=1*5.5 A/C=1*7.5", "A/B A/C+A"},
		{"the outer's own", "A=1*10 A/B=1*1", "A=1*20 A/B=1*2", "A A/B"},
		{"opposite", "A=1*10 A/B=1*5", "A=1*20 A/B=1*3", "A A/B"},
		{"a child alone", "A=1*100 A/B=1*2", "A=1*101 A/B=1*3", "A/B"},
		{"a mixture explains nothing", "K_1=1*1 K_2=1*100 K_Iteration=6*16", "K_1=1*2 K_2=1*200 K_Iteration=6*33", "K_1 K_2+K_Iteration"},
		{"a mixture of one", "K_2=1*100 K_Iteration=6*16", "K_2=1*200 K_Iteration=6*33", "K_Iteration+K_2"},
		{"a mixture whose parts stayed", "K_1=1*100 K_2=1*100 K_Iteration=2*1", "K_1=1*101 K_2=1*101 K_Iteration=2*2", "K_Iteration"},
		{"fewer calls", "A=1*10 A/B=10*0.9", "A=1*5 A/B=10*0.4", "A/B+A"},
	} {
		c := Compare(scopes(t, tt.base), scopes(t, tt.head), Options{})
		if got := changes(&c.Tables[0]); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// One benchmark's operation contains an unknown number of another benchmark's operations.
func TestChangesOfBenchmarks(t *testing.T) {
	base := "Model_S_Inference ns/op 100 101 102 103 104 105 106 107 108 109\nModel_S_Forward ns/op 10 10.1 10.2 10.3 10.4 10.5 10.6 10.7 10.8 10.9"
	head := "Model_S_Inference ns/op 200 201 202 203 204 205 206 207 208 209\nModel_S_Forward ns/op 20 20.1 20.2 20.3 20.4 20.5 20.6 20.7 20.8 20.9"
	b, h := trial(t, base, head)
	c := Compare(b, h, Options{})
	if got := changes(&c.Tables[0]); got != "Model_S_Forward+Model_S_Inference" || c.Count(Regressed) != 2 || c.Folded(Regressed) != 1 {
		t.Errorf("changes %q, %d regressed, %d folded", got, c.Count(Regressed), c.Folded(Regressed))
	}
}

// For any tree and any times, every row that moved belongs to exactly one change, under a row that
// moved the same way.
func TestEveryMoveIsInOneChange(t *testing.T) {
	names := []string{"A", "A/B", "A/B/C", "A/D", "K_1", "K_2", "K_Iteration", "K_Iteration/E", "Model_S_Inference", "Model_S_GenerateToken", "Model_S_Forward"}
	rapid.Check(t, func(rt *rapid.T) {
		side := func() Side {
			var words []string
			for _, n := range names {
				if rapid.IntRange(0, 4).Draw(rt, "there") > 0 {
					words = append(words, fmt.Sprintf("%s=%d*%g", n, rapid.IntRange(1, 3).Draw(rt, "calls"), rapid.Float64Range(0.001, 9).Draw(rt, "ms")))
				}
			}
			return scopes(t, strings.Join(append(words, "Z=1*1"), " "))
		}
		c := Compare(side(), side(), Options{})
		table := &c.Tables[0]
		seen := map[*Row]int{}
		for _, change := range table.Changes() {
			for _, r := range append([]*Row{change.Row}, change.With...) {
				seen[r]++
				if r.moved() != change.Row.moved() || r.moved() == 0 {
					rt.Errorf("%s did not move with %s", r.Name, change.Row.Name)
				}
			}
		}
		for _, r := range table.Rows {
			if want := map[bool]int{true: 1}[r.moved() != 0]; seen[r] != want {
				rt.Errorf("%s is in %d changes, want %d", r.Name, seen[r], want)
			}
		}
	})
}
