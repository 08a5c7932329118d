package digest

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// trial compares made-up rounds. Each line gives a benchmark, a unit, and the ratio of head to
// base. The noise is less than a tenth of a percent.
func trial(t *testing.T, rounds int, lines ...string) *compare.Comparison {
	t.Helper()
	side := func(s record.Side) *record.Run {
		text := "pkg: example.com/p\n"
		for _, line := range lines {
			var name, unit string
			var factor float64
			if _, err := fmt.Sscan(line, &name, &unit, &factor); err != nil {
				t.Fatal(err)
			}
			if s == record.Base {
				factor = 1
			}
			for round := range rounds {
				text += fmt.Sprintf("round: %d\nBenchmark%s 100 %g %s\n", round+1, name, 1000*factor*(1+1e-4*float64((7*round+len(s))%10)), unit)
			}
		}
		r := &record.Run{}
		if len(lines) > 0 {
			r = runtest.Parse(t, text)[0]
		}
		r.Target, r.Trial, r.Side, r.Status = "m", "t", s, record.Complete
		r.Commit.SHA = strings.Repeat(string(s[0]), 40)
		pairs.SetDecision(r)
		r.Protocol.Procedure = pairs.ProcedureCheck
		return r
	}
	return compare.Compare(compare.Side{Runs: []*record.Run{side(record.Base)}}, compare.Side{Runs: []*record.Run{side(record.Head)}}, compare.Options{})
}

// A benchmark counts once, with the worst verdict of its units; accepted and nested changes have
// separate verdicts.
func TestOf(t *testing.T) {
	type counts = map[compare.Verdict]int
	accept := func(name string) gates.Options {
		return gates.Options{Accepted: func(r *compare.Row) bool { return r.Name == name }}
	}
	for _, tt := range []struct {
		name     string
		rounds   int
		lines    []string
		policy   gates.Options
		change   func(*compare.Comparison)
		counts   counts
		gate     gates.Result
		worst    string
		standing Standing
	}{
		{"nothing", 20, nil, accept(""), nil, counts{}, gates.NoResult, "", Standing{}},
		{"one of each", 20, []string{"A ns/op 1.5", "B ns/op 0.5", "C ns/op 1"}, accept(""), nil,
			counts{compare.Regressed: 1, compare.Improved: 1, compare.Unchanged: 1}, gates.Fail, "A", Standing{Benchmarks: 3, Regressed: 1, Decided: 2}},
		{"the largest of two", 20, []string{"A ns/op 1.5", "B ns/op 3"}, accept(""), nil,
			counts{compare.Regressed: 2}, gates.Fail, "B", Standing{Benchmarks: 2, Regressed: 2}},
		{"allocations are not the worst", 20, []string{"A allocs/op 9", "B ns/op 1.5"}, accept(""), nil,
			counts{compare.Regressed: 2}, gates.Fail, "B", Standing{Benchmarks: 2, Regressed: 2}},
		{"accepted", 20, []string{"A ns/op 1.5", "B ns/op 1"}, accept("A"), nil,
			counts{Accepted: 1, compare.Unchanged: 1}, gates.Pass, "", Standing{Benchmarks: 2, Accepted: 1, Decided: 1}},
		{"the other one accepted", 20, []string{"A ns/op 1.5", "B ns/op 1.2"}, accept("A"), nil,
			counts{Accepted: 1, compare.Regressed: 1}, gates.Fail, "B", Standing{Benchmarks: 2, Accepted: 1, Regressed: 1}},
		{"worse in a unit, better in another", 20, []string{"A ns/op 0.5", "A B/op 2"}, accept(""), nil,
			counts{compare.Regressed: 1}, gates.Fail, "A", Standing{Benchmarks: 1, Regressed: 1}},
		{"too few rounds", 3, []string{"A ns/op 1.5", "B ns/op 1"}, accept(""), nil,
			counts{compare.NotChecked: 2}, gates.NoResult, "", Standing{Benchmarks: 2, Undecided: 2}},
		{"a unit nobody judges", 20, []string{"A ns/op 1", "A widgets 2"}, accept(""), nil,
			counts{compare.Changed: 1}, gates.Pass, "", Standing{Benchmarks: 1, Decided: 1}},
		{"some got no round", 20, []string{"A ns/op 1"}, accept(""), func(c *compare.Comparison) {
			c.Starved = []compare.Starved{{Target: "m", Benchmarks: 5, Rounds: 15}}
		}, counts{compare.NotChecked: 5, compare.Unchanged: 1}, gates.NoResult, "", Standing{Benchmarks: 1, Decided: 1}},
	} {
		c := trial(t, tt.rounds, tt.lines...)
		if tt.change != nil {
			tt.change(c)
		}
		d := Of(c, tt.policy)
		worst := ""
		if d.Worst != nil {
			worst = d.Worst.Name
		}
		if !maps.Equal(d.Counts, tt.counts) || d.Gate.Result != tt.gate || worst != tt.worst || d.Standing() != tt.standing {
			t.Errorf("%s: %v, %s, worst %q, %+v; want %v, %s, %q, %+v", tt.name, d.Counts, d.Gate.Result, worst, d.Standing(), tt.counts, tt.gate, tt.worst, tt.standing)
		}
	}
}

func TestOfLeftOut(t *testing.T) {
	c := trial(t, 20, "A ns/op 1")
	c.Same = []compare.SameCode{{Target: "m", Package: "p", Benchmarks: 3}, {Target: "n", Package: "q", Benchmarks: 4}}
	c.Unreached = []compare.Unreached{{Target: "m", Package: "r", Benchmarks: 2}}
	gone := compare.OneSided{Target: "m", BenchmarkID: record.BenchmarkID{Name: "Gone"}}
	unit := gone
	unit.Unit = "B/op"
	c.Missing, c.New, c.Cut = []compare.OneSided{gone, unit}, []compare.OneSided{gone, gone, unit}, []compare.OneSided{unit}
	d := Of(c, gates.Options{})
	if d.SameCode != 7 || d.Unreached != 2 || d.New != 2 || d.Cut != 0 || d.Missing != c.CountMissing() || d.Measured != 1 {
		t.Errorf("%+v", d)
	}
}

// Every verdict of a row has a distinct severity.
func TestSeverity(t *testing.T) {
	seen := map[int]compare.Verdict{}
	for _, v := range append(append([]compare.Verdict{}, compare.Verdicts...), Accepted, Nested, compare.NoVerdict) {
		if other, twice := seen[Severity(v)]; twice {
			t.Errorf("%q and %q are as severe", v, other)
		}
		seen[Severity(v)] = v
	}
	if len(seen) != len(severity)+1 {
		t.Errorf("%d verdicts, %d with a severity", len(seen)-1, len(severity))
	}
}
