package slicing

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/perftrack/perftrack/runner/turnstile"
)

// A probed slice is what Choose wants to know of a slice; times in nanoseconds.
type probed struct {
	costs
	timed  float64 // by the benchmark
	whole  float64 // from its start until it was parked
	cpu    float64
	waited float64 // for a CPU, by all threads
	stray  float64
}

// A probe is some slices of each side.
type probe struct{ sides [2][]probed }

// probe measures pairs of slices of n operations.
func (c *chooser) probe(spec turnstile.Spec, n, pairs int, stopped bool) (probe, error) {
	p, err := c.open(spec, n, pairs, stopped)
	if err != nil {
		return probe{}, err
	}
	var out probe
	for side := range turnstile.Order(0, 2*(pairs+warmUp)) {
		s, err := take(p, side, n)
		if err != nil {
			_ = p.Close() // the first error tells why
			return probe{}, err
		}
		out.sides[side] = append(out.sides[side], s)
		if why := c.hopeless(out, time.Now()); why != "" {
			_ = p.Close()
			return probe{}, refuse("%s", why)
		}
	}
	for side := range out.sides {
		out.sides[side] = out.sides[side][warmUp:]
	}
	return out, p.Close()
}

// hopeless says why no more slices need be asked for, "" if they are: nothing makes what is prepared for
// each count shorter than a slice may be, or it takes too long to find out. Some slices may each have
// lost some milliseconds to others, which the rest of a probe tells.
func (c *chooser) hopeless(p probe, now time.Time) string {
	const some = 4
	for side, s := range p.sides {
		u, most := p.untimed(side), 2*float64(c.longest())
		if len(s) >= some && u > most || len(s) >= some/2 && u > 2*most {
			return fmt.Sprintf("%v are not timed in each slice, more than slices may take", round(u))
		}
	}
	if !c.until.IsZero() && now.After(c.until) {
		if c.within > 0 && c.most() == c.within {
			return "no more of the budget was left " + OutOfTime
		}
		return fmt.Sprintf("on a busy machine %v were not enough "+OutOfTime, c.most())
	}
	return ""
}

func (c *chooser) open(spec turnstile.Spec, n, pairs int, stopped bool) (*turnstile.Pair, error) {
	spec.N, spec.Slices, spec.Unstopped = n, pairs+warmUp, !stopped
	return turnstile.Open(c.ctx, spec)
}

// take lets a side run one slice.
func take(p *turnstile.Pair, side, n int) (probed, error) {
	begin := time.Now()
	s, err := p.Slice(side)
	if err != nil {
		return probed{}, err
	}
	return probed{
		costs:  costsOf(s.Result),
		timed:  s.Wall * float64(n),
		whole:  float64(time.Since(begin)),
		cpu:    float64(s.CPU),
		waited: float64(s.Waited),
		stray:  float64(s.Stray),
	}, nil
}

// typical is the median of something of the slices of a side.
func (p probe) typical(side int, of func(probed) float64) float64 {
	var v []float64
	for _, s := range p.sides[side] {
		v = append(v, of(s))
	}
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return middleOf(v)
}

// quiet is what a slice of the side takes where it is hardly disturbed: a tenth of all is quicker.
func (p probe) quiet(side int) float64 {
	var v []float64
	for _, s := range p.sides[side] {
		v = append(v, s.timed)
	}
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return v[len(v)/10]
}

// length is the mean length of both sides' slices, where they are hardly disturbed.
func (p probe) length() float64 { return (p.quiet(0) + p.quiet(1)) / 2 }

func (p probe) times() [][2]float64 {
	out := make([][2]float64, min(len(p.sides[0]), len(p.sides[1])))
	for i := range out {
		out[i] = [2]float64{p.sides[0][i].time, p.sides[1][i].time}
	}
	return out
}

// own are the times of pairs of slices without the waits for a CPU, as [MeanOf] counts them.
func (p probe) own() [][2]float64 {
	out := p.times()
	for side := range p.sides {
		usual := p.typical(side, func(s probed) float64 { return s.time })
		for i := range out {
			s := p.sides[side][i]
			out[i][side] = withoutWait(s.time, s.owed(), usual)
		}
	}
	return out
}

// owed is how long a slice waited for a CPU, by operation.
func (s probed) owed() float64 {
	if s.timed > 0 {
		return s.waited / s.timed * s.time
	}
	return 0
}

// alike reports whether slices allocate as a long sample does: a short one may begin with a map that does
// not yet have to grow. Numbers of bytes and allocations are whole, and what is allocated once a count, as
// a pool that is filled after the collection before it, is no cost of the operation: a round leaves it out. But
// where operations allocate now more and now less, its lowest slices are below a long sample, and the
// typical ones are like it.
// What is prepared for each count, and is a small part, may be allocated in a slice as well.
func (c *chooser) alike(p probe) bool {
	const bytes, share = 16, mostOff
	for side, long := range c.long {
		near := func(of func(probed) float64, want, off float64) bool {
			var v []float64
			for _, s := range p.sides[side] {
				v = append(v, of(s))
			}
			slices.Sort(v)
			return len(v) == 0 || math.Abs(lowest(v)-want) <= off || math.Abs(middleOf(v)-want) <= off
		}
		if !near(func(s probed) float64 { return s.bytes }, long.bytes, bytes+share*long.bytes) ||
			!near(func(s probed) float64 { return s.allocs }, long.allocs, share*long.allocs) {
			return false
		}
	}
	return true
}

// crowded returns how many times longer slices are to be so that half of a pair's time is timed: much is
// prepared before each count. The quickest slice tells, since the load of others is none of the
// benchmark's. Under load the collections before a count alone take some milliseconds, and
// longer slices would be worse than crowded ones.
func (p probe) crowded() float64 {
	const usual, much = 1e6, 5e6
	untimed := 0.0
	for side := range p.sides {
		least := p.untimed(side)
		load := p.typical(side, func(s probed) float64 { return s.waited }) > p.typical(side, func(s probed) float64 { return s.whole })/4
		if load && least < much {
			least = min(least, usual)
		}
		untimed += least
	}
	return max(1, untimed/(2*p.length()))
}

// untimed is what slices of a side take beside what is timed, at least. Threads may wait for a CPU for
// longer in sum than the slice takes, and have more CPU time.
func (p probe) untimed(side int) float64 {
	least := math.Inf(1)
	for _, x := range p.sides[side] {
		least = min(least, max(min(x.cpu, x.whole), x.whole-x.waited)-x.timed)
	}
	return least
}

// whole is what a slice takes with what is done around it, the mean of both sides. It leaves out waits for a CPU, and
// counts no more than the CPU time around the slice: one of four takes less.
func (p probe) whole() float64 {
	sum := 0.0
	for _, side := range p.sides {
		var v []float64
		for _, s := range side {
			v = append(v, max(s.timed, min(s.whole-s.waited, s.timed+s.cpu)))
		}
		if slices.Sort(v); len(v) > 0 {
			sum += v[len(v)/4]
		}
	}
	return sum / 2
}

// busy reports whether the slices waited for a CPU for much of the time that they took.
func (p probe) busy() bool {
	const much = 0.1
	whole, waited := 0.0, 0.0
	for _, side := range p.sides {
		for _, s := range side {
			whole, waited = whole+s.whole, waited+min(s.whole, s.waited)
		}
	}
	return waited > much*whole
}

// restless reports whether something goes on in parked sides: more than the microseconds that it
// takes to block, and more than a fiftieth of the other side's slice.
func (p probe) restless() bool {
	for side := range p.sides {
		if p.typical(side, func(s probed) float64 { return s.stray }) > 20_000+p.length()/50 {
			return true
		}
	}
	return false
}
