package shortrun

import (
	"context"
	"fmt"
	"time"

	"github.com/perftrack/perftrack/runner/gobench"
)

// A Sign is a pattern in the times of a benchmark that indicates a fault.
type Sign struct {
	Kind  Kind
	Name  string // name of the benchmark, without the prefix Benchmark
	Found string
}

// Kind is the kind of a sign.
type Kind string

// The kinds of signs. Judge looks for the last two only if the source makes them likely.
const (
	TooFast      Kind = "below-1ns"     // an operation takes less time than a function call
	NotRepeated  Kind = "time-flat"     // the time does not increase with the number of operations
	Growing      Kind = "time-grows"    // operations take longer as their number increases
	MostlyPaused Kind = "timer-stopped" // the timer is stopped for most of the time
	SetupCounted Kind = "setup-timed"   // the first part of the measured time does not belong to any operation
)

// Thresholds for signs.
const (
	fastest = 1.0 // ns/op
	seems   = 1.5 // ratio of the longer run's ns/op to the shorter run's that requires confirmation
	growth  = 1.7 // ratio of ns/op that confirms growth, with eight times as many operations
	most    = 1e9 // the testing package's maximum number of operations
	paused  = 5   // total time divided by measured time
	// steady is the number of operations needed for a reliable time per operation.
	steady = 10
	// leastSetup is 2 % of go test's default benchtime of one second.
	leastSetup = 20 * time.Millisecond
)

// signs returns the signs in two runs of a benchmark. A busy machine can make times longer but not
// shorter, so times that are too short or do not increase need no further runs. The other signs
// might be noise and are confirmed by more runs.
func (b Binary) signs(ctx context.Context, name string, first, second Timing, suspected func(Kind) bool, left func() time.Duration) (signs []Sign, unsure string, err error) {
	quickest, err := b.quickest(ctx, name, min(first.Op, second.Op), suspected, left)
	if err != nil {
		return nil, "", err
	}
	switch {
	case second.N >= most && second.Total() < long:
		signs = append(signs, Sign{NotRepeated, name, fmt.Sprintf("%d operations took %v: the time does not grow with the number of operations", second.N, second.Total().Round(time.Microsecond))})
	case quickest < fastest:
		signs = append(signs, Sign{TooFast, name, fmt.Sprintf("%.2g ns per operation is less than a call takes", quickest)})
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

// quickest returns the smallest time per operation in ns. If the source suggests that operations do
// little, it tries several very short runs, because one of them may have the CPU to itself.
func (b Binary) quickest(ctx context.Context, name string, op float64, suspected func(Kind) bool, left func() time.Duration) (float64, error) {
	for range 10 {
		if op < fastest || op > 100*fastest || !suspected(TooFast) {
			break
		}
		out, err := b.run(ctx, gobench.Expression(name), "1ms", left())
		if err != nil {
			return op, err
		}
		if t := out.timings[name]; t.N > 0 {
			op = min(op, t.Op)
		}
	}
	return op, nil
}

// grows reports whether operations seem to take longer as their number increases. They do if the
// longer of the two runs has a much higher time per operation, or if both runs have a similar
// number of operations but the shorter run took far too long.
func grows(few, many Timing) bool {
	if many.N < 2*few.N {
		return few.N >= 10*steady && few.Total() > 3*short
	}
	return few.N >= steady && many.Op > seems*few.Op
}

// growing confirms that the time per operation rises with eight times as many operations.
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
		found = fmt.Sprintf("an operation takes %s in a run of %d operations but %s in a run of %d", ns(greatest(p.few, opTime)), few, ns(least(p.many, opTime)), many)
	}
	return found, unsure, err
}

// pausedMostly confirms that the timer is stopped for most of the time the operations take. It uses
// the difference between runs with two numbers of operations, because preparation also takes time.
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
		found = fmt.Sprintf("the timer was stopped for %.0f %% of the time", 100*(1-measured(p)/perOp(p)))
	}
	return found, unsure, err
}

// setupCounted confirms that part of a benchmark's measured time does not belong to any operation.
// This part is the time extrapolated to zero operations. It must be more than half the time of the
// short run, because the first operation may be slower than later ones. The testing package
// executes one operation before the run itself, so work done once per process is not included in
// either time.
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
		found = fmt.Sprintf("%v of %s pass before the first operation but are measured",
			time.Duration(setup(p)).Round(time.Millisecond), time.Duration(least(p.few, totalTime)).Round(time.Millisecond))
	}
	return found, unsure, err
}

// ns formats a time in nanoseconds.
func ns(x float64) string { return time.Duration(x).Round(time.Nanosecond).String() }
