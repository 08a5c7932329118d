package verdicts

import (
	"os"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare/internal/simulatetest"
	"github.com/perftrack/perftrack/compare/internal/simulatetest/figures"
	"github.com/perftrack/perftrack/compare/internal/simulatetest/noise"
)

// TestSimulateTables writes the tables of docs/evaluation.md:
//
//	PERFTRACK_SIMULATE=full go test -run SimulateTables -timeout 60m -v ./compare/internal/simulatetest/verdicts
func TestSimulateTables(t *testing.T) {
	n := Sizes{Goals: 3, Families: 2, Peers: 2}
	out := &strings.Builder{}
	if simulatetest.Full() {
		n = Full
	}
	Tables(out, n, 20260101)
	if n == Full {
		if _, err := os.Stdout.WriteString(out.String()); err != nil {
			t.Fatal(err)
		}
	}
	for l := range strings.Lines(out.String()) {
		if strings.Contains(l, "NaN") || strings.HasPrefix(l, "|") && !strings.HasSuffix(l, "|\n") {
			t.Errorf("odd line in the tables: %s", l)
		}
	}
}

// The figures of the published table, with fewer pull requests: each must be
// shown to be reached by a one-sided 95 % bound, where the number drawn can
// show it, and else not be excluded.
func TestSimulateGoals(t *testing.T) {
	for _, f := range noise.Families {
		for i, g := range Goals(f) {
			n, certain := 100, false
			switch {
			case f.Name == noise.Normal.Name && g.Found > 0:
				n = 600
			case f.Name == noise.Normal.Name && g.CV[0] < 0.1:
				n, certain = 320, true // none of 300 shows at most 1 %
			}
			if simulatetest.Race {
				n = 4 // says nothing of the figures, all of the goroutines
			}
			got := Run(g.Scenario, n, 7+uint64(i)<<32, Ours)[0]
			if simulatetest.Race {
				continue
			}
			for _, failure := range g.Failures(got, certain) {
				t.Errorf("%s, %s: %s", f.Name, g.Name, failure)
			}
		}
	}
}

// Without any one of its ingredients the procedure raises false alarms in more
// than 1 % of pull requests, certainly; with it, it does not.
func TestSimulateIngredients(t *testing.T) {
	for i, in := range Ingredients() {
		n := 400
		if simulatetest.Race {
			n = 4
		}
		with := Run(in.With, n, 3+uint64(i)<<32, Ours)[0]
		without := Run(in.Without, n, 3+uint64(i)<<32, in.Off)[0]
		t.Logf("%s: %d of %d pull requests with a false alarm, %d without it", in.Name, with.Alarms, n, without.Alarms)
		if simulatetest.Race {
			continue
		}
		if figures.AtLeast(with.Alarms, n) > mostAlarms {
			t.Errorf("%s: %d of %d pull requests with a false alarm", in.Name, with.Alarms, n)
		}
		if figures.AtLeast(without.Alarms, n) <= mostAlarms {
			t.Errorf("%s is of no use: %d of %d pull requests with a false alarm without it", in.Name, without.Alarms, n)
		}
	}
}

// The figures depend on the arguments only, not on the number of processors.
func TestRunIsDeterministic(t *testing.T) {
	s := Scenario{CV: []float64{0.03}, Drift: 0.25, Effect: 0.05}
	all := Run(s, 7, 1, append(Peers(), Ours)...)
	for i, r := range append(Peers(), Ours) {
		sum := Tally{Rule: r.Name}
		for first := range 7 {
			sum.add(&judge(s.withDefaults(), 7, 1, append(Peers(), Ours), first, 7)[i])
		}
		if sum != *all[i] {
			t.Errorf("%s:\n%+v\n%+v", r.Name, *all[i], sum)
		}
	}
}
