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

// The kinds of signs.
const (
	TooFast      Kind = "below-1ns"     // less than one call takes
	NotRepeated  Kind = "time-flat"     // the time does not grow with the number of operations
	Growing      Kind = "time-grows"    // an operation takes longer the more there are
	MostlyPaused Kind = "timer-stopped" // the timer stands for most of the time
	SetupCounted Kind = "setup-timed"   // a first part of the time belongs to no operation
)

// The two benchtimes that are held against each other.
const (
	short = 10 * time.Millisecond
	long  = 100 * time.Millisecond
)

// Limits of what counts as a sign: far from what noise does, even where a machine is busy.
const (
	fastest = 1.0 // ns/op
	growth  = 1.7 // times as long an operation, in the long run
	most    = 1e9 // operations: the testing package stops there whatever the time
	paused  = 5   // times as long as what is measured
	// steady is how many operations a run must have to tell how long one takes.
	steady = 10
	// leastSetup is a part of the second that go test measures by default: 2 %.
	leastSetup = 20 * time.Millisecond
)

// timeout of one run of a package: its benchmarks are run for a moment, so that one of them hangs.
const timeout = 10 * time.Minute

// Signs runs the benchmarks twice, for times that differ tenfold, and those again that look
// wrong. Progress is told what runs.
func (b Binary) Signs(ctx context.Context, bench string, now func() time.Time) (signs []Sign, ran Timings, err error) {
	brief, err := b.Run(ctx, bench, short.String(), timeout, now)
	if err != nil {
		return nil, brief, err
	}
	ran, err = b.Run(ctx, bench, long.String(), timeout, now)
	if err != nil {
		return nil, ran, err
	}
	for _, name := range ran.names() {
		first, ok := brief[name]
		if !ok {
			continue // it has a name that changes from run to run
		}
		found, err := b.signs(ctx, name, first, ran[name], now)
		if err != nil {
			return signs, ran, err
		}
		signs = append(signs, found...)
	}
	return signs, ran, nil
}

func (b Binary) signs(ctx context.Context, name string, first, second Timing, now func() time.Time) (signs []Sign, err error) {
	add := func(kind Kind, format string, args ...any) {
		signs = append(signs, Sign{kind, name, fmt.Sprintf(format, args...)})
	}
	switch {
	case second.N >= most && second.Total() < long:
		add(NotRepeated, "%d operations are counted in %v: the time does not grow with their number", second.N, second.Total().Round(time.Microsecond))
	case second.Op < fastest:
		add(TooFast, "%.2g ns an operation: less than a call takes", second.Op)
	}
	if grows(first, second) {
		// Once more: a machine that was busy during one of the runs looks the same.
		again, err := b.Run(ctx, Pattern(name), short.String(), timeout, now)
		if err != nil {
			return signs, err
		}
		later, err := b.Run(ctx, Pattern(name), long.String(), timeout, now)
		if err != nil {
			return signs, err
		}
		if f, s := again[name], later[name]; grows(slower(first, f), quicker(second, s)) {
			add(Growing, "an operation takes %s where there are %d of them, and %s where there are %d", ns(slower(first, f).Op), first.N, ns(quicker(second, s).Op), second.N)
		}
	}
	if second.N >= steady && second.Wall > paused*second.Total() && second.Wall > long {
		add(MostlyPaused, "the timer stood for %.0f %% of the time", 100*(1-float64(second.Total())/float64(second.Wall)))
	}
	setup, of, err := b.setup(ctx, name, first, second, now)
	if err != nil {
		return signs, err
	}
	if setup > leastSetup {
		add(SetupCounted, "%v of %s pass before the first operation and are counted", setup.Round(time.Millisecond), of.Round(time.Millisecond))
	}
	return signs, nil
}

// grows reports whether an operation takes much longer where there are more of them.
func grows(few, many Timing) bool {
	return few.N >= steady && many.N >= 3*few.N && many.Op > growth*few.Op
}

func slower(a, b Timing) Timing {
	if b.Op > a.Op {
		return b
	}
	return a
}

func quicker(a, b Timing) Timing {
	if b.N > 0 && b.Op < a.Op {
		return b
	}
	return a
}

// setup is the part of a benchmark's time that belongs to no operation: what is left at none
// of them. A benchmark that fills its time with a few operations is run for five.
func (b Binary) setup(ctx context.Context, name string, first, second Timing, now func() time.Time) (setup, of time.Duration, err error) {
	few, many := first, second
	if few.Total() < leastSetup {
		return 0, 0, nil
	}
	if many.N < 5*few.N {
		again, err := b.Run(ctx, Pattern(name), fmt.Sprintf("%dx", 5*few.N), timeout, now)
		if err != nil {
			return 0, 0, err
		}
		many = again[name]
	}
	if many.N <= few.N {
		return 0, 0, nil
	}
	op := float64(many.Total()-few.Total()) / float64(many.N-few.N)
	rest := time.Duration(float64(few.Total()) - op*float64(few.N))
	if float64(rest) < 0.5*float64(few.Total()) {
		return 0, 0, nil // a first operation may well be slower than those after it
	}
	return rest, few.Total(), nil
}

// ns shows the time of an operation.
func ns(x float64) string { return time.Duration(x).Round(time.Nanosecond).String() }
