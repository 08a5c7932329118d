package histories

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare/evaluation"
	"github.com/perftrack/perftrack/compare/evaluation/figures"
)

// TestSimulateSteps writes the table of steps in histories:
//
//	PERFTRACK_SIMULATE=full go test -C compare/evaluation -run SimulateSteps -timeout 60m -v ./histories
func TestSimulateSteps(t *testing.T) {
	n, out := 3, &strings.Builder{}
	if evaluation.Full() {
		n = 2000
	}
	StepTable(out, n, 20260201)
	if n > 3 {
		if _, err := os.Stdout.WriteString(out.String()); err != nil {
			t.Fatal(err)
		}
	}
	for l := range strings.Lines(out.String()) {
		if strings.Contains(l, "NaN") || !strings.HasSuffix(l, "|\n") {
			t.Errorf("odd line in the table: %s", l)
		}
	}
}

// With noise of 1 % and 3 % outliers, there are at most 0.1 false steps in 100 commits, and a step
// of 5 % is found within 5 commits in at least 95 % of the histories, as one-sided 95 % bounds
// show. Each outlier mistaken for a level causes one or two false steps.
func TestSimulateStepGoals(t *testing.T) {
	n := 1500
	if evaluation.Handful() {
		n = 60
	}
	s := Scenarios()[0]
	quiet := Run(s.quiet(150), n, 11, OurSteps)[0]
	t.Logf("%d false steps in %d commits", quiet.False, quiet.Commits)
	if evaluation.Handful() {
		return
	}
	// 0.1 false steps in 100 commits amount to one step in about seven histories of 150 commits.
	if most := figures.AtMost(quiet.False, n) * 100 / 150; most > mostFalsePer100 {
		t.Errorf("%d false steps in %d histories: up to %.3f in 100 commits", quiet.False, n, most)
	}
	found := Run(s.stepped(0.05, 5), n, 12, OurSteps)[0]
	t.Logf("+5 %% found within 5 commits in %d of %d histories", found.Found, n)
	if figures.AtLeast(found.Found, n) < leastStepsFound {
		t.Errorf("+5 %% found within 5 commits in %d of %d histories", found.Found, n)
	}
}

// TestSimulateDrifts writes the table of drifts in histories:
//
//	PERFTRACK_SIMULATE=full go test -C compare/evaluation -run SimulateDrifts -timeout 60m -v ./histories
func TestSimulateDrifts(t *testing.T) {
	n, out := 2, &strings.Builder{}
	if evaluation.Full() {
		n = 500
	}
	DriftTable(out, n, 20260202)
	if n > 2 {
		if _, err := os.Stdout.WriteString(out.String()); err != nil {
			t.Fatal(err)
		}
	}
	for l := range strings.Lines(out.String()) {
		if strings.Contains(l, "NaN") || !strings.HasSuffix(l, "|\n") {
			t.Errorf("odd line in the table: %s", l)
		}
	}
}

// Drifts are shown as drifts, and steps are not. With noise of 1 % and 3 % outliers, one-sided 95 %
// bounds show that a drift is found in at least 95 % of the histories that drift by 10 % over 300
// commits, and in at most 2 % of those without a change, with one step or with three.
func TestSimulateDriftGoals(t *testing.T) {
	n := 200
	if evaluation.Handful() {
		n = 10
	}
	s := Scenarios()[0]
	drifting := Run(s.drifting(0.10, 300, 0), n, 21, OurDrifts, OurSteps)
	t.Logf("of %d that drift, %d are shown with a drift, %d with a step", n, drifting[0].WithFalse, drifting[1].WithFalse)
	if !evaluation.Handful() && (figures.AtLeast(drifting[0].WithFalse, n) < 0.95 || figures.AtMost(drifting[1].WithFalse, n) > 0.05) {
		t.Errorf("of %d that drift, %d are shown with a drift, %d with a step", n, drifting[0].WithFalse, drifting[1].WithFalse)
	}
	for name, v := range map[string]Scenario{"nothing": s.quiet(300), "a step": s.stepped(0.05, 50), "three steps": s.drifting(0.09, 300, 3)} {
		got := Run(v, n, 22, OurDrifts)[0]
		if shown := got.WithFalse + got.Found; !evaluation.Handful() && figures.AtMost(shown, n) > 0.02 {
			t.Errorf("%s: a drift in %d of %d", name, shown, n)
		}
	}
}

// Outliers require the bounded loss, because least squares mistake them for levels.
func TestSimulateOutliersNeedBoundedLoss(t *testing.T) {
	n := 200
	if evaluation.Handful() {
		n = 20
	}
	rules := []Rule{OurSteps, {"least squares", leastSquares}}
	got := Run(Scenarios()[0].quiet(150), n, 13, rules...)
	t.Logf("histories with a false step: %d, %d by least squares", got[0].WithFalse, got[1].WithFalse)
	if figures.AtLeast(got[1].WithFalse, n) < 0.5 {
		t.Errorf("least squares find false steps in %d of %d histories only", got[1].WithFalse, n)
	}
}

// The ports of other tools' rules find obvious steps.
func TestPeers(t *testing.T) {
	var history []float64
	for i := range 90 {
		history = append(history, 100+float64(i*7%5)/10+float64(i/40)*20)
	}
	for _, r := range append(Peers(), OurSteps) {
		got := r.Find(history)
		if !slices.Equal(got, []int{40, 80}) {
			t.Errorf("%s: %v", r.Name, got)
		}
	}
	// Otava finds one step, in exactly the right place.
	series := []float64{10.1, 10.2, 9.9, 10, 10.1, 9.9, 10, 10.1, 9.8, 10.2, 15, 15.1, 14.9, 15.2, 15, 14.8, 15.1, 15, 14.9, 15}
	if got := (otava{maxP: 0.001}).find(series); !slices.Equal(got, []int{10}) {
		t.Errorf("Otava: %v", got)
	}
}
