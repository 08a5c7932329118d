package steps

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/compare/units"
	"github.com/perftrack/perftrack/runner/record"
)

// timesOf returns a run in a trial with one time per round.
func timesOf(side record.Side, nanoseconds []float64) record.HistoryPoint {
	p := record.HistoryPoint{Run: &record.RunInfo{}, Benchmark: record.Benchmark{Samples: []record.Samples{{Unit: "ns/op", Values: nanoseconds}}}}
	p.Run.Trial, p.Run.Side = "t", side
	for i := range nanoseconds {
		p.Benchmark.Rounds = append(p.Benchmark.Rounds, record.Round{N: i + 1})
	}
	return p
}

// courseOfRatios returns the course of the ratios of head to anchor. Each run consists of pairs of
// a head time and an anchor time, and its host is slower by the factor that factor returns.
func courseOfRatios(runs [][][2]float64, factor func(run int) float64) Course {
	l := NewLine(Options{Unit: units.Ratio("sec/op"), Better: -1})
	for run, pairs := range runs {
		var h, a []float64
		for _, p := range pairs {
			h, a = append(h, p[0]*factor(run)), append(a, p[1]*factor(run))
		}
		head, anchor := timesOf(record.Head, h), timesOf(record.Base, a)
		ratio, _ := anchors.Relative(&head, &anchor)
		sum, _ := compare.Summarize(ratio.Benchmark.Samples[0], false, 0.95)
		l.Append(Point{Run: fmt.Sprint("run", run), Commit: fmt.Sprint("a", run), Value: sum.Center})
	}
	return l.Course()
}

// If a host is slower during one run, both builds are slower, so neither the values of the series
// nor its course change. If the factors are powers of 2, the results are identical to the last bit.
func TestRatiosAreWithoutHost(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		runs := make([][][2]float64, rapid.IntRange(1, 40).Draw(t, "runs"))
		rounds, at := rapid.IntRange(1, 9).Draw(t, "rounds"), rapid.IntRange(0, len(runs)).Draw(t, "step at")
		for run := range runs {
			size := 1.0
			if run >= at {
				size = 1.2
			}
			for range rounds {
				runs[run] = append(runs[run], [2]float64{130 * size * (1 + 0.02*r.NormFloat64()), 100 * (1 + 0.02*r.NormFloat64())})
			}
		}
		want := courseOfRatios(runs, func(int) float64 { return 1 })
		found += len(want.Steps)
		powers := rapid.SliceOfN(rapid.IntRange(-20, 20), len(runs), len(runs)).Draw(t, "powers of 2")
		if got := courseOfRatios(runs, func(run int) float64 { return math.Ldexp(1, powers[run]) }); !reflect.DeepEqual(got, want) {
			t.Fatalf("on hosts of other speeds %+v, else %+v", got, want)
		}
		factors := rapid.SliceOfN(rapid.Float64Range(0.01, 100), len(runs), len(runs)).Draw(t, "factors")
		got := courseOfRatios(runs, func(run int) float64 { return factors[run] })
		for i := range runs {
			if math.Abs(got.Runs[i].Value/want.Runs[i].Value-1) > 1e-12 {
				t.Fatalf("run %d: %v on a host of another speed, else %v", i, got.Runs[i].Value, want.Runs[i].Value)
			}
		}
	})
	if found == 0 {
		t.Error("no step in any series: nothing was tested")
	}
}
