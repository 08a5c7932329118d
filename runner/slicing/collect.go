package slicing

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/turnstile"
)

// heapMinimum is how much the Go runtime lets a program allocate at least between two
// collections, with GOGC=100; with much alive it is as much as is alive.
const heapMinimum = 4 << 20

// leastHeld is how many collections a slice is to hold at least: of the rounds with the fewest
// operations, three quarters, each slice holds one.
const leastHeld = 1.5

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
		share, err := c.collecting(side, perCollection, perOp, gogc)
		if err != nil {
			return 0, err
		}
		if share < c.threshold/2 {
			continue // were it twice as much, or nothing, it would not matter
		}
		if perCollection, err = c.betweenCollections(side, int(math.Ceil(float64(c.benchtime)/perOp))); err != nil {
			return 0, err
		}
		if math.IsInf(perCollection, 1) {
			continue
		}
		hold := int(math.Ceil(perCollection * max(leastHeld, 2*share/c.threshold)))
		if length := float64(hold) * perOp; length > float64(c.longest()) {
			return 0, refuse("%.0f %% of its time are collections, and slices would take %v to hold enough of them", 100*share, round(length))
		}
		needed = max(needed, hold)
	}
	return needed, nil
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
	r, err := proc.Run(c.ctx, proc.Command{
		Argv: slices.Concat([]string{
			bin.Binary, "-test.run=^$", "-test.bench=" + turnstile.Expression(c.spec.Name),
			"-test.timeout=0", "-test.count=1", "-test.benchtime=" + strconv.Itoa(n) + "x",
		}, c.spec.Flags),
		Dir: bin.Dir, Env: append(slices.Clone(environment(bin)), trace), CPUs: c.spec.CPUs, Timeout: c.spec.Timeout,
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

// collecting measures which share of a side's time goes into collections. They are made ten times as
// frequent, so that short slices hold many, and held against none.
func (c *chooser) collecting(side int, perCollection, perOp, gogc float64) (float64, error) {
	const often, least, most = 10, 10e6, 25e6
	n := max(1, int(min(max(4*perCollection/often, least/perOp), most/perOp)))
	more, err := c.slowdown(side, n, strconv.Itoa(max(1, int(gogc/often))))
	return more / often / (1 + more/often), err
}

// slowdown measures by which share operations of a side take longer with such a GOGC than without
// any collection, in slices of n operations that take turns. What a slice leaves is collected before
// the next.
func (c *chooser) slowdown(side, n int, gogc string) (float64, error) {
	const pairs = 8
	spec := c.spec
	with, without := c.spec.Sides[side], c.spec.Sides[side]
	without.Env = append(slices.Clone(environment(without)), "GOGC=off")
	with.Env = append(slices.Clone(environment(with)), "GOGC="+gogc)
	spec.Sides = [2]turnstile.Side{with, without}
	p, err := c.probe(spec, n, pairs, false)
	if err != nil {
		return 0, err
	}
	return max(0, p.quiet(0)/p.quiet(1)-1), nil
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
		return os.Environ()
	}
	return s.Env
}
