package compare

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// A rule's direction wins over the program's and perftrack's own. Without any, a change is neither
// better nor worse, and the row tells how to declare a direction.
func TestRuledDirection(t *testing.T) {
	for _, tt := range []struct {
		unit, declared string
		rule           int
		want           Verdict // for an increase
		noted          bool
	}{
		{"Percent", "", 0, Changed, true},
		{"Percent", "", -1, Regressed, false},
		{"Percent", "", +1, Improved, false},
		{"Percent", "better=higher", 0, Improved, false},
		{"Percent", "better=higher", -1, Regressed, false},
		{"tok/s", "", -1, Regressed, false},
		{"ns/op", "", +1, Improved, false},
	} {
		side := func(s record.Side, value float64) Side {
			text := "Unit " + tt.unit + " " + tt.declared + "\n" + runtest.Vary(20, "X", 1, value, tt.unit)
			if tt.declared == "" {
				_, text, _ = strings.Cut(text, "\n")
			}
			r := runtest.Read(t, text)
			r.Trial, r.Side = "t", s
			for i := range r.Benchmarks[0].Rounds {
				r.Benchmarks[0].Rounds[i].N = i + 1
			}
			pairs.SetDecision(r)
			return Side{Runs: []*record.Run{r}}
		}
		c := Compare(side(record.Base, 100), side(record.Head, 200), Options{Better: func(bench, unit string) int {
			if bench != "X" || unit != tt.unit {
				t.Errorf("asked for %s of %s", unit, bench)
			}
			return tt.rule
		}})
		for r := range c.Rows() {
			noted := false
			for _, n := range r.Notes {
				noted = noted || n.Code == CodeDirection
			}
			if r.Verdict != tt.want || noted != tt.noted || c.Options.Better == nil {
				t.Errorf("%s %s by rule %+d: %q, noted %v, want %q, %v", tt.unit, tt.declared, tt.rule, r.Verdict, noted, tt.want, tt.noted)
			}
		}
	}
}
