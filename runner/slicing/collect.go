package slicing

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/childenv"
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
// little differently one would have one more in all slices of many rounds, or never. Where collections
// have less than a tenth of the time, slices are too short for any: see mostOff.
//
// What the collector says of its CPU time is steadier by far than by how much longer slices with some
// collections take than slices without: the median of nine such pairs was -1 to 45 % where it is 6 %.
func (c *chooser) collections(n int, perOp float64, busy bool) (int, error) {
	needed := n
	for side, long := range c.long {
		gogc := gogcOf(c.plain.Sides[side])
		if long.bytes == 0 || gogc == 0 {
			continue
		}
		perCollection := heapMinimum * gogc / 100 / long.bytes // operations, at least
		if perCollection*perOp > float64(c.benchtime) {
			continue // a fresh process has none either
		}
		perCollection, share, err := c.betweenCollections(side, operationsOf(c.benchtime, perOp), perOp)
		if err != nil {
			return 0, err
		}
		if math.IsInf(perCollection, 1) || share < mostOff {
			continue
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
// infinitely many if they have none. It also returns the share of their time that the collections have: of
// the CPUs, which is at most what they make the program slower.
func (c *chooser) betweenCollections(side, n int, perOp float64) (operations, share float64, err error) {
	r, err := c.alone(side, n, "gctrace=1")
	if err != nil {
		return 0, 0, err
	}
	found, cpu := counted(r.Stderr)
	return float64(n) / float64(found), cpu / (perOp * float64(n)), nil
}

// collection is the line of GODEBUG=gctrace=1, with the CPU time of the collection in milliseconds: with the
// world stopped, by the program itself, in the background, by idle CPUs, and stopped again. See package
// runtime.
var collection = regexp.MustCompile(`(?m)^gc (\d+) @[^,\n]*, ([0-9.]+)\+([0-9.]+)/([0-9.]+)/[0-9.]+\+([0-9.]+) ms cpu.*$`)

// counted is how many collections followed the last one that package testing asked for, and the CPU time
// that they take from the program, in nanoseconds: as many times that of one that was hardly disturbed,
// a quarter of them took less.
func counted(trace []byte) (collections int, cpu float64) {
	var each []float64
	last := 0
	for _, m := range collection.FindAllSubmatch(trace, -1) {
		number, _ := strconv.Atoi(string(m[1]))
		took := 0.0
		for _, part := range m[2:] {
			ms, _ := strconv.ParseFloat(string(part), 64)
			took += 1e6 * ms
		}
		if bytes.HasSuffix(m[0], []byte("(forced)")) {
			each, last = nil, number
			continue
		}
		each = append(each, took)
		collections = number - last
	}
	if len(each) == 0 {
		return 0, 0
	}
	slices.Sort(each)
	return collections, float64(collections) * each[len(each)/4]
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

// calm lets the collections before each slice stop the world where slices of n operations hold none of
// their own. Package testing collects before each count, and the sweep runs on beside what is timed:
// with the world stopped a slice takes a third of the CPU, and slices scatter by half as much.
func (c *chooser) calm(n int) {
	c.spec, c.calmed = c.plain, true
	for side, long := range c.long {
		gogc := gogcOf(c.plain.Sides[side])
		if gogc > 0 && long.bytes*float64(n) > heapMinimum*gogc/100/2 {
			c.calmed = false // rounds have more operations than n, and something is alive before the first
		}
	}
	if c.calmed {
		c.spec = calmed(c.plain)
	}
}

// calmed is a spec whose collections stop the world, sweep and all.
func calmed(spec turnstile.Spec) turnstile.Spec {
	for side := range spec.Sides {
		spec.Sides[side] = debugging(spec.Sides[side], "gcstoptheworld=2")
	}
	return spec
}

// debugging is a side with one more setting in GODEBUG.
func debugging(s turnstile.Side, setting string) turnstile.Side {
	s.Env = slices.Clone(environment(s))
	for _, e := range s.Env {
		if own, ok := strings.CutPrefix(e, "GODEBUG="); ok && own != "" {
			setting = own + "," + setting
		}
	}
	s.Env = append(s.Env, "GODEBUG="+setting)
	return s
}
