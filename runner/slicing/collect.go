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

// heapMinimum is the minimum number of bytes a program can allocate between two collections with
// GOGC=100. If the live heap is larger, the program may allocate as much as the live heap.
const heapMinimum = 4 << 20

// leastHeld is the minimum number of collections per slice. The rounds with the fewest operations
// have three quarters of this number, still at least one collection per slice.
const leastHeld = 1.5

// leastHeldBusy is the minimum on a busy machine. There, slices may contain fewer collections than
// the threshold requires, and a change that causes an occasional additional collection is then
// underestimated accordingly. Fresh processes would not detect the change on such a machine.
const leastHeldBusy = 4

// collections returns the number of operations a slice needs, at least n, so that one additional
// collection changes its time by less than half of the threshold. Because a collection precedes
// each count, every slice contains the same whole number of them. If one side allocated a little
// more, it would have an additional collection either in all slices of many rounds or in none. If
// collections take less than a tenth of the time, slices need not contain any; see mostOff.
//
// The CPU time of the collector varies much less than the difference between slices with and
// without collections. The median of nine such pairs ranged from -1 to 45 % where the true value
// was 6 %.
func (c *chooser) collections(n int, perOp float64, busy bool) (int, error) {
	needed := n
	for side, long := range c.long {
		gogc := gogcOf(c.plain.Sides[side])
		if long.bytes == 0 || gogc == 0 {
			continue
		}
		perCollection := heapMinimum * gogc / 100 / long.bytes // minimum number of operations between two collections
		if perCollection*perOp > float64(c.benchtime) {
			continue // a fresh process would not collect either
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

// held returns the number of operations a slice needs to contain enough collections. On a busy
// machine, slices stay within bearable as long as they contain leastHeldBusy collections, because
// load makes each collection more expensive and longer slices are almost always disturbed. Fresh
// processes would underestimate a change even more.
func (c *chooser) held(share, perCollection, perOp float64, busy bool) (int, error) {
	hold := int(math.Ceil(perCollection * max(leastHeld, 2*share/c.threshold)))
	if busy {
		hold = min(hold, max(operationsOf(bearable, perOp), int(math.Ceil(perCollection*leastHeldBusy))))
	}
	if float64(hold)*perOp > float64(c.longest()) {
		return 0, refuse("its garbage collections are too rare for short turns", "they take %.0f %% of its time and would need turns of %v", 100*share, round(float64(hold)*perOp))
	}
	return hold, nil
}

// betweenCollections returns the number of operations of a side between two collections, measured
// over n operations. It is infinite if there was no collection. share is the fraction of CPU time
// spent in collections, an upper bound on the slowdown they cause.
func (c *chooser) betweenCollections(side, n int, perOp float64) (operations, share float64, err error) {
	r, err := c.alone(side, n, "gctrace=1")
	if err != nil {
		return 0, 0, err
	}
	found, cpu := counted(r.Stderr)
	return float64(n) / float64(found), cpu / (perOp * float64(n)), nil
}

// collection matches a line printed with GODEBUG=gctrace=1 and captures the collection's CPU times
// in milliseconds: stop-the-world sweep termination, assist, background, and stop-the-world mark
// termination, but not idle time. See package runtime.
var collection = regexp.MustCompile(`(?m)^gc (\d+) @[^,\n]*, ([0-9.]+)\+([0-9.]+)/([0-9.]+)/[0-9.]+\+([0-9.]+) ms cpu.*$`)

// counted returns the number of collections after the last forced one, and the CPU time they took
// in nanoseconds. It assumes that each took the time of the first quartile, which contains little
// interference.
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

// gogcOf returns the GOGC value of a side in percent; 0 means off.
func gogcOf(s turnstile.Program) float64 {
	percent := 100.0
	for _, e := range environment(s) {
		if v, ok := strings.CutPrefix(e, "GOGC="); ok && v != "" {
			percent, _ = strconv.ParseFloat(v, 64) // "off" becomes 0
		}
	}
	return max(0, percent)
}

// environment returns the environment of a side.
func environment(s turnstile.Program) []string {
	if s.Env == nil {
		return childenv.Measured(nil)
	}
	return s.Env
}

// calm makes the collection before each slice stop the world if slices of n operations contain no
// collections of their own. Package testing runs a collection before each count, and its sweep
// phase would continue while the code is being timed. With the world stopped, a slice takes a third
// of the CPU time, and the times of slices vary half as much.
func (c *chooser) calm(n int) {
	c.spec, c.calmed = c.plain, true
	for side, long := range c.long {
		gogc := gogcOf(c.plain.Sides[side])
		if gogc > 0 && long.bytes*float64(n) > heapMinimum*gogc/100/2 {
			c.calmed = false // some rounds have up to a quarter more operations, and the heap is not empty at the start
		}
	}
	if c.calmed {
		c.spec = calmed(c.plain)
	}
}

// calmed returns spec with a setting that makes collections stop the world, including their sweep
// phase.
func calmed(spec turnstile.Spec) turnstile.Spec {
	for side := range spec.Sides {
		spec.Sides[side] = debugging(spec.Sides[side], "gcstoptheworld=2")
	}
	return spec
}

// debugging returns the side with an additional GODEBUG setting.
func debugging(s turnstile.Program, setting string) turnstile.Program {
	s.Env = slices.Clone(environment(s))
	for _, e := range s.Env {
		if own, ok := strings.CutPrefix(e, "GODEBUG="); ok && own != "" {
			setting = own + "," + setting
		}
	}
	s.Env = append(s.Env, "GODEBUG="+setting)
	return s
}
