package tree

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
)

// A Stack is a call stack in a sampling profile: the place where the program was running or
// allocating.
type Stack struct {
	Functions []string // innermost function first
	Value     float64  // number of samples; or bytes or objects per operation
	Shared    bool     // for objects: other objects may share their blocks; see [PartUnseen]
}

// A Profile is a sampling profile of the processes on one side.
type Profile struct {
	PerOp float64 // seconds per operation, measured without a profiler
	// Error gives the number of seconds by which PerOp may be too large and too small, relative to
	// the other side. Each is one half of a confidence interval.
	Error     [2]float64
	Processes [][]Stack // Value counts samples
}

// A Contributor is a function or scope with its own share of an operation, excluding its callees.
// The interval of its difference is simultaneous: it accounts for all functions in the
// Contributions together.
type Contributor struct {
	Function   string
	Pair                   // per operation, in the unit of the Contributions
	Samples    [2]float64  // number of samples behind Pair; 0 if nothing was sampled
	Difference stat.Shift  // absolute; hides the method of the same name in Pair
	Cumulative *Cumulative // nil for scopes, and if unknown
	Changed    bool        // the commits between the sides change the function; see Contributions.Mark
}

// Certain reports whether the interval of the difference excludes 0.
func (c Contributor) Certain() bool { return c.Difference.Lo > 0 || c.Difference.Hi < 0 }

// Contributions attribute the difference between two sides to functions or scopes. Certain
// differences come before the others, and larger ones first.
type Contributions struct {
	Unit      string     // sec/op, B/op or allocs/op; sec for the scopes of a profile
	Suite     string     // for scopes
	Total     Pair       // per operation; a time is measured without a profiler
	Change    stat.Shift // change of Total, absolute
	Parts     []Contributor
	Samples   [2]float64 // without samples in the harness
	Processes [2]int
	// Spread is the overdispersion: how many times more the samples vary between processes than
	// they would if all came from one distribution. The intervals take it into account.
	Spread  [2]float64
	Caveats []compare.Caveat
}

// Counted reports whether the values are counts, neither sampled nor timed.
func (c *Contributions) Counted() bool { return c.Unit == "B/op" || c.Unit == "allocs/op" }

// noise returns how much counts may differ by chance.
func (c *Contributions) noise() float64 {
	return allocationNoise * max(math.Abs(c.Total.Base), math.Abs(c.Total.Head))
}

// Share returns a part's share of the whole change, or NaN if the change may be due to chance. The
// share exceeds 1 if other parts compensate.
func (c *Contributions) Share(part Contributor) float64 {
	if !(Contributor{Difference: c.Change}).Certain() {
		return math.NaN()
	}
	return part.Difference.Center / c.Change.Center
}

// Certain returns the number of parts with a certain difference.
func (c *Contributions) Certain() int {
	n := 0
	for _, p := range c.Parts {
		if p.Certain() {
			n++
		}
	}
	return n
}

// jointAlpha is the family-wise error rate: the probability that any function in a profile is
// wrongly called a contributor.
const jointAlpha = 0.05

// TimeContributors attributes the measured time of an operation to functions, by the samples taken
// in them. Samples in the harness are left out. The runtime's work for a function is attributed to
// the function; the runtime's other work has names such as [PartAllocation].
func TimeContributors(b, h Profile) *Contributions {
	c := &Contributions{Unit: "sec/op", Total: Pair{b.PerOp, h.PerOp}}
	d := c.Total.Difference()
	c.Change = stat.Shift{Center: d, Lo: d - math.Hypot(b.Error[1], h.Error[0]), Hi: d + math.Hypot(b.Error[0], h.Error[1]), Absolute: true}
	counts := [2][]map[string]float64{ownSamples(b), ownSamples(h)}
	sums := [2]map[string]float64{}
	for side, processes := range counts {
		sums[side] = map[string]float64{}
		for _, p := range processes {
			for _, name := range sorted(p) {
				sums[side][name] += p[name]
				c.Samples[side] += p[name]
			}
		}
		c.Processes[side] = len(processes)
		c.Spread[side] = spread(processes, sums[side])
	}
	names := union(sums[base], sums[head])
	z := stat.NormalQuantile(jointAlpha / 2 / float64(max(len(names), 1)))
	for _, name := range names {
		p := Contributor{Function: name, Samples: [2]float64{sums[base][name], sums[head][name]}}
		p.Pair, p.Difference = c.sampledDifference(p.Samples, [2][2]float64{b.Error, h.Error}, z)
		c.Parts = append(c.Parts, p)
	}
	c.addCalls([2][]Stack{slices.Concat(b.Processes...), slices.Concat(h.Processes...)}, nil, func(samples [2]float64, functions int) (Pair, stat.Shift) {
		return c.sampledDifference(samples, [2][2]float64{b.Error, h.Error}, stat.NormalQuantile(jointAlpha/2/float64(functions)))
	})
	c.sortParts()
	c.sayFewSamples()
	return c
}

// fewSamples is the number of samples below which even the share of a dominant function is
// uncertain.
const fewSamples = 100

// sayFewSamples adds a caveat if there are few samples, and another one if the samples do not
// distinguish the sides.
func (c *Contributions) sayFewSamples() {
	if n := min(c.Samples[base], c.Samples[head]); n < fewSamples {
		c.Caveats = append(c.Caveats, compare.Caveat{Code: compare.CodeFewSamples, Text: fmt.Sprintf("only %.0f samples on one side: use more processes or a longer benchtime", n), Detail: ""})
	}
	if !math.IsNaN(c.Total.Base) && c.Certain() == 0 {
		c.Caveats = append(c.Caveats, compare.Caveat{Code: CodeSampling, Text: "no function differs by more than the noise in its samples and in the measured time", Detail: ""})
	}
}

// CodeSampling is the code of the caveat about a profile that cannot distinguish the sides.
const CodeSampling = "sampling"

// sampledDifference converts numbers of samples to times and their difference. Each share has a
// Wilson interval, widened by the error of the measured time. The interval of the difference is
// derived from these two intervals (MOVER: Zou and Donner, Statistics in Medicine 27, 2008; for
// equal, exact totals it is method 10 of Newcombe, Statistics in Medicine 17, 1998).
func (c *Contributions) sampledDifference(samples [2]float64, measured [2][2]float64, z float64) (Pair, stat.Shift) {
	var value, lo, hi [2]float64
	for side, total := range []float64{c.Total.Base, c.Total.Head} {
		n := c.Samples[side]
		if n == 0 {
			return Unknown, stat.Shift{Center: math.NaN(), Lo: math.Inf(-1), Hi: math.Inf(1), Absolute: true}
		}
		l, u := wilson(samples[side]/c.Spread[side], n/c.Spread[side], z)
		p := samples[side] / n
		value[side] = total * p
		lo[side] = value[side] - math.Hypot(total*(p-l), p*measured[side][0])
		hi[side] = value[side] + math.Hypot(total*(u-p), p*measured[side][1])
	}
	d := value[head] - value[base]
	return Pair{value[base], value[head]}, stat.Shift{
		Center: d, Absolute: true,
		Lo: d - math.Hypot(value[head]-lo[head], hi[base]-value[base]),
		Hi: d + math.Hypot(hi[head]-value[head], value[base]-lo[base]),
	}
}

// wilson returns the score interval for the proportion k/n (Wilson, JASA 22, 1927).
func wilson(k, n, z float64) (lo, hi float64) {
	p, z2 := k/n, z*z
	center := (p + z2/(2*n)) / (1 + z2/n)
	half := z / (1 + z2/n) * math.Sqrt(p*(1-p)/n+z2/(4*n*n))
	return max(0, center-half), min(1, center+half)
}

// spread returns the overdispersion of the processes' samples: Pearson's chi-squared statistic
// divided by its degrees of freedom, at least 1. Functions too rare for this statistic are combined
// into one cell.
func spread(processes []map[string]float64, sums map[string]float64) float64 {
	const rare = 5
	total := 0.0
	for _, name := range sorted(sums) {
		total += sums[name]
	}
	var frequent []string
	for _, name := range sorted(sums) {
		if sums[name] >= rare*float64(len(processes)) {
			frequent = append(frequent, name)
		}
	}
	statistic, cells := 0.0, 0
	cell := func(count func(map[string]float64) float64, sum float64) {
		if sum == 0 {
			return
		}
		cells++
		for _, p := range processes {
			n := 0.0
			for _, name := range sorted(p) {
				n += p[name]
			}
			if expected := sum * n / total; expected > 0 {
				statistic += (count(p) - expected) * (count(p) - expected) / expected
			}
		}
	}
	rest := total
	for _, name := range frequent {
		cell(func(p map[string]float64) float64 { return p[name] }, sums[name])
		rest -= sums[name]
	}
	cell(func(p map[string]float64) (n float64) {
		for _, name := range sorted(p) {
			if !slices.Contains(frequent, name) {
				n += p[name]
			}
		}
		return n
	}, rest)
	if cells < 2 || len(processes) < 2 {
		return 1
	}
	return max(1, statistic/float64((cells-1)*(len(processes)-1)))
}

// AllocationContributors compares the allocations of each function per operation, in bytes or
// objects depending on unit. The stacks are counted rather than sampled, so the interval only
// covers the hundredth of all allocations that pools and maps leave to chance. measured is the
// figure that the benchmark itself reported, or NaN; it reveals objects that are missing from the
// profile.
func AllocationContributors(unit string, b, h []Stack, measured Pair) *Contributions {
	c := &Contributions{Unit: unit, Processes: [2]int{1, 1}}
	sums := [2]map[string]float64{ownAllocations(b), ownAllocations(h)}
	unknown := map[string]bool{}
	if unit == "allocs/op" && (hidden(sums[base], measured.Base) || hidden(sums[head], measured.Head)) {
		c.Caveats = append(c.Caveats, unseenObjects(b, h, measured))
		sums = [2]map[string]float64{withUnseen(b, measured.Base), withUnseen(h, measured.Head)}
		unknown = callersOfShared(b, h)
	}
	c.Total = Pair{totalOf(sums[base]), totalOf(sums[head])}
	margin, whole := c.noise(), c.Total.Difference()
	c.Change = stat.Shift{Center: whole, Lo: whole - margin, Hi: whole + margin, Absolute: true}
	for _, name := range union(sums[base], sums[head]) {
		p := Contributor{Function: name, Pair: Pair{sums[base][name], sums[head][name]}}
		d := p.Pair.Difference()
		p.Difference = stat.Shift{Center: d, Lo: d - margin, Hi: d + margin, Absolute: true}
		if p.Base != 0 || p.Head != 0 {
			c.Parts = append(c.Parts, p)
		}
	}
	c.addCalls([2][]Stack{b, h}, unknown, func(sums [2]float64, _ int) (Pair, stat.Shift) {
		p := Pair{sums[base], sums[head]}
		d := p.Difference()
		return p, stat.Shift{Center: d, Lo: d - margin, Hi: d + margin, Absolute: true}
	})
	c.sortParts()
	c.sayUnseen(measured)
	return c
}

// allocationNoise is the fraction of an operation's allocations that may be due to chance.
const allocationNoise = 0.01

// CodeUnseen is the code of the caveat about allocations missing from a profile.
const CodeUnseen = "unseen"

// sayUnseen adds a caveat if the profile clearly differs from the figure that the benchmark
// reported.
func (c *Contributions) sayUnseen(measured Pair) {
	for _, s := range []struct{ seen, measured float64 }{{c.Total.Base, measured.Base}, {c.Total.Head, measured.Head}} {
		if math.Abs(s.seen-s.measured) > max(0.05*s.measured, 1) {
			why := "only the profile counts allocations made while the timer is stopped"
			if s.seen < s.measured {
				why = "the profile assigns no function to the runtime's own allocations or to rare ones"
			}
			c.Caveats = append(c.Caveats, compare.Caveat{Code: CodeUnseen, Text: fmt.Sprintf("the profile shows %.4g %s, but the benchmark reports %.4g: %s", s.seen, c.Unit, s.measured, why), Detail: ""})
			return
		}
	}
}

// sortParts puts certain differences before the others, and larger ones first.
func (c *Contributions) sortParts() {
	slices.SortStableFunc(c.Parts, func(a, b Contributor) int {
		if a.Certain() != b.Certain() {
			return map[bool]int{true: -1, false: 1}[a.Certain()]
		}
		return cmp.Or(cmp.Compare(math.Abs(b.Difference.Center), math.Abs(a.Difference.Center)), byCalls(a, b))
	})
}

// byCalls orders contributors by cumulative difference, the largest first, and then by name.
func byCalls(a, b Contributor) int {
	size := func(p Contributor) float64 {
		if p.Cumulative == nil {
			return 0
		}
		return math.Abs(p.Cumulative.Difference.Center)
	}
	return cmp.Or(cmp.Compare(size(b), size(a)), cmp.Compare(a.Function, b.Function))
}

// union returns the names in either map, sorted.
func union(a, b map[string]float64) []string {
	names := sorted(a)
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// sorted returns the keys in order, to make sums over them reproducible.
func sorted(m map[string]float64) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
