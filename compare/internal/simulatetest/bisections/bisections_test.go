package bisections

import (
	"os"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare/internal/simulatetest"
	"github.com/perftrack/perftrack/compare/internal/simulatetest/figures"
)

// TestSimulateBisectTable writes the table of docs/evaluation.md to stdout where
// PERFTRACK_SIMULATE=full asks for it:
//
//	PERFTRACK_SIMULATE=full go test -run SimulateBisectTable -timeout 60m -v ./compare/internal/simulatetest/bisections
func TestSimulateBisectTable(t *testing.T) {
	n, bayesect := 4, 1
	if simulatetest.Full() {
		n, bayesect = 2000, 300
	}
	out := &strings.Builder{}
	Table(out, n, bayesect, 20260101)
	if simulatetest.Full() {
		if _, err := os.Stdout.WriteString(out.String()); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(out.String(), "NaN") {
		t.Errorf("odd table:\n%s", out)
	}
}

// The goals of the bisection, with fewer lines: none may be excluded by a one-sided
// 95 % bound.
func TestSimulateBisectGoals(t *testing.T) {
	n := 150
	if simulatetest.Handful() {
		n = 12
	}
	got := Run(headline, n, 11, Auto, GitRun)
	for i, least := range []float64{0.96, 0.85} {
		r := got[i]
		t.Logf("%s: %d right, %d wrong, %d skipped, %d refused of %d; %.1f pairs, %.1f builds", r.Name, r.Right, r.Wrong, r.Skipped, r.Refused, n, r.MeanPairs(), r.MeanBuilds())
		if !simulatetest.Handful() && figures.AtMost(r.Right, n) < least { // a dozen lines are there for the race detector: they judge no rate
			t.Errorf("%s: %d of %d right", r.Name, r.Right, n)
		}
	}
	// The means are those of this seed; docs/evaluation.md has them of 2,000 lines.
	if auto := got[0]; !simulatetest.Handful() && (auto.MeanPairs() > 60 || auto.MeanBuilds() > 9) {
		t.Errorf("%s: %.1f pairs, %.1f builds", auto.Name, auto.MeanPairs(), auto.MeanBuilds())
	}
}

// A line without a step is refused, not searched.
func TestSimulateBisectRefuses(t *testing.T) {
	for _, r := range Run(Scenario{CV: 0.03, Drift: 0.25}, 40, 5, Auto, GitRun) {
		if r.Refused != r.Lines {
			t.Errorf("%s: searched %d of %d lines in which nothing changed", r.Name, r.Lines-r.Refused, r.Lines)
		}
	}
}

// Commits that do not build cost nothing but their builds.
func TestSimulateBisectBroken(t *testing.T) {
	n := 40
	r := Run(Scenario{CV: 0.01, Effect: 0.1, Broken: 0.2}, n, 6, Auto)[0]
	if figures.AtMost(r.Right, n) < 0.96 {
		t.Errorf("%d of %d right where a fifth of the commits does not build", r.Right, n)
	}
}
