package shortrun

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/perftrack/perftrack/runner/gobench"
)

// pairsNeeded is the number of runs with few and with many operations. If the time per operation
// did not depend on the number of operations, all orders of the twelve times would be equally
// likely, and all six times with many operations would be the longest in only 1 of 924 cases
// (twelve choose six).
//
// On a busy machine, however, a short run may end before another process gets the CPU, but a long
// run does not. Therefore the CPU times must differ as well.
const pairsNeeded = 6

// pairs holds alternating runs with few and with many operations and, for each pair, a run with two
// operations, which measures the cost of starting the process.
type pairs struct {
	none, few, many []Timing
	held            bool
}

// pairs runs a benchmark with few and with many operations, in alternating order, until holds
// returns false for the runs so far. unsure is the reason why a run was cut short, or "".
func (b Binary) pairs(ctx context.Context, name string, few, many int64, left func() time.Duration, holds func(pairs) bool) (p pairs, unsure string, err error) {
	for i := range pairsNeeded {
		order := []struct {
			n  int64
			to *[]Timing
		}{{2, &p.none}, {few, &p.few}, {many, &p.many}}
		if i%2 == 1 {
			slices.Reverse(order)
		}
		for _, o := range order {
			out, err := b.run(ctx, gobench.Expression(name), fmt.Sprintf("%dx", o.n), left())
			if err != nil {
				return p, "", err
			}
			t := out.timings[name]
			switch {
			case out.cut != "":
				return p, out.cut, nil
			case t.N != o.n: // the name now belongs to another benchmark
				return p, "a second run with this name ran a different benchmark", nil
			}
			t.CPU = out.cpu
			*o.to = append(*o.to, t)
		}
		if !holds(p) {
			return p, "", nil
		}
	}
	p.held = true
	return p, "", nil
}

// leastCPU returns the smallest CPU time per operation, in ns, in the runs with many operations.
// mostCPU returns the largest in the runs with few operations.
func (p pairs) leastCPU() float64 {
	return (least(p.many, cpuTime) - greatest(p.none, cpuTime)) / float64(p.many[0].N)
}

func (p pairs) mostCPU() float64 {
	return (greatest(p.few, cpuTime) - least(p.none, cpuTime)) / float64(p.few[0].N)
}

func cpuTime(t Timing) float64   { return float64(t.CPU) }
func opTime(t Timing) float64    { return t.Op }
func wallTime(t Timing) float64  { return float64(t.Wall) }
func totalTime(t Timing) float64 { return float64(t.Total()) }

func least(list []Timing, of func(Timing) float64) float64 {
	x := of(list[0])
	for _, t := range list[1:] {
		x = min(x, of(t))
	}
	return x
}

func greatest(list []Timing, of func(Timing) float64) float64 {
	x := of(list[0])
	for _, t := range list[1:] {
		x = max(x, of(t))
	}
	return x
}
