package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/aclements/go-moremath/stats"
)

// suite is 29 benchmarks of 40 rounds that need them all.
func suite(tied bool) Trial {
	r := rand.New(rand.NewPCG(1, 2))
	trial := Trial{Sessions: []int{40}}
	for range 29 {
		s := seq(r, 40, 0.1, 0.01)
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
	for _, bb := range []struct {
		name string
		tied bool
	}{{"continuous", false}, {"tied", true}} {
		trial := suite(bb.tied)
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Replay(trial, Options{})
			}
		})
	}
}

// BenchmarkNaive is one test and one interval a benchmark at each look in the
// plain way: the distribution computed anew, by the library's own function.
func BenchmarkNaive(b *testing.B) {
	trial := suite(false)
	b.ReportAllocs()
	for b.Loop() {
		for _, look := range CheckPlan().Looks {
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
	trial := suite(true)
	result := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Replay(trial, Options{})
		}
	})
	t.Logf("%v, %d B", result.NsPerOp(), result.AllocedBytesPerOp())
	if result.AllocedBytesPerOp() > 10<<20 {
		t.Errorf("%d B for 29 benchmarks of 40 samples", result.AllocedBytesPerOp())
	}
}
