package tree

import (
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare/stat"
)

// Cumulative is a function's share of an operation, including its callees, which pprof calls cum.
// Like the interval of a [Contributor], its interval is simultaneous. It shows which function calls
// another one more often even though its own time is unchanged.
type Cumulative struct {
	Pair
	Samples    [2]float64 // number of samples; 0 if nothing was sampled
	Difference stat.Shift // absolute; hides the method of the same name in Pair
}

// Certain reports whether the interval of the difference excludes 0.
func (c *Cumulative) Certain() bool {
	return c != nil && (c.Difference.Lo > 0 || c.Difference.Hi < 0)
}

// Mark marks the functions changed by the commits between the sides.
func (c *Contributions) Mark(changed func(function string) bool) {
	for i := range c.Parts {
		c.Parts[i].Changed = changed(c.Parts[i].Function)
	}
}

// Causes returns the functions changed by the commits and with a certain cumulative difference,
// largest difference first. In their callees, the difference is only a consequence.
func (c *Contributions) Causes() (causes []Contributor) {
	for _, p := range c.Parts {
		if p.Changed && p.Cumulative.Certain() {
			causes = append(causes, p)
		}
	}
	sortByCalls(causes)
	return causes
}

// Replaced returns the replacement of the function of, the function replaced by it, or nil. Each of
// the two functions is on one side only, and neither takes more than five times as long as the
// other. Among several, Replaced returns the one with the largest cumulative difference, because a
// function is replaced together with its callees.
func (c *Contributions) Replaced(of Contributor) (by *Contributor) {
	gone, ok := oneSided(of)
	if !ok {
		return nil
	}
	for i, p := range c.Parts {
		other, ok := oneSided(p)
		if !ok || other == gone || isBenchmarkFunction(p.Function) || !p.Cumulative.Certain() {
			continue
		}
		size, own := math.Abs(p.Cumulative.Difference.Center), math.Abs(of.Cumulative.Difference.Center)
		if size > 5*own || own > 5*size {
			continue
		}
		if by == nil || size > math.Abs(by.Cumulative.Difference.Center) {
			by = &c.Parts[i]
		}
	}
	return by
}

// oneSided reports whether a function is in base rather than in head. ok is false unless the
// function is practically on one side only, with a cumulative share of less than a twentieth on the
// other side.
func oneSided(p Contributor) (inBase, ok bool) {
	if p.Cumulative == nil {
		return false, false
	}
	const rest = 1.0 / 20
	b, h := p.Cumulative.Base, p.Cumulative.Head
	return b > h, b > 0 && h < rest*b || h > 0 && b < rest*h
}

// Callers returns the other functions with a certain cumulative difference but no certain
// difference of their own, largest first. The benchmark itself is left out.
func (c *Contributions) Callers() (callers []Contributor) {
	for _, p := range c.Parts {
		if !p.Changed && !p.Certain() && p.Cumulative.Certain() && !isBenchmarkFunction(p.Function) {
			callers = append(callers, p)
		}
	}
	sortByCalls(callers)
	return callers
}

func sortByCalls(parts []Contributor) {
	slices.SortStableFunc(parts, func(a, b Contributor) int { return byCalls(a, b) })
}

func isBenchmarkFunction(name string) bool {
	return strings.HasPrefix(strings.TrimPrefix(name, packagePath(name)), ".Benchmark")
}

// addCalls adds the cumulative figures of all functions, except the runtime's and those in unknown.
// difference compares a function's sums on the two sides.
func (c *Contributions) addCalls(stacks [2][]Stack, unknown map[string]bool, difference func(sums [2]float64, functions int) (Pair, stat.Shift)) {
	sums := [2]map[string]float64{cumulativeSums(stacks[base]), cumulativeSums(stacks[head])}
	names := union(sums[base], sums[head])
	for _, name := range names {
		if unknown[name] {
			continue
		}
		of := [2]float64{sums[base][name], sums[head][name]}
		pair, d := difference(of, len(names))
		i := slices.IndexFunc(c.Parts, func(p Contributor) bool { return p.Function == name })
		if i < 0 {
			i = len(c.Parts)
			own, d := difference([2]float64{}, len(names))
			c.Parts = append(c.Parts, Contributor{Function: name, Pair: own, Difference: d})
		}
		c.Parts[i].Cumulative = &Cumulative{Pair: pair, Difference: d}
		if !c.Counted() {
			c.Parts[i].Cumulative.Samples = of
		}
	}
}

// cumulativeSums sums up, for each function, the values of the stacks containing it.
func cumulativeSums(stacks []Stack) map[string]float64 {
	sums := map[string]float64{}
	for _, s := range stacks {
		if len(s.Functions) == 0 || isHarness(s.Functions) {
			continue
		}
		for i, f := range s.Functions {
			if !isRuntime(f) && packagePath(f) != "testing" && !slices.Contains(s.Functions[:i], f) {
				sums[f] += s.Value
			}
		}
	}
	return aboveZero(sums)
}
