package stat

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/aclements/go-moremath/stats"
)

// suite is so many benchmarks that need all of their rounds.
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
	blocks, pairs := Options{}, Options{Procedure: Pairs}
	fixed := Options{Procedure: Pairs, Plan: FixedPlan(300)}
	for _, bb := range []struct {
		name  string
		trial Trial
		opt   Options
	}{
		{"blocks/continuous", suite(29, 40, false), blocks},
		{"blocks/tied", suite(29, 40, true), blocks},
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

// BenchmarkNaive is one test and one interval a benchmark at each look in the
// plain way: the distribution computed anew, by the library's own function.
func BenchmarkNaive(b *testing.B) {
	trial := suite(29, 40, false)
	b.ReportAllocs()
	for b.Loop() {
		for _, look := range BlocksPlan().Looks {
			for _, s := range trial.Series {
				naive(sidesOf(s.Pairs[:look.Rounds]))
			}
		}
	}
}

func naive(base, head []float64) (p float64, d []float64) {
	dist, w := []float64{1}, 0
	for lo := 0; lo < len(base); lo += blockRounds {
		one := make([]float64, blockRounds*blockRounds+1)
		for u := range one {
			one[u] = stats.UDist{N1: blockRounds, N2: blockRounds}.PMF(float64(u))
		}
		dist = convolve(nil, dist, one, math.MaxInt)
		for _, y := range head[lo : lo+blockRounds] {
			for _, x := range base[lo : lo+blockRounds] {
				d = append(d, math.Log(y)-math.Log(x))
				if y > x {
					w++
				}
			}
		}
	}
	for _, v := range slices.Backward(dist[w:]) {
		p += v
	}
	slices.Sort(d)
	return p, d
}

// What a runner does not wait for: 29 benchmarks of 40 samples are decided
// within 50 ms and 10 MB. The deadline is generous, the memory is not.
func TestReplayIsCheap(t *testing.T) {
	for _, procedure := range []Procedure{Blocks, Pairs} {
		trial := suite(29, 40, true)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		Replay(trial, Options{Procedure: procedure})
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 10<<20 {
			t.Errorf("%q: %d B for 29 benchmarks of 40 samples", procedure, n)
		}
	}
}
