package slicing

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/turnstile"
)

const (
	// usualLength and longest are the lengths of a slice. Precision follows the number of slices and not
	// their length, but around each some tenths of a millisecond are lost. Up to the longest the machine
	// does not change much meanwhile; from there on fresh processes are as good. Slices of bearable
	// length are worth their time even where fresh processes run for a moment only.
	usualLength, bearable, longest = 2 * time.Millisecond, 10 * time.Millisecond, 50 * time.Millisecond

	// usualSlices is how many pairs of slices the noise of a round is told of, fewSlices how many it has
	// where they hardly scatter, and leastSlices how many in any case.
	usualSlices, fewSlices, leastSlices = 50, 20, 12

	// leastOperations is how many operations a side has in a round at least: if one in fifty is slow, most rounds
	// are to see one.
	leastOperations = 50

	// timedFor is how many times benchtime a side may be timed in a round, leastTimedFor where these
	// are the least slices of a round, and takes how long it may take with what is not timed.
	timedFor, leastTimedFor, takes = 1.5, 2.4, 3

	// longer is how many times as long a round takes at most where there is time for it, and the
	// threshold asks for it.
	longer = 4

	// patience is how long a choice may take. An idle machine needs a second or two, and a busy one is
	// where slices are worth most.
	patience = time.Minute

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
// It takes some dozen pairs of processes, and a second or two; more where operations take long, or where
// the collections of what is allocated have to be measured. After a minute it gives up.
func Choose(ctx context.Context, spec turnstile.Spec, long [2]*benchfmt.Result, benchtime time.Duration, affords Affords, threshold float64) (Way, error) {
	if threshold <= 0 {
		threshold = usualThreshold
	}
	c := chooser{ctx: ctx, spec: spec, plain: spec, benchtime: benchtime, affords: affords.Round, within: affords.Choice, threshold: threshold}
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
	spec      turnstile.Spec // of the slices
	plain     turnstile.Spec // as the benchmark runs by itself
	calmed    bool           // spec stops the world for collections: see calm
	threads   float64        // at work, as far as it is known: see stretched
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
	perOp := (c.long[0].time + c.long[1].time) / 2
	if !(min(c.long[0].time, c.long[1].time) > 0) {
		return Way{}, refuse("it has no time per operation")
	}
	if perOp > float64(c.longest()) {
		return Way{}, refuse("an operation takes too long for a turn of milliseconds (%v)", round(perOp))
	}
	n, perOp, err := c.representative(operationsOf(usualLength, perOp))
	if err != nil {
		return Way{}, err
	}
	if !c.hurried() {
		if n, err = c.inPhases(n, perOp); err != nil {
			return Way{}, err
		}
	}
	c.calm(n)
	c.pin()
	w, p, err := c.settled(n, perOp)
	if err != nil {
		return Way{}, err
	}
	if err := c.contradicted(p); err != nil {
		return Way{}, err
	}
	w.Length = time.Duration(p.length())
	w.Slices = c.slices(p, n)
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
	if c.within > 0 {
		return min(patience, c.within)
	}
	return patience
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

// settled says whether parked sides are to be stopped, and returns the slices that tell how many a round
// needs.
func (c *chooser) settled(n int, perOp float64) (Way, probe, error) {
	const pairs = 24
	w := Way{N: n, Calm: c.calmed, Pinned: c.spec.OnCPU > 0}
	for {
		p, err := c.probe(c.spec, w.iterations(c.spec.Name, 0), max(leastPairs, min(pairs, int(float64(c.benchtime)/(perOp*float64(n))))), w.Stopped)
		switch {
		case err != nil:
			return Way{}, probe{}, err
		case p.length() > 2*float64(c.longest()):
			return Way{}, probe{}, refuse("something else goes on in its process, and makes its turns longer (of %v, and %v came out)", round(perOp*float64(n)), round(p.length()))
		case !p.restless():
			return w, p, nil
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
	most := max(2*float64(bearable*leastSlices), takes*benchtime)
	if c.hurried() {
		most = float64(c.affords) // brief samples of fresh processes take half of it a side
	}
	return int(min(max(float64(bearable*leastSlices)/p.length(), timed), most/p.whole()-before))
}

// slices is how many pairs of slices of n operations a round has, no more than fit. Of the variance between
// rounds the processes have a part of their own, which no number of slices makes smaller, and a round costs
// time beside its slices: how many that makes worthwhile is by Kalibera and Jones, "Rigorous benchmarking in
// reasonable time", ISMM 2013. Where there is no time for so many it is as few as are needed, since a
// benchmark that gets no rounds is not checked at all.
func (c *chooser) slices(p probe, n int) int {
	one := math.Sqrt(usualSlices) * deviation(p.times()) // of one pair of slices
	needed := nextOf(one / (betweenRounds * c.threshold) * math.Sqrt(float64(roundCost)/(2*p.whole())))
	needed = min(needed, int(mostSlices*usualThreshold/c.threshold))
	if c.short() {
		needed = min(needed, int(float64(c.affords)/(2*p.whole())))
	}
	least := leastOf(n, time.Duration(p.length()), c.benchtime)
	if c.hurried() {
		least = leastSlices
	}
	return min(c.fit(p), max(least, needed))
}

// leastOf returns how many pairs of slices of n operations a round has at least, if they fit: a few, enough to see
// slow operations, and as many as take a fifth of benchtime, so that a longer benchtime gives more.
func leastOf(n int, length, benchtime time.Duration) int {
	return max(fewSlices, (leastOperations+n-1)/max(1, n), int(benchtime/max(1, 5*length)))
}

const (
	// betweenRounds is what rounds differ by, as a part of the threshold, and roundCost what one costs
	// beside its slices: two processes, their first slices and their links. Both are usual ones.
	betweenRounds = 0.6
	roundCost     = 80 * time.Millisecond

	// mostSlices is how many pairs a round has at most at the usual threshold: a probe is short, and may be
	// disturbed.
	mostSlices = 75
)

// nextOf is the next of a few numbers of slices: the same code on the same machine shall get the same.
func nextOf(slices float64) int {
	numbers := []int{fewSlices, 30, usualSlices, 75, 100, 150, 200, 300, 400, 600, 800, 1200}
	for _, n := range numbers {
		if slices <= float64(n) {
			return n
		}
	}
	return numbers[len(numbers)-1]
}

// deviation is the standard deviation of the value of rounds of as many slices as usual, drawn from those
// of a probe again and again (Efron 1979).
func deviation(times [][2]float64) float64 {
	const rounds = 200
	rng := rand.New(rand.NewPCG(1, 2))
	drawn := make([][2]float64, usualSlices)
	sum, squares, n := 0.0, 0.0, 0.0
	for range rounds {
		for i := range drawn {
			drawn[i] = times[rng.IntN(len(times))]
		}
		if x := valueOfRound(drawn); !math.IsNaN(x) {
			sum, squares, n = sum+x, squares+x*x, n+1
		}
	}
	mean := sum / n
	return math.Sqrt(max(0, squares/n-mean*mean))
}

// short reports whether there is no time for rounds as long as usual.
func (c *chooser) short() bool {
	return c.affords > 0 && float64(c.affords) < 2*takes*float64(c.benchtime)
}

// hurried reports whether there is time for less than half of a usual round, because many benchmarks share the
// budget. Phases are left to be noise then.
func (c *chooser) hurried() bool {
	return c.affords > 0 && float64(c.affords) < takes*float64(c.benchtime)
}

// round is a time as it is told.
func round(ns float64) time.Duration {
	d := time.Duration(ns)
	if d > time.Millisecond {
		return d.Round(100 * time.Microsecond)
	}
	return d.Round(10 * time.Microsecond)
}
