package stat

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
)

// suite draws a trial whose benchmarks need all of their rounds.
func suite(benchmarks, rounds int, tied bool) Trial {
	r := rand.New(rand.NewPCG(1, 2))
	trial := Trial{Sessions: []int{rounds}}
	for range benchmarks {
		s := seq(r, rounds, 0.1, 0.01)
		if tied {
			for i, p := range s.Pairs {
				s.Pairs[i] = Pair{Base: math.Round(p.Base / 3), Head: math.Round(p.Head / 3)}
			}
		}
		trial.Series = append(trial.Series, s)
	}
	return trial
}

func BenchmarkReplay(b *testing.B) {
	pairs, fixed := Options{}, Options{Plan: FixedPlan(300)}
	for _, bb := range []struct {
		name  string
		trial Trial
		opt   Options
	}{
		{"pairs/continuous", suite(200, 40, false), pairs},
		{"pairs/tied", suite(200, 40, true), pairs},
		{"pairs/fixed300", suite(29, 300, false), fixed},
		{"pairs/fixed300tied", suite(29, 300, true), fixed},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Replay(bb.trial, bb.opt)
			}
		})
	}
}

// A replay does not keep a runner waiting: deciding 29 benchmarks with 40 samples each allocates at
// most 10 MB.
func TestReplayIsCheap(t *testing.T) {
	trial := suite(29, 40, true)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	Replay(trial, Options{})
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 10<<20 {
		t.Errorf("%d B for 29 benchmarks of 40 samples", n)
	}
}
