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
	// usualLength is the length of a slice unless the benchmark needs longer slices, and longest is
	// the upper limit. Precision depends on the number of slices rather than on their length, but
	// each slice has an overhead of a few tenths of a millisecond. The machine changes little
	// during a slice of up to longest; for anything longer, fresh processes are just as good.
	// Slices of up to bearable are worthwhile even if fresh processes would run only briefly.
	usualLength, bearable, longest = 2 * time.Millisecond, 10 * time.Millisecond, 50 * time.Millisecond

	// usualSlices is the number of pairs that noise estimates assume. fewSlices is the number to
	// use if their times hardly vary, and leastSlices is the minimum.
	usualSlices, fewSlices, leastSlices = 50, 20, 12

	// leastOperations is the minimum number of operations per side in a round. With that many, most
	// rounds include a slow operation even if only one operation in fifty is slow.
	leastOperations = 50

	// timedFor limits how long a side is timed in a round, as a multiple of benchtime.
	// leastTimedFor is the limit for rounds with the fewest slices. takes limits the total time of
	// a side in a round, also as a multiple of benchtime.
	timedFor, leastTimedFor, takes = 1.5, 2.4, 3

	// longer is the largest factor by which a round may exceed its usual length if there is time
	// and the threshold requires it.
	longer = 4

	// patience limits how long choosing a method may take. A second or two are enough on an idle
	// machine, but slices are most valuable on a busy one.
	patience = time.Minute

	// usualThreshold is the default for the smallest change that matters.
	usualThreshold = 0.05
)

// Choose chooses the method for a benchmark by measuring a few slices. It uses the sides, name,
// flags, CPUs and time limit of spec. long holds the result of one fresh process of each side,
// which ran for about benchtime. In a round, each side should be timed for benchtime. threshold is
// the smallest change that matters, as a fraction; 0 means 5 %. If slices do not work or are not
// needed, the returned Method contains the reason. Errors come from the machine or from ctx.
//
// Choose starts a few dozen pairs of processes. It takes a second or two, and longer if operations
// are slow or if it has to measure garbage collections. It gives up after a minute.
func Choose(ctx context.Context, spec turnstile.Spec, long [2]*benchfmt.Result, benchtime time.Duration, affords Affords, threshold float64) (Method, error) {
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
		return Method{Why: cannot.Why, Detail: cannot.Detail, OutOfTime: c.outOfTime}, nil
	}
	return w, err
}

// Affords holds the time available for a round of both sides and for the choice; 0 means the usual
// time. A usual round takes up to six times benchtime. A shorter or longer Round changes this, up
// to 24 times benchtime. Choice has an effect only if it is shorter than the usual limit of a
// minute.
type Affords struct{ Round, Choice time.Duration }

// costs holds the costs of one operation as the benchmark printed them; 0 means unknown.
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

// A chooser tries out a benchmark to choose its method.
type chooser struct {
	ctx       context.Context
	spec      turnstile.Spec // for the slices
	plain     turnstile.Spec // spec without additional settings
	calmed    bool           // whether garbage collections stop the world in spec; see calm
	threads   float64        // number of threads at work, if known; see stretched
	long      [2]costs
	benchtime time.Duration
	threshold float64
	affords   time.Duration // time available for a round of both sides
	within    time.Duration // time limit for the choice if it is shorter than the usual one
	until     time.Time     // when to give up; the zero time means never
	outOfTime bool
	quickest  func(n, pairs int) ([2]float64, error) // measures the time of a slice on each side; see undisturbed
}

// refuse returns an error that ends the choice in favor of fresh processes. why is a reason that
// applies to many benchmarks, and detail adds the numbers for this one.
func refuse(why, detail string, args ...any) error {
	return &turnstile.SliceError{Why: why, Detail: fmt.Sprintf(detail, args...)}
}

func (c *chooser) choose() (Method, error) {
	if err := turnstile.Supported(); err != nil {
		return Method{Why: err.Error()}, nil
	}
	perOp := (c.long[0].time + c.long[1].time) / 2
	if !(min(c.long[0].time, c.long[1].time) > 0) {
		return Method{}, refuse("it reports no time per operation", "")
	}
	if perOp > float64(c.longest()) {
		return Method{}, refuse("an operation takes too long for turns of milliseconds", "%v", round(perOp))
	}
	n, perOp, err := c.representative(operationsOf(usualLength, perOp))
	if err != nil {
		return Method{}, err
	}
	if !c.hurried() {
		if n, err = c.inPhases(n, perOp); err != nil {
			return Method{}, err
		}
	}
	c.calm(n)
	c.pin()
	w, p, err := c.settled(n, perOp)
	if err != nil {
		return Method{}, err
	}
	if err := c.contradicted(p); err != nil {
		return Method{}, err
	}
	w.Length = time.Duration(p.length())
	w.Slices = c.slices(p, n)
	return w, c.tooLong(p)
}

// tooLong refuses slices if even the shortest round allowed would take too long.
func (c *chooser) tooLong(p probe) error {
	if c.fit(p) < leastSlices {
		return refuse("its turns take too long", "%v each, including the work around them, for at least %d turns a round", round(p.length()), leastSlices)
	}
	return nil
}

// most returns the time limit for the choice.
func (c *chooser) most() time.Duration {
	if c.within > 0 {
		return min(patience, c.within)
	}
	return patience
}

// longest returns the limit on the length of a slice, which keeps a round with the fewest slices
// from taking too long.
func (c *chooser) longest() time.Duration {
	return min(longest, max(bearable, time.Duration(leastTimedFor*c.usualTimes()*float64(c.benchtime))/leastSlices))
}

// usualTimes returns how long a round may be, as a multiple of its usual length.
func (c *chooser) usualTimes() float64 {
	return min(longer, max(1, float64(c.affords)/(2*takes*float64(c.benchtime))))
}

// operationsOf returns the number of operations that take the given length of time.
func operationsOf(length time.Duration, perOp float64) int {
	return max(1, int(math.Ceil(float64(length)/perOp)))
}

// settled decides whether parked sides must be stopped. It returns the method, and the probe that
// determines the number of slices per round.
func (c *chooser) settled(n int, perOp float64) (Method, probe, error) {
	const pairs = 24
	w := Method{N: n, Calm: c.calmed, Pinned: c.spec.OnCPU > 0}
	for {
		p, err := c.probe(c.spec, w.iterations(c.spec.Name, 0), max(leastPairs, min(pairs, int(float64(c.benchtime)/(perOp*float64(n))))), w.Stopped)
		switch {
		case err != nil:
			return Method{}, probe{}, err
		case p.length() > 2*float64(c.longest()):
			return Method{}, probe{}, refuse("other work in its process prolongs its turns", "%v instead of %v", round(p.length()), round(perOp*float64(n)))
		case !p.restless():
			return w, p, nil
		case w.Stopped:
			return Method{}, probe{}, refuse("its process works even while it is stopped", "")
		}
		w.Stopped = true
	}
}

// fit returns the largest number of pairs of slices that fit into the time limits of a round.
func (c *chooser) fit(p probe) int {
	const before = warmUp + 2 // includes the start of the process
	benchtime := c.usualTimes() * float64(c.benchtime)
	timed := max(timedFor*benchtime/p.length(), min(leastSlices, leastTimedFor*benchtime/p.length()))
	most := max(2*float64(bearable*leastSlices), takes*benchtime)
	if c.hurried() {
		most = float64(c.affords) // twice the time of brief samples in fresh processes
	}
	return int(min(max(float64(bearable*leastSlices)/p.length(), timed), most/p.whole()-before))
}

// slices returns the number of pairs of slices per round, where each slice has n operations. The
// number is at most fit(p). Some of the variance between rounds comes from the processes, and
// adding slices does not reduce it; each round also has overhead beyond its slices. The best
// compromise follows Kalibera and Jones, "Rigorous benchmarking in reasonable time", ISMM 2013. If
// time is short, slices returns fewer, because a benchmark without any rounds is not checked.
func (c *chooser) slices(p probe, n int) int {
	one := math.Sqrt(usualSlices) * deviation(p.times()) // standard deviation of one pair of slices
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

// leastOf returns the minimum number of pairs of slices per round, for slices of n operations: at
// least fewSlices, enough to include slow operations, and enough to fill a fifth of benchtime, so a
// longer benchtime has an effect.
func leastOf(n int, length, benchtime time.Duration) int {
	return max(fewSlices, (leastOperations+n-1)/max(1, n), int(benchtime/max(1, 5*length)))
}

const (
	// betweenRounds is the usual difference between rounds, as a fraction of the threshold.
	// roundCost is the usual overhead of a round beyond its slices: linking the binaries, starting
	// the two processes, and running their first slices.
	betweenRounds = 0.6
	roundCost     = 80 * time.Millisecond

	// mostSlices is the largest number of pairs per round at the usual threshold. It limits the
	// effect of a disturbed probe.
	mostSlices = 75
)

// nextOf rounds slices up to one of a few values, so the same code on the same machine always gets
// the same number.
func nextOf(slices float64) int {
	numbers := []int{fewSlices, 30, usualSlices, 75, 100, 150, 200, 300, 400, 600, 800, 1200}
	for _, n := range numbers {
		if slices <= float64(n) {
			return n
		}
	}
	return numbers[len(numbers)-1]
}

// deviation returns the standard deviation of a round's value, for a round with the usual number of
// slices. It is bootstrapped from the slices of a probe (Efron 1979).
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

// short reports whether there is too little time for rounds of the usual length.
func (c *chooser) short() bool {
	return c.affords > 0 && float64(c.affords) < 2*takes*float64(c.benchtime)
}

// hurried reports whether there is time for less than half of a usual round, because many
// benchmarks share the budget. The choice then treats periodic events as noise.
func (c *chooser) hurried() bool {
	return c.affords > 0 && float64(c.affords) < takes*float64(c.benchtime)
}

// round rounds a time for use in messages.
func round(ns float64) time.Duration {
	d := time.Duration(ns)
	if d > time.Millisecond {
		return d.Round(100 * time.Microsecond)
	}
	return d.Round(10 * time.Microsecond)
}
