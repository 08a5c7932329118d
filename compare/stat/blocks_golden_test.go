package stat

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Trials that were decided by a procedure of before keep the verdicts, and the numbers, that they
// had: each golden file was written by the code that decided them, when there was no later one.
func TestStoredTrialsKeepTheirVerdicts(t *testing.T) {
	t.Run("blocks", func(t *testing.T) { keepsVerdicts(t, "testdata/blocks.golden", Blocks) })
	t.Run("typical", func(t *testing.T) { keepsVerdicts(t, "testdata/typical.golden", Typical) })
}

func keepsVerdicts(t *testing.T, golden string, by Procedure) {
	const shown, all = 60, 1500
	var text strings.Builder
	verdicts := fnv.New64a()
	r := rand.New(rand.NewPCG(2024, 1))
	for n := range all {
		trial, opt := storedTrial(r)
		opt.Procedure = by
		for i := range trial.Series {
			s := &trial.Series[i]
			s.Capped = by == Typical && n%3 == 0 && !slices.ContainsFunc(s.Pairs, func(p Pair) bool { return p.Base == math.Round(p.Base) })
		}
		for _, d := range Replay(trial, opt) {
			if n < shown {
				fmt.Fprintf(&text, "%d: %d %d round %d, %d rounds, %v %v, p %.6g %.6g, %.6g [%.6g %.6g] %v within %.6g, need %d reach %d\n",
					n, d.Outcome, d.Cause, d.Round, d.Rounds, d.Tested, d.Exact, d.P, d.AdjustedP,
					d.Shift.Center, d.Shift.Lo, d.Shift.Hi, d.Shift.Absolute, d.Bound, d.Need, d.Reach)
			}
			_, _ = fmt.Fprintln(verdicts, n, d.Outcome, d.Cause, d.Round, d.Rounds, d.Exact) // to a hash: never fails
		}
	}
	fmt.Fprintf(&text, "verdicts of %d trials: %x\n", all, verdicts.Sum64())
	if *update {
		if err := os.WriteFile(golden, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	wanted := strings.Split(string(want), "\n")
	for i, line := range strings.Split(text.String(), "\n") {
		if i >= len(wanted) || line != wanted[i] {
			t.Fatalf("line %d:\n got %s\nwant %s", i+1, line, wanted[min(i, len(wanted)-1)])
		}
	}
}

// storedTrial draws a trial with what a store may hold, and by what it is decided.
func storedTrial(r *rand.Rand) (Trial, Options) {
	var trial Trial
	end := 0
	for range 1 + r.IntN(3) {
		end += r.IntN(30)
		trial.Sessions = append(trial.Sessions, end)
	}
	opt := Options{Alpha: []float64{0, 0.01, 0.05, 0.003}[r.IntN(4)]}
	if r.IntN(4) == 0 {
		trial.Sessions = []int{end}
		opt.Plan = FixedPlan(max(end, 1))
	}
	for range 1 + r.IntN(8) {
		effect := []float64{0, 0, 0, 0.03, 0.06, -0.06, 0.2}[r.IntN(7)]
		s := seq(r, end, []float64{0.003, 0.01, 0.03, 0.1}[r.IntN(4)], effect)
		s.Better, s.Unknown = r.IntN(3)-1, r.IntN(5) == 0
		s.Threshold = []float64{0, 0.02, 0.05, 0.05}[r.IntN(4)]
		s.Noise = []float64{0, 0, 0.001, 0.02}[r.IntN(4)]
		s.Counts, s.Declared, s.Zeros = r.IntN(3) == 0, r.IntN(8) == 0, r.IntN(2) == 0
		if s.Counts && r.IntN(2) == 0 {
			s.Negligible = Negligible{Size: 16, Part: 0.01}
		}
		coarse, lacking, zeros := r.IntN(3) == 0, r.IntN(3) == 0, r.IntN(6) == 0
		for i := range s.Pairs {
			p := &s.Pairs[i]
			if coarse {
				p.Base, p.Head = math.Round(p.Base/4), math.Round(p.Head/4)
			}
			if lacking && r.IntN(5) == 0 {
				p.Head = math.NaN()
			}
			if zeros && r.IntN(4) == 0 {
				p.Base = 0
			}
		}
		if odd := r.IntN(30); odd < 3 && end > 0 {
			s.Pairs[r.IntN(end)].Base = []float64{-1, math.Inf(1), 0}[odd]
		}
		trial.Series = append(trial.Series, s)
	}
	return trial, opt
}
