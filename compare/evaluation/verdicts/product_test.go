package verdicts

import (
	"math"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/evaluation"
	"github.com/perftrack/perftrack/compare/evaluation/figures"
	"github.com/perftrack/perftrack/compare/evaluation/noise"
)

// The tables count the verdicts that the commands would give: on the same draws, Procedure and
// Product agree on verdicts, rounds and shifts, in checks and in trials of fixed length.
func TestProductIsTheProcedure(t *testing.T) {
	for _, s := range []Scenario{
		{CV: []float64{0.03}, Drift: 0.25, Effect: 0.05},
		{CV: []float64{0.003, 0.01, 0.03, 0.1}, Drift: 0.25, Effect: -0.03},
	} {
		for _, fixed := range []bool{false, true} {
			procedure, product := new(Procedure), &Product{Fixed: fixed}
			p := newPullRequest(s)
			if fixed {
				procedure.Fixed = p.Rounds
			}
			want, got := make([]Outcome, p.Benchmarks), make([]Outcome, p.Benchmarks)
			for i := range 10 {
				p.draw(9, uint64(i), false)
				procedure.Judge(p, want)
				product.Judge(p, got)
				for b := range want {
					same := math.Abs(got[b].Shift.Lo-want[b].Shift.Lo) < 1e-12 && math.Abs(got[b].Shift.Hi-want[b].Shift.Hi) < 1e-12
					if got[b].Verdict != want[b].Verdict || got[b].Rounds != want[b].Rounds || got[b].Need != want[b].Need || !same {
						t.Fatalf("fixed %v, benchmark %d:\n got %+v\nwant %+v", fixed, b, got[b], want[b])
					}
				}
			}
		}
	}
}

// Each verdict occurs in the scenarios chosen for it: in checks, in trials of fixed length, and for
// unpaired runs.
func TestSimulateVerdicts(t *testing.T) {
	of := func(cv, effect float64) Scenario { return Scenario{CV: []float64{cv}, Drift: 0.25, Effect: effect} }
	check, fixed, unpaired := Product{}, Product{Fixed: true, Rounds: 30}, Product{Unpaired: true}
	rounds := func(p Product, n int) Product { p.Rounds = n; return p }
	unit := func(p Product, unit string) Product { p.Unit = unit; return p }
	oneLayout := func(p Product) Product { p.OneLayout = true; return p }
	for _, tt := range []struct {
		name string
		Product
		Scenario
		want  compare.Verdict
		least float64 // smallest share of the subjects with that verdict
	}{
		{"check, slower", check, of(0.01, 0.1), compare.Regressed, 1},
		{"check, faster", check, of(0.01, -0.1), compare.Improved, 1},
		{"check, another unit", unit(check, "widgets"), of(0.01, 0.1), compare.Changed, 1},
		{"check, the same", check, of(0.01, 0), compare.Unchanged, 0.95},
		{"check, noise", check, of(0.1, 0), compare.Inconclusive, 0.8},
		{"check, too short", rounds(check, 9), of(0.01, 0.1), compare.NotChecked, 1},
		{"check, one layout", oneLayout(check), of(0.01, 0.1), compare.Suspect, 1},
		{"fixed, slower", fixed, of(0.01, 0.1), compare.Regressed, 1},
		{"fixed, faster", fixed, of(0.01, -0.1), compare.Improved, 1},
		{"fixed, another unit", unit(fixed, "widgets"), of(0.01, 0.1), compare.Changed, 1},
		{"fixed, the same", fixed, of(0.01, 0), compare.Unchanged, 0.95},
		{"fixed, noise", fixed, of(0.1, 0), compare.Inconclusive, 0.8},
		{"fixed, too short", rounds(fixed, 5), of(0.01, 0.1), compare.NotChecked, 1},
		{"fixed, one layout", oneLayout(fixed), of(0.01, 0.1), compare.Suspect, 1},
		{"unpaired, twice as slow", unpaired, of(0.01, 1), compare.Suspect, 1},
		{"unpaired, the same", unpaired, of(0.01, 0), compare.NoVerdict, 0.9},
	} {
		n := 20
		if evaluation.Handful() {
			n = 2
		}
		got := Run(tt.Scenario, n, 11, Named{tt.name, func() Rule { p := tt.Product; return &p }})[0]
		if has := got.Subjects.Of(tt.want); float64(has) < tt.least*float64(n) && !evaluation.Handful() {
			t.Errorf("%s: %d of %d %q; of all verdicts %v", tt.name, has, n, tt.want, got.Subjects)
		}
		for _, v := range compare.Verdicts {
			if allowed := v == compare.Suspect; tt.Unpaired && !allowed && got.Subjects.Of(v)+got.Wrong.Of(v) > 0 {
				t.Errorf("%s: called %s", tt.name, v)
			}
		}
		if tt.Fixed && tt.Product.Rounds < 10 || !tt.Fixed && tt.Product.Rounds == 9 {
			for _, v := range []compare.Verdict{compare.Regressed, compare.Improved} {
				if got.Subjects.Of(v)+got.Wrong.Of(v) > 0 {
					t.Errorf("%s: called %s", tt.name, v)
				}
			}
		}
	}
}

// A trial of fixed length has the error rates of a check. Without a change, at most 1 % of pull
// requests have a false regression, and at most 1 % have a false improvement. A change as large as
// the threshold is called unchanged in at most 1 % of the trials, and 30 rounds find most such
// changes if the noise is moderate.
func TestSimulateFixed(t *testing.T) {
	for i, tt := range []struct {
		rounds int
		Scenario
		found float64
	}{
		{12, Scenario{CV: []float64{0.01}, Drift: 0.25}, 0},
		{12, Scenario{CV: []float64{0.03}}, 0},
		{30, Scenario{CV: []float64{0.03}, Drift: 0.25}, 0},
		{30, Scenario{CV: []float64{0.1}}, 0},
		{13, Scenario{CV: []float64{0.03}, Drift: 0.25, Family: noise.Skewed}, 0},
		{30, Scenario{CV: []float64{0.03}, Drift: 0.25, Family: noise.Heavy}, 0},
		{12, Scenario{CV: []float64{0.01}, Drift: 0.25, Effect: 0.05}, 0.9},
		{30, Scenario{CV: []float64{0.03}, Drift: 0.25, Effect: 0.05}, 0.97},
		{30, Scenario{CV: []float64{0.1}, Drift: 0.25, Effect: 0.05}, 0},
	} {
		n := 160
		if evaluation.Handful() {
			n = 2
		}
		got := Run(tt.Scenario, n, 13+uint64(i)<<32, Named{"fixed", func() Rule { return &Procedure{Fixed: tt.rounds} }})[0]
		t.Logf("%d rounds, CV %v, %+g: %d false regressions, %d false improvements, %d found, %d unchanged, %d covered of %d",
			tt.rounds, tt.CV, tt.Effect, got.Alarms, got.Wrong.Of(compare.Improved), got.Found, got.Unchanged, got.Covered, got.Estimated)
		if evaluation.Handful() {
			continue
		}
		for what, x := range map[string]int{"false regression": got.Alarms, "false improvement": got.Wrong.Of(compare.Improved)} {
			if figures.AtLeast(x, n) > mostAlarms {
				t.Errorf("%d rounds, %+v: %d of %d pull requests with a %s", tt.rounds, tt.Scenario, x, n, what)
			}
		}
		if tt.Effect > 0 && figures.AtLeast(got.Unchanged, n) > mostUnchanged {
			t.Errorf("%d rounds, %+v: %d of %d called unchanged", tt.rounds, tt.Scenario, got.Unchanged, n)
		}
		if figures.AtLeast(n-got.Found, n) > 1-tt.found {
			t.Errorf("%d rounds, %+v: found %d of %d", tt.rounds, tt.Scenario, got.Found, n)
		}
		if figures.AtLeast(got.Estimated-got.Covered, got.Estimated) > 1-leastCovered {
			t.Errorf("%d rounds, %+v: %d of %d intervals have the true shift", tt.rounds, tt.Scenario, got.Covered, got.Estimated)
		}
	}
}
