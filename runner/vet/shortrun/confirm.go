package shortrun

import (
	"context"
	"fmt"
	"time"
)

// pairsNeeded is how often two numbers of operations are held against each other. If the time
// of an operation did not depend on their number, each order of the twelve times would be as
// likely as any other, and those of the one number would all be longer than those of the other
// in 1 of 924 (twelve over six). A busy machine shows a sign no more often than that, and
// less, as a sign asks for a factor between the two.
const pairsNeeded = 6

// pairs are runs for two numbers of operations, in turn.
type pairs struct {
	few, many []Timing
	held      bool
}

// pairs runs a benchmark for a few and for many operations, in turn and each first as often as
// the other, for as long as what is claimed holds for all of the runs so far: of the extremes
// that speak against it, not of a mean.
func (b Binary) pairs(ctx context.Context, name string, few, many int64, left func() time.Duration, holds func(pairs) bool) (p pairs, unsure string, err error) {
	for i := range pairsNeeded {
		order := []int64{few, many}
		if i%2 == 1 {
			order = []int64{many, few}
		}
		for _, n := range order {
			out, err := b.run(ctx, pattern(name), fmt.Sprintf("%dx", n), left())
			if err != nil {
				return p, "", err
			}
			t := out.timings[name]
			switch {
			case out.cut != "":
				return p, out.cut, nil
			case t.N != n: // the name belongs to another benchmark now
				return p, "it could not be run again by its name", nil
			case n == few:
				p.few = append(p.few, t)
			default:
				p.many = append(p.many, t)
			}
		}
		if !holds(p) {
			return p, "", nil
		}
	}
	p.held = true
	return p, "", nil
}

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
