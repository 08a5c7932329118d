package shortrun

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// pairsNeeded is how often two numbers of operations are held against each other. If the time
// of an operation did not depend on their number, each order of the twelve times would be as
// likely as any other, and those of the one number would all be longer than those of the other
// in 1 of 924 (twelve over six).
//
// That each order is as likely is not true of time by the clock on a busy machine: a short run
// is over before somebody else gets the CPU, a long one is not. So it is CPU time that must
// differ as well, which does not run while others do.
const pairsNeeded = 6

// pairs are runs for two numbers of operations, in turn, and before each pair one of two, which
// tells what a process takes that does hardly more than begin.
type pairs struct {
	none, few, many []Timing
	held            bool
}

// pairs runs a benchmark for a few and for many operations, in turn and each first as often as
// the other, for as long as what is claimed holds for all of the runs so far: of the extremes
// that speak against it, not of a mean.
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
			out, err := b.run(ctx, pattern(name), fmt.Sprintf("%dx", o.n), left())
			if err != nil {
				return p, "", err
			}
			t := out.timings[name]
			switch {
			case out.cut != "":
				return p, out.cut, nil
			case t.N != o.n: // the name belongs to another benchmark now
				return p, "it could not be run again by its name", nil
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

// leastCPU is what an operation takes at least in the long runs, in ns of CPU time, and mostCPU
// what it takes at most in the short ones.
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
