package unpaired

import (
	"math"
	"math/rand/v2"
	"strconv"
	"sync"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/evaluation"
	"github.com/perftrack/perftrack/compare/evaluation/noise"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/runner/record"
)

// A Scenario describes two runs measured one after the other. As with `go test -count`, each
// benchmark has one process that takes successive samples.
type Scenario struct {
	Name       string
	Benchmarks int
	Samples    int     // number per side
	CV         float64 // coefficient of variation of a sample
	Processes  bool    // whether the noise is noise.Normal with a drift of 0.25 instead of independent
	Shift      float64 // standard deviation of the common shift of all benchmarks of a run
	Own        float64 // standard deviation of each benchmark's own shift, as from the placement of its code and data
	Effect     float64 // how much slower head is in the first benchmark
}

// Gates are the gates that a Tally counts, in the same order.
var Gates = []gates.UnpairedRule{gates.UnpairedSuspect, gates.UnpairedBenchstat}

// A Tally counts, for each of the Gates, the pairs of runs that tripped it.
type Tally struct {
	Pairs int
	Wrong [2]int // because of an unchanged benchmark
	Found [2]int // because of the changed benchmark
}

// Run lets the gates judge n pairs of runs. The result does not depend on the number of processors.
func Run(s Scenario, n int, seed uint64) (total Tally) {
	var mu sync.Mutex
	evaluation.Share(func(first, step int) {
		var mine Tally
		for i := first; i < n; i += step {
			mine.count(s.draw(rand.New(rand.NewPCG(seed, uint64(i)))))
		}
		mu.Lock()
		defer mu.Unlock()
		total.add(mine)
	})
	return total
}

func (t *Tally) count(base, head *record.Run) {
	c := compare.Compare(compare.Side{Runs: []*record.Run{base}}, compare.Side{Runs: []*record.Run{head}}, compare.Options{})
	t.Pairs++
	for i, gate := range Gates {
		wrong, found := false, false
		for _, r := range gates.WorseUnpaired(c, gate) {
			if r.Name == changed {
				found = true
			} else {
				wrong = true
			}
		}
		if wrong {
			t.Wrong[i]++
		}
		if found {
			t.Found[i]++
		}
	}
}

func (t *Tally) add(u Tally) {
	t.Pairs += u.Pairs
	for i := range Gates {
		t.Wrong[i] += u.Wrong[i]
		t.Found[i] += u.Found[i]
	}
}

// changed is the name of the benchmark that the effect makes slower.
const changed = "Changed"

// draw draws the two runs of a pair.
func (s Scenario) draw(r *rand.Rand) (base, head *record.Run) {
	return s.run(r, record.Base), s.run(r, record.Head)
}

func (s Scenario) run(r *rand.Rand, side record.Side) *record.Run {
	const drift, tau = 0.25, 120
	machine := noise.Normal.New(drift, tau)
	machine.Boot(r)
	out := &record.Run{Target: "made-up", Status: record.Complete}
	shift := s.Shift * r.NormFloat64()
	for b := range s.Benchmarks {
		level := shift + s.Own*r.NormFloat64()
		bench := record.Benchmark{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: strconv.Itoa(b)}}
		if s.Effect != 0 && b == 0 {
			bench.Name = changed
			if side == record.Head {
				level += math.Log1p(s.Effect)
			}
		}
		values := make([]float64, s.Samples)
		machine.Start()
		for i := range values {
			deviation := r.NormFloat64()
			if s.Processes {
				deviation = machine.Sample()
			}
			values[i] = 1e6 * math.Exp(level+s.CV*deviation)
			bench.Rounds = append(bench.Rounds, record.Round{N: i + 1, Iters: 1})
		}
		bench.Samples = []record.Samples{{Unit: "ns/op", Values: values}}
		out.Benchmarks = append(out.Benchmarks, bench)
	}
	return out
}
