package slicing

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/childenv"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/turnstile"
)

// heapMinimum is how much the Go runtime lets a program allocate at least between two
// collections, with GOGC=100; with much alive it is as much as is alive.
const heapMinimum = 4 << 20

// leastHeld is how many collections a slice is to hold at least: of the rounds with the fewest
// operations, three quarters, each slice holds one.
const leastHeld = 1.5

// leastHeldBusy is how many it is to hold where others want the CPUs. Fewer than are asked for make a
// change read too low by the part of it that is one more collection now and then; a fresh process
// reads nothing there.
const leastHeldBusy = 4

// collections returns how many operations a slice has at least, n or more, so that one collection
// more or less in it makes less than half of the difference that matters. With a collection before
// each count every slice holds the same whole number of them, so of two sides that allocate a
// little differently one would have one more in all slices of many rounds, or never.
func (c *chooser) collections(n int, perOp float64) (int, error) {
	needed := n
	for side, long := range c.long {
		gogc := gogcOf(c.spec.Sides[side])
		if long.bytes == 0 || gogc == 0 {
			continue
		}
		perCollection := heapMinimum * gogc / 100 / long.bytes // operations, at least
		if perCollection*perOp > float64(c.benchtime) {
			continue // a fresh process has none either
		}
		perCollection, err := c.betweenCollections(side, operationsOf(c.benchtime, perOp))
		if err != nil {
			return 0, err
		}
		if math.IsInf(perCollection, 1) {
			continue
		}
		share, busy, err := c.collecting(side, perCollection, perOp)
		if err != nil {
			return 0, err
		}
		if share < c.threshold/2 {
			continue // were it twice as much, or nothing, it would not matter
		}
		hold, err := c.held(share, perCollection, perOp, busy)
		if err != nil {
			return 0, err
		}
		needed = max(needed, hold)
	}
	return needed, nil
}

// held is how many operations a slice has, that it holds enough collections. Slices of a busy machine
// are no longer than bearable, if they hold some: what others do makes each collection dearer, longer
// ones are hardly ever left alone, and fresh processes read least there.
func (c *chooser) held(share, perCollection, perOp float64, busy bool) (int, error) {
	hold := int(math.Ceil(perCollection * max(leastHeld, 2*share/c.threshold)))
	if busy {
		hold = min(hold, max(operationsOf(bearable, perOp), int(math.Ceil(perCollection*leastHeldBusy))))
	}
	if float64(hold)*perOp > float64(c.longest()) {
		return 0, refuse("its garbage collections are too far apart for short turns (they take %.0f %% of its time, and turns of %v would hold enough of them)", 100*share, round(float64(hold)*perOp))
	}
	return hold, nil
}

// betweenCollections counts how many operations a side has from one collection to the next, in n of them;
// infinitely many if they have none.
func (c *chooser) betweenCollections(side, n int) (float64, error) {
	bin := c.spec.Sides[side]
	trace := "GODEBUG=gctrace=1"
	for _, e := range environment(bin) {
		if own, ok := strings.CutPrefix(e, "GODEBUG="); ok && own != "" {
			trace = e + ",gctrace=1"
		}
	}
	once := c.spec
	once.N, once.Slices = n, 0
	r, err := proc.Run(c.ctx, proc.Command{
		Argv: once.Argv(bin), Dir: bin.Dir, Env: append(slices.Clone(environment(bin)), trace), CPUs: c.spec.CPUs, Box: bin.Box, Timeout: c.spec.Timeout,
	})
	switch {
	case err != nil:
		return 0, fmt.Errorf("count the collections of benchmark %s: %w", c.spec.Name, err)
	case c.ctx.Err() != nil:
		return 0, fmt.Errorf("count the collections of benchmark %s: %w", c.spec.Name, c.ctx.Err())
	case r.Err() != nil:
		return 0, refuse("its process ended while its collections were counted: %v", r.Err())
	}
	return float64(n) / float64(counted(r.Stderr)), nil
}

// collection is the line of GODEBUG=gctrace=1: see package runtime.
var collection = regexp.MustCompile(`(?m)^gc (\d+) @.*$`)

// counted is how many collections followed the last one that package testing asked for.
func counted(trace []byte) int {
	last, forced := 0, 0
	for _, m := range collection.FindAllSubmatch(trace, -1) {
		last, _ = strconv.Atoi(string(m[1]))
		if bytes.HasSuffix(m[0], []byte("(forced)")) {
			forced = last
		}
	}
	return last - forced
}

// collecting measures which share of a side's time goes into collections: by how much slices that hold
// some take longer than those without any, in turns. One more, or one less, makes such a difference in
// every slice, so it is the usual slice that counts, and not the quickest. It also reports whether
// others kept the CPUs busy meanwhile.
func (c *chooser) collecting(side int, perCollection, perOp float64) (share float64, busy bool, err error) {
	const most = 4
	held := max(1, min(most, math.Floor(float64(longest)/(perCollection*perOp))))
	n := int(math.Ceil(perCollection * (held + 0.5))) // that many, wherever the next begins
	share = 1
	for range 2 { // the machine is not uneven in the same way again
		more, waited, err := c.slowdown(side, n)
		if err != nil {
			return 0, false, err
		}
		busy = busy || waited
		more /= held / (held + 0.5) // as if it had begun with half a collection
		if share = min(share, max(0, more/(1+more))); share < c.threshold/2 {
			break
		}
	}
	return share, busy, nil
}

// slowdown measures by which share n operations of a side take longer than without any collection, in
// slices that take turns. What a slice leaves is collected before the next. It also reports whether
// others kept the CPUs busy.
func (c *chooser) slowdown(side, n int) (more float64, busy bool, err error) {
	const pairs = 9
	spec := c.spec
	without := c.spec.Sides[side]
	without.Env = append(slices.Clone(environment(without)), "GOGC=off")
	spec.Sides = [2]turnstile.Side{c.spec.Sides[side], without}
	p, err := c.probe(spec, n, pairs, false)
	if err != nil {
		return 0, false, err
	}
	var ratios []float64
	for _, t := range p.times() {
		ratios = append(ratios, t[0]/t[1])
	}
	slices.Sort(ratios)
	return middleOf(ratios) - 1, p.busy(), nil
}

// gogcOf is GOGC of a side, in percent; 0 is off.
func gogcOf(s turnstile.Side) float64 {
	percent := 100.0
	for _, e := range environment(s) {
		if v, ok := strings.CutPrefix(e, "GOGC="); ok && v != "" {
			percent, _ = strconv.ParseFloat(v, 64) // "off" is 0
		}
	}
	return max(0, percent)
}

// environment is that in which a side runs.
func environment(s turnstile.Side) []string {
	if s.Env == nil {
		return childenv.Measured(nil)
	}
	return s.Env
}
