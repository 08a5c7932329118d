package bisections

import (
	"os"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare/evaluation"
	"github.com/perftrack/perftrack/compare/evaluation/figures"
)

// TestSimulateBisectTable writes the table in docs/evaluation.md to stdout if PERFTRACK_SIMULATE is
// full:
//
//	PERFTRACK_SIMULATE=full go test -C compare/evaluation -run SimulateBisectTable -timeout 60m -v ./bisections
func TestSimulateBisectTable(t *testing.T) {
	n, bayesect := 4, 1
	if evaluation.Full() {
		n, bayesect = 2000, 300
	}
	out := &strings.Builder{}
	Table(out, n, bayesect, 20260101)
	if evaluation.Full() {
		if _, err := os.Stdout.WriteString(out.String()); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(out.String(), "NaN") {
		t.Errorf("odd table:\n%s", out)
	}
}

// With fewer lines than in the published table, no goal of the bisection may be ruled out by a
// one-sided 95 % bound.
func TestSimulateBisectGoals(t *testing.T) {
	n := 150
	if evaluation.Handful() {
		n = 12
	}
	got := Run(headline, n, 11, Auto, GitRun)
	for i, least := range []float64{0.96, 0.85} {
		r := got[i]
		t.Logf("%s: %d right, %d wrong, %d skipped, %d refused of %d; %.1f pairs, %.1f builds", r.Name, r.Right, r.Wrong, r.Skipped, r.Refused, n, r.MeanPairs(), r.MeanBuilds())
		if !evaluation.Handful() && figures.AtMost(r.Right, n) < least { // a dozen lines, drawn for the race detector, are too few to judge a rate
			t.Errorf("%s: %d of %d right", r.Name, r.Right, n)
		}
	}
	// The means depend on this seed; docs/evaluation.md has the means of 2,000 lines.
	if auto := got[0]; !evaluation.Handful() && (auto.MeanPairs() > 60 || auto.MeanBuilds() > 9) {
		t.Errorf("%s: %.1f pairs, %.1f builds", auto.Name, auto.MeanPairs(), auto.MeanBuilds())
	}
}

// The bisectors refuse to search a line without a step.
func TestSimulateBisectRefuses(t *testing.T) {
	for _, r := range Run(Scenario{CV: 0.03, Drift: 0.25}, 40, 5, Auto, GitRun) {
		if r.Refused != r.Lines {
			t.Errorf("%s: searched %d of %d lines in which nothing changed", r.Name, r.Lines-r.Refused, r.Lines)
		}
	}
}

// Broken commits do not mislead the search.
func TestSimulateBisectBroken(t *testing.T) {
	n := 40
	r := Run(Scenario{CV: 0.01, Effect: 0.1, Broken: 0.2}, n, 6, Auto)[0]
	if figures.AtMost(r.Right, n) < 0.96 {
		t.Errorf("%d of %d right where a fifth of the commits does not build", r.Right, n)
	}
}
