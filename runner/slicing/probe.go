package slicing

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/perftrack/perftrack/runner/turnstile"
)

// probed is the result of one slice measured to choose a method. Its times are in nanoseconds.
type probed struct {
	costs
	timed  float64 // as timed by the benchmark
	whole  float64 // from the start of the slice until its process was parked
	cpu    float64
	waited float64 // waits of all threads for a CPU, added up
	stray  float64
}

// A probe holds a few slices from each side.
type probe struct{ sides [2][]probed }

// probe measures pairs of slices with n operations each.
func (c *chooser) probe(spec turnstile.Spec, n, pairs int, stopped bool) (probe, error) {
	p, err := c.open(spec, n, pairs, stopped)
	if err != nil {
		return probe{}, err
	}
	var out probe
	for side := range turnstile.Order(0, 2*(pairs+warmUp)) {
		s, err := take(p, side, n)
		if err != nil {
			_ = p.Close() // the first error has the reason
			return probe{}, err
		}
		out.sides[side] = append(out.sides[side], s)
		if why := c.hopeless(out, time.Now()); why != "" {
			_ = p.Close()
			return probe{}, refuse(why, "")
		}
	}
	for side := range out.sides {
		out.sides[side] = out.sides[side][warmUp:]
	}
	return out, p.Close()
}

// hopeless describes why a probe should end early, or returns "" if it should not. A probe ends
// early if preparing each count takes longer than a slice may, or if time is up. It tolerates slow
// slices at first, because other programs may have delayed a few by some milliseconds.
func (c *chooser) hopeless(p probe, now time.Time) string {
	const some = 4
	for side, s := range p.sides {
		u, most := p.untimed(side), 2*float64(c.longest())
		if len(s) >= some && u > most || len(s) >= some/2 && u > 2*most {
			return fmt.Sprintf("each slice spends %v outside the timer, longer than a whole slice may take", round(u))
		}
	}
	if c.outOfTime = !c.until.IsZero() && now.After(c.until); c.outOfTime {
		if c.within > 0 && c.most() == c.within {
			return "the budget left no time to try slices"
		}
		return fmt.Sprintf("on a busy machine, %v was too short to try slices", c.most())
	}
	return ""
}

func (c *chooser) open(spec turnstile.Spec, n, pairs int, stopped bool) (*turnstile.Pair, error) {
	spec.N, spec.Slices, spec.Unstopped = n, pairs+warmUp, !stopped
	return turnstile.Open(c.ctx, spec)
}

// take makes a side run one slice.
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

// typical returns the median of a property over the slices of a side.
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

// quiet returns the first decile of the times of a side's slices, the time of a slice with little
// interference.
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

// length returns the length of a slice with little interference, averaged over both sides.
func (p probe) length() float64 { return (p.quiet(0) + p.quiet(1)) / 2 }

func (p probe) times() [][2]float64 {
	out := make([][2]float64, min(len(p.sides[0]), len(p.sides[1])))
	for i := range out {
		out[i] = [2]float64{p.sides[0][i].time, p.sides[1][i].time}
	}
	return out
}

// own returns the times of the pairs of slices. It subtracts their waits for a CPU in the same way
// as [MeanOf].
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

// owed returns the wait for a CPU per operation.
func (s probed) owed() float64 {
	if s.timed > 0 {
		return s.waited / s.timed * s.time
	}
	return 0
}

// alike reports whether slices and a long sample allocate the same amount per operation. In a short
// slice, for example, a map might not have to grow yet. Either the lowest or the typical slices
// have to match. The lowest match if most slices, but not all, contain an allocation made once per
// count, such as refilling a pool emptied by the preceding collection. A round ignores such
// allocations, because they are not a cost of the operation. The typical slices match if operations
// allocate varying amounts. The numbers of bytes may also differ slightly, because they are rounded
// and each count may allocate a little for its preparation.
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

// crowded returns the factor by which slices must be lengthened so that half of a pair's time is
// timed, if each count needs a lot of preparation. It uses the slice with the least untimed time,
// because the load on the machine is not caused by the benchmark. Under load, the collections
// before a count alone take some milliseconds, and longer slices would do more harm than slices
// timed for less than half of their time.
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

// untimed returns the minimum time that a slice of the side takes outside its timed part. The waits
// of all threads together may exceed the length of a slice, and so may their CPU time.
func (p probe) untimed(side int) float64 {
	least := math.Inf(1)
	for _, x := range p.sides[side] {
		least = min(least, max(min(x.cpu, x.whole), x.whole-x.waited)-x.timed)
	}
	return least
}

// whole returns the time of a slice including the work around it. It is the first quartile of each
// side, averaged over both. Waits for a CPU are excluded, and the work around a slice counts for at
// most its CPU time.
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

// busy reports whether the slices spent a large part of their time waiting for a CPU.
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

// restless reports whether parked sides do work: they use more CPU time than the microseconds
// needed to block, and more than a fiftieth of the other side's slice.
func (p probe) restless() bool {
	for side := range p.sides {
		if p.typical(side, func(s probed) float64 { return s.stray }) > 20_000+p.length()/50 {
			return true
		}
	}
	return false
}
