package verdicts

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare/evaluation"
	"github.com/perftrack/perftrack/compare/evaluation/figures"
)

// TestSimulateTables writes the tables in docs/evaluation.md and uses one-sided 95 % bounds to show
// that the goals are met:
//
//	PERFTRACK_SIMULATE=full go test -C compare/evaluation -run SimulateTables -timeout 60m -v ./verdicts
func TestSimulateTables(t *testing.T) {
	for i, table := range Tables() {
		t.Run(table.Name, func(t *testing.T) {
			out := &strings.Builder{}
			var w io.Writer = out
			n := Sizes{Null: 1, Threshold: 1, Found: 1, Other: 1, Beside: 1, Each: 1}
			if evaluation.Full() {
				n, w = table.Full, io.MultiWriter(out, os.Stdout) // line by line, as some take minutes
			}
			if strings.HasPrefix(table.Name, "Means") && table.Name != "MeansOf8" && !evaluation.Full() {
				t.Skip("as the one of 8 benchmarks, and slower: PERFTRACK_SIMULATE=full")
			}
			failures := table.Write(w, n, 20260101+uint64(i))
			for l := range strings.Lines(out.String()) {
				if strings.Contains(l, "NaN") || !strings.HasPrefix(l, "|") || !strings.HasSuffix(l, "|\n") {
					t.Errorf("odd line in the table: %s", l)
				}
			}
			for _, failure := range failures {
				if evaluation.Full() { // a few draws prove nothing
					t.Error(failure)
				}
			}
		})
	}
}

// With fewer pull requests than in the published tables, no goal may be ruled out by a one-sided 95
// % bound.
func TestSimulateGoals(t *testing.T) {
	for i, f := range append(PairNoises(), Noises()...) {
		n := [4]int{120, 0, 30, 0}
		if f.Found > 0 {
			n[2] = 150
		}
		if evaluation.Handful() {
			n = [4]int{2, 0, 2, 0}
		}
		row := f.RunRow(n, 7+uint64(i)<<36, Ours)
		if evaluation.Handful() {
			continue
		}
		for _, failure := range f.Failures(row, false) {
			t.Errorf("%s: %s", f.Name, failure)
		}
	}
}

// Without any one of its ingredients, the procedure certainly raises false alarms in more than 1 %
// of pull requests. With the ingredient, this cannot be shown.
func TestSimulateIngredients(t *testing.T) {
	for i, in := range Ingredients() {
		n := 300
		if evaluation.Handful() {
			n = 4
		}
		with := Run(in.With, n, 3+uint64(i)<<32, Ours)[0]
		without := Run(in.Without, n, 3+uint64(i)<<32, in.Off)[0]
		t.Logf("%s: %d of %d pull requests with a false alarm, %d without it", in.Name, with.Alarms, n, without.Alarms)
		if evaluation.Handful() {
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

// The figures depend only on the arguments, not on the number of processors.
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
