package apart

import (
	"math"
	"math/rand/v2"
	"strconv"
	"sync"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/internal/simulatetest"
	"github.com/perftrack/perftrack/compare/internal/simulatetest/noise"
	"github.com/perftrack/perftrack/runner/record"
)

// A Scenario is what is true of two runs that were measured one after the other, each as
// `go test -count` does: a process a benchmark, with successive samples.
type Scenario struct {
	Name       string
	Benchmarks int
	Samples    int     // a side
	CV         float64 // of a sample
	Processes  bool    // a fifth of the variance is an offset of each process, a quarter drifts
	Shift      float64 // standard deviation of how far the machine is off in a run, all benchmarks alike
	Own        float64 // and of each benchmark by itself: where its code and data came to lie
	Effect     float64 // by how much head is slower in the first benchmark
}

// Gates are those that a Tally counts, in its order.
var Gates = []compare.ApartGate{compare.GateUnpaired, compare.GateBenchstat}

// A Tally counts the pairs of runs that tripped each of the Gates.
type Tally struct {
	Pairs int
	Wrong [2]int // by a benchmark that did not change
	Found [2]int // by the one that changed
}

// Run lets the gates judge n pairs of runs. The result does not depend on the number of
// processors.
func Run(s Scenario, n int, seed uint64) (total Tally) {
	var mu sync.Mutex
	simulatetest.Share(func(first, step int) {
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
		for _, r := range c.WorseApart(gate) {
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

// changed is the name of the benchmark that is slower by the effect.
const changed = "Changed"

// draw draws both runs.
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
