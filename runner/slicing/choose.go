package slicing

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/turnstile"
)

const (
	// shortest and longest are the lengths of a slice. Up to the longest the machine does not
	// change much meanwhile; from there on fresh processes are as good. Slices of bearable length
	// are worth their time even where fresh processes run for a moment only.
	shortest, bearable, longest = 500 * time.Microsecond, 10 * time.Millisecond, 50 * time.Millisecond

	// usualSlices is how many pairs of slices a round has where that takes no longer than it is
	// to be timed, fewSlices how many where these take up to half as long again, and leastSlices how
	// many it has in any case.
	usualSlices, fewSlices, leastSlices = 50, 20, 12

	// timedFor is how many times benchtime a side may be timed in a round, leastTimedFor where these
	// are the least slices of a round, and takes how long it may take with what is not timed: a fresh
	// process takes a third more than benchtime.
	timedFor, leastTimedFor, takes = 1.5, 2.4, 3

	// plain is how many times as long as the other a side takes where nothing sharper is needed, and
	// there is no time for it.
	plain = 2

	// longer is how many times as long a round takes at most where there is time for it.
	longer = 4

	// patience is how many times benchtime, and atLeast how long, a choice may take: an idle machine
	// needs a part of it, and a busy one is where slices are worth most.
	patience, atLeast = 200, 20 * time.Second

	// usualThreshold is the smallest change that matters, where nobody said.
	usualThreshold = 0.05
)

// Choose decides how a benchmark is measured, from what it does in a few slices. Of the spec it
// needs the sides, the name, the flags, the CPUs and the time limit. long is what a fresh process
// of each side printed of the benchmark, of about the time benchtime; that is also how long each
// side is to be timed in a round. affords says what there is time for. threshold is the smallest change that
// matters, as a share: 0 is 5 %. A benchmark that cannot be sliced, or need not, is a Way that says why; an error is that of
// the machine or of ctx.
//
// It takes some fifteen pairs of processes, and times each side for two to three times benchtime; more
// where operations take long, or where the collections of what is allocated have to be measured. After
// two hundred times benchtime, or twenty seconds, it gives up.
func Choose(ctx context.Context, spec turnstile.Spec, long [2]*benchfmt.Result, benchtime time.Duration, affords Affords, threshold float64) (Way, error) {
	if threshold <= 0 {
		threshold = usualThreshold
	}
	c := chooser{ctx: ctx, spec: spec, benchtime: benchtime, affords: affords.Round, within: affords.Choice, threshold: threshold}
	c.until, c.quickest = time.Now().Add(c.most()), c.undisturbed
	for side, r := range long {
		c.long[side] = costsOf(r)
	}
	w, err := c.choose()
	var cannot *turnstile.SliceError
	if errors.As(err, &cannot) {
		return Way{Why: cannot.Why}, nil
	}
	return w, err
}

// Affords is what there is time for, 0 for as much as usual: a round of both sides, where that is
// longer than six times benchtime, at most four times that; and the choice, where it has less time
// than that after which it gives up.
type Affords struct{ Round, Choice time.Duration }

// costs are what a benchmark printed of an operation; 0 is none.
type costs struct{ time, bytes, allocs float64 }

func costsOf(r *benchfmt.Result) costs {
	value := func(unit string) float64 {
		if r == nil {
			return 0
		}
		if v := valueOf(r, 0, unit); !math.IsNaN(v) {
			return v
		}
		return 0
	}
	return costs{value("ns/op"), value("B/op"), value("allocs/op")}
}

// A chooser asks a benchmark until it knows how to measure it.
type chooser struct {
	ctx       context.Context
	spec      turnstile.Spec
	long      [2]costs
	benchtime time.Duration
	threshold float64
	affords   time.Duration                          // to a round of both sides
	within    time.Duration                          // the choice is to end, where that is sooner than usual
	until     time.Time                              // then it gives up; never if zero
	quickest  func(n, pairs int) ([2]float64, error) // of a slice of each side: see undisturbed
}

// refuse ends the choice: fresh processes are to measure the benchmark. What is in parentheses at the
// end of its words is of this benchmark, which reports leave out.
func refuse(format string, args ...any) error {
	return &turnstile.SliceError{Why: fmt.Sprintf(format, args...)}
}

func (c *chooser) choose() (Way, error) {
	if err := turnstile.Supported(); err != nil {
		return Way{Why: err.Error()}, nil
	}
	perOp := math.Sqrt(c.long[0].time * c.long[1].time)
	if !(perOp > 0) {
		return Way{}, refuse("it has no time per operation")
	}
	if by := math.Abs(math.Log(c.long[1].time / c.long[0].time)); c.short() && by > math.Log(plain) {
		return Way{}, refuse(OneSideLonger+" (%.1f times as long)", math.Exp(by))
	}
	if perOp > float64(c.longest()) {
		return Way{}, refuse("an operation takes too long for a turn of milliseconds (%v)", round(perOp))
	}
	n, perOp, err := c.representative(operationsOf(shortest, perOp))
	if err != nil {
		return Way{}, err
	}
	if n, err = c.inPhases(n, perOp); err != nil {
		return Way{}, err
	}
	w, p, err := c.settled(n, perOp)
	if err != nil {
		return Way{}, err
	}
	w.Length = time.Duration(p.length())
	w.Estimator = Pick(p.times(), p.owed(), c.threshold)
	w.Slices = c.slices(p, w)
	return w, c.tooLong(p)
}

// tooLong refuses slices of which the least that make a round take longer than one is worth.
func (c *chooser) tooLong(p probe) error {
	if c.fit(p) < leastSlices {
		return refuse("its turns take too long (%v each, with what is done around them, and a round has at least %d)", round(p.length()), leastSlices)
	}
	return nil
}

// most is how long a choice may take.
func (c *chooser) most() time.Duration {
	usual := max(atLeast, patience*c.benchtime)
	if c.within > 0 {
		return min(usual, c.within)
	}
	return usual
}

// longest is how long a slice may be: that the fewest of a round take no longer than is worth it.
func (c *chooser) longest() time.Duration {
	return min(longest, max(bearable, time.Duration(leastTimedFor*c.usualTimes()*float64(c.benchtime))/leastSlices))
}

// usualTimes is how many times as long as a usual round one may take.
func (c *chooser) usualTimes() float64 {
	return min(longer, max(1, float64(c.affords)/(2*takes*float64(c.benchtime))))
}

// operationsOf is how many make a length.
func operationsOf(length time.Duration, perOp float64) int {
	return max(1, int(math.Ceil(float64(length)/perOp)))
}

// representative returns how many operations a slice has at least so that it stands for a long
// sample: those of the shortest slice, or a power of two as many.
func (c *chooser) representative(n int) (operations int, perOp float64, err error) {
	p, err := c.probe(c.spec, n, 6, false)
	if err != nil {
		return 0, 0, err
	}
	// A long sample was disturbed for longer than the quickest of some slices.
	perOp = p.length() / float64(n)
	n = operationsOf(shortest, perOp)
	for {
		if p, err = c.probe(c.spec, n, 6, false); err != nil {
			return 0, 0, err
		}
		perOp = min(perOp, p.length()/float64(n))
		if c.fit(p) < leastSlices/2 { // a few slices of a busy machine tell no more precisely
			return 0, 0, c.tooLong(p)
		}
		why, factor, err := c.unlike(p, n)
		if err != nil {
			return 0, 0, err
		}
		if why == "" {
			n, err = c.collections(n, perOp)
			return n, perOp, err
		}
		if length := perOp * float64(n*factor); length > float64(c.longest()) {
			return 0, 0, refuse("%s (in turns of %v)", why, round(length/float64(factor)))
		}
		n *= factor
	}
}

// unlike says why slices of n operations do not stand for a long sample, "" if they do, and how much
// longer ones may.
func (c *chooser) unlike(p probe, n int) (why string, factor int, err error) {
	if !c.alike(p) {
		return "it does not allocate in short turns as in a long run", 2, nil
	}
	if by := p.crowded(); by > 1 {
		return "in short turns less than half of the time is timed", 1 << int(math.Ceil(math.Log2(by))), nil
	}
	if 2*p.length() > float64(c.longest()) {
		return "", 1, nil
	}
	drifts, err := c.drifts(n)
	if drifts {
		return "an operation takes longer in short turns than in long ones", 2, err
	}
	return "", 1, err
}

// settled says whether parked sides are to be stopped, and returns what most of the choice is
// made of: a hundred pairs of slices or so, in two pairs of processes, or where these are few and the
// machine is busy in four.
func (c *chooser) settled(n int, perOp float64) (Way, probe, error) {
	w := Way{N: n}
	pairs := min(usualSlices, max(fewSlices/2, int(float64(c.benchtime)/(perOp*float64(n)))))
	for {
		var all probe
		for i := range 4 {
			if i >= 2 && (pairs > usualSlices/2 || !all.busy()) {
				break
			}
			p, err := c.probe(c.spec, w.iterations(c.spec.Name, i), pairs, w.Stopped)
			if err != nil {
				return Way{}, probe{}, err
			}
			all = all.and(p)
			if p.length() > 2*float64(c.longest()) {
				return Way{}, probe{}, refuse("something else goes on in its process, and makes its turns longer (of %v, and %v came out)", round(perOp*float64(n)), round(p.length()))
			}
			if p.restless() {
				break
			}
		}
		switch {
		case !all.restless():
			return w, all, nil
		case w.Stopped:
			return Way{}, probe{}, refuse("something goes on in its process even while it is stopped")
		}
		w.Stopped = true
	}
}

// fit is how many pairs of slices a round has at most, so that it takes no longer than it is worth.
func (c *chooser) fit(p probe) int {
	const before = warmUp + 2 // its process begins as well
	benchtime := c.usualTimes() * float64(c.benchtime)
	timed := max(timedFor*benchtime/p.length(), min(leastSlices, leastTimedFor*benchtime/p.length()))
	return int(min(
		max(float64(bearable*leastSlices)/p.length(), timed),
		max(2*float64(bearable*leastSlices), takes*benchtime)/p.whole()-before,
	))
}

// slices is how many pairs of slices a round has: as many as the benchtime holds, or some more, and no
// more than fit, as far as the slices tell. Of the variance between rounds the processes have a part of
// their own, which no number of slices makes smaller. Where there is no time for usual rounds it is as
// few as are needed, since a benchmark that gets no rounds is not checked at all.
func (c *chooser) slices(p probe, w Way) int {
	length := p.length()
	least := fewSlices
	if w.Estimator == Quiet && length < float64(longest)/10 {
		least = usualSlices // of which a tenth is kept, and under load length is not what costs time
	}
	// A round may be off by two fifths of the threshold; half of that variance is the slices'.
	aim := 0.4 * c.threshold
	off := deviation(w.Estimator, p.times()) // with as many as usual
	needed := int(math.Ceil(min(1e6, usualSlices*2*off*off/(aim*aim))))
	usual := min(usualSlices, max(least, int(float64(c.benchtime)/length)))
	if c.short() {
		usual = min(usual, needed, int(float64(c.affords)/(2*p.whole())))
		return min(c.fit(p), max(least, usual))
	}
	return min(c.fit(p), max(usual, needed))
}

// short reports whether there is no time for rounds as long as usual.
func (c *chooser) short() bool {
	return c.affords > 0 && float64(c.affords) < 2*takes*float64(c.benchtime)
}

// round is a time as it is told.
func round(ns float64) time.Duration {
	d := time.Duration(ns)
	if d > time.Millisecond {
		return d.Round(100 * time.Microsecond)
	}
	return d.Round(10 * time.Microsecond)
}
