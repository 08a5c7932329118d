package compare

import (
	"math"
	"math/rand/v2"
	"testing"

	"golang.org/x/perf/benchmath"

	"github.com/perftrack/perftrack/compare/stat"
)

// This test shows why flagging a change no longer requires benchstat to agree: if most of the noise
// is common to both samples in a round, benchstat shows ~ for nearly all changes that the pairs
// prove. With -v, the test prints the table in docs/verdicts.md.
func TestBenchstatKnowsNothingOfPairs(t *testing.T) {
	const trials, effect, own = 500, 0.05, 0.02 / math.Sqrt2 // the ratio of a pair has a standard deviation of 2 %
	t.Log("| noise common to both sides of a round | flagged | of these `~` in benchstat |")
	for _, common := range []float64{0, 0.05, 0.1, 0.15, 0.25} {
		rng := rand.New(rand.NewPCG(14, 5))
		flagged, unseen := 0, 0
		for range trials {
			var pairs []stat.Pair
			for range 40 {
				machine := common * rng.NormFloat64()
				sample := func(change float64) float64 {
					return math.Exp(machine + change + own*rng.NormFloat64())
				}
				pairs = append(pairs, stat.Pair{Base: sample(0), Head: sample(math.Log1p(effect))})
			}
			d := stat.Replay(stat.Trial{Series: []stat.Series{{Better: -1, Threshold: 0.05, Pairs: pairs}}, Sessions: []int{40}},
				stat.Options{Part: 1. / 29})[0]
			if d.Outcome != stat.Higher {
				continue
			}
			flagged++
			var b, h []float64
			for _, p := range pairs[:d.Round] {
				b, h = append(b, p.Base), append(h, p.Head)
			}
			if benchmath.AssumeNothing.Compare(newSample(b, 0.05), newSample(h, 0.05)).P > 0.05 {
				unseen++
			}
		}
		t.Logf("| %2.0f %% | %.1f %% | %.1f %% |", 100*common, 100*float64(flagged)/trials, 100*float64(unseen)/float64(flagged))
		if flagged < trials*98/100 || common >= 0.1 && unseen < flagged*3/4 {
			t.Errorf("common noise of %v: %d of %d flagged, %d of these ~", common, flagged, trials, unseen)
		}
	}
}
