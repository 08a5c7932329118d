package shortrun

import (
	"context"
	"fmt"
	"time"
)

// A Sign is what times alone show.
type Sign struct {
	Kind  Kind
	Name  string // of the benchmark, without the prefix Benchmark
	Found string
}

// Kind is what is shown.
type Kind string

// The kinds of signs. The last two are looked for where the source gives a reason to.
const (
	TooFast      Kind = "below-1ns"     // less than one call takes
	NotRepeated  Kind = "time-flat"     // the time does not grow with the number of operations
	Growing      Kind = "time-grows"    // an operation takes longer the more there are
	MostlyPaused Kind = "timer-stopped" // the timer stands for most of the time
	SetupCounted Kind = "setup-timed"   // a first part of the time belongs to no operation
)

// Limits of what counts as a sign.
const (
	fastest = 1.0 // ns/op
	seems   = 1.5 // times as long an operation, in the long run, is worth a closer look
	growth  = 1.7 // times as long an operation, where there are eight times as many
	most    = 1e9 // operations: the testing package stops there whatever the time
	paused  = 5   // times as long as what is measured
	// steady is how many operations a run must have to tell how long one takes.
	steady = 10
	// leastSetup is a part of the second that go test measures by default: 2 %.
	leastSetup = 20 * time.Millisecond
)

// signs are those that the two runs of a benchmark show. A machine that is busy makes times
// longer, never shorter: a benchmark is quicker than a call, or flat, by itself. The other
// signs could be noise, and are confirmed.
func (b Binary) signs(ctx context.Context, name string, first, second Timing, suspected func(Kind) bool, left func() time.Duration) (signs []Sign, unsure string, err error) {
	quickest, err := b.quickest(ctx, name, min(first.Op, second.Op), suspected, left)
	if err != nil {
		return nil, "", err
	}
	switch {
	case second.N >= most && second.Total() < long:
		signs = append(signs, Sign{NotRepeated, name, fmt.Sprintf("%d operations are counted in %v: the time does not grow with their number", second.N, second.Total().Round(time.Microsecond))})
	case quickest < fastest:
		signs = append(signs, Sign{TooFast, name, fmt.Sprintf("%.2g ns an operation: less than a call takes", quickest)})
	}
	for _, c := range []struct {
		kind      Kind
		candidate bool
		confirm   func(context.Context, string, Timing, func() time.Duration) (found, unsure string, err error)
		by        Timing
	}{
		{Growing, grows(first, second), b.growing, first},
		{MostlyPaused, second.N >= steady && second.Wall > paused*second.Total() && suspected(MostlyPaused), b.pausedMostly, second},
		{SetupCounted, first.Total() >= leastSetup && suspected(SetupCounted), b.setupCounted, first},
	} {
		if !c.candidate {
			continue
		}
		found, unsure, err := c.confirm(ctx, name, c.by, left)
		if err != nil || unsure != "" {
			return signs, unsure, err
		}
		if found != "" {
			signs = append(signs, Sign{c.kind, name, found})
		}
	}
	return signs, "", nil
}

// quickest is the least time of an operation. Where the source says that less is done than it
// seems, runs of a moment may find one in which nobody else had the CPU.
func (b Binary) quickest(ctx context.Context, name string, op float64, suspected func(Kind) bool, left func() time.Duration) (float64, error) {
	for range 10 {
		if op < fastest || op > 100*fastest || !suspected(TooFast) {
			break
		}
		out, err := b.run(ctx, pattern(name), "1ms", left())
		if err != nil {
			return op, err
		}
		if t := out.timings[name]; t.N > 0 {
			op = min(op, t.Op)
		}
	}
	return op, nil
}

// grows reports whether an operation seems to take much longer where there are more of them: in
// the longer of two runs; or so much that a run took far longer than it was to, and both have
// the same number of them.
func grows(few, many Timing) bool {
	if many.N < 2*few.N {
		return few.N >= 10*steady && few.Total() > 3*short
	}
	return few.N >= steady && many.Op > seems*few.Op
}

// growing confirms that an operation takes longer where there are eight times as many.
func (b Binary) growing(ctx context.Context, name string, first Timing, left func() time.Duration) (found, unsure string, err error) {
	few := first.N
	if first.Total() > 3*short {
		few = max(first.N/8, steady)
	}
	many := 8 * few
	p, unsure, err := b.pairs(ctx, name, few, many, left, func(p pairs) bool {
		return least(p.many, opTime) > growth*greatest(p.few, opTime) && p.leastCPU() > growth*p.mostCPU()
	})
	if p.held {
		found = fmt.Sprintf("an operation takes %s where there are %d of them, and %s where there are %d", ns(greatest(p.few, opTime)), few, ns(least(p.many, opTime)), many)
	}
	return found, unsure, err
}

// pausedMostly confirms that the timer stands for most of the time that operations take. What
// is prepared once takes time, too: only what each of seven eighths of the operations adds counts.
func (b Binary) pausedMostly(ctx context.Context, name string, by Timing, left func() time.Duration) (found, unsure string, err error) {
	each := max(by.Wall/time.Duration(by.N), 1)
	few := max(int64(50*time.Millisecond/each), 2)
	many := 8 * few
	perOp := func(p pairs) float64 {
		return min(least(p.many, wallTime)-greatest(p.few, wallTime), least(p.many, cpuTime)-greatest(p.few, cpuTime)) / float64(many-few)
	}
	measured := func(p pairs) float64 { return max(greatest(p.many, opTime), greatest(p.few, opTime)) }
	p, unsure, err := b.pairs(ctx, name, few, many, left, func(p pairs) bool { return perOp(p) > paused*measured(p) })
	if p.held {
		found = fmt.Sprintf("the timer stood for %.0f %% of the time", 100*(1-measured(p)/perOp(p)))
	}
	return found, unsure, err
}

// setupCounted confirms that a part of a benchmark's time belongs to no operation: what is left
// at none of them. A first operation may well be slower than those after it, so that it takes
// half of the time of a few. Both counts begin with a run of one operation: what a process does
// only once is in neither.
func (b Binary) setupCounted(ctx context.Context, name string, first Timing, left func() time.Duration) (found, unsure string, err error) {
	few := max(first.N, 2)
	many := 5 * few
	setup := func(p pairs) float64 {
		op := (greatest(p.many, totalTime) - least(p.few, totalTime)) / float64(many-few)
		return least(p.few, totalTime) - op*float64(few)
	}
	p, unsure, err := b.pairs(ctx, name, few, many, left, func(p pairs) bool {
		return setup(p) > float64(leastSetup) && setup(p) > least(p.few, totalTime)/2
	})
	if p.held {
		found = fmt.Sprintf("%v of %s pass before the first operation and are counted",
			time.Duration(setup(p)).Round(time.Millisecond), time.Duration(least(p.few, totalTime)).Round(time.Millisecond))
	}
	return found, unsure, err
}

// ns shows the time of an operation.
func ns(x float64) string { return time.Duration(x).Round(time.Nanosecond).String() }
