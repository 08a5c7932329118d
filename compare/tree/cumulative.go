package tree

import (
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare/stat"
)

// A Cumulative is what a function takes of an operation together with all that it calls:
// cum in pprof. Its interval is simultaneous, as a [Contributor]'s. It shows that a
// function calls another one more often, though its own time is the same.
type Cumulative struct {
	Pair
	Samples    [2]float64 // 0 where nothing was sampled
	Difference stat.Shift // absolute; hides Pair's
}

// Certain reports whether the interval of the difference leaves out 0.
func (c *Cumulative) Certain() bool {
	return c != nil && (c.Difference.Lo > 0 || c.Difference.Hi < 0)
}

// Mark marks the functions that the commits between the sides change.
func (c *Contributions) Mark(changed func(function string) bool) {
	for i := range c.Parts {
		c.Parts[i].Changed = changed(c.Parts[i].Function)
	}
}

// Causes are the functions that the commits change and whose cumulative difference is
// certain, the largest first. The functions that these call only show the difference.
func (c *Contributions) Causes() (causes []Contributor) {
	for _, p := range c.Parts {
		if p.Changed && p.Cumulative.Certain() {
			causes = append(causes, p)
		}
	}
	sortByCalls(causes)
	return causes
}

// Replaced returns the function that one has taken the place of, or that has taken its place, nil where
// there is none: each is on one side only, and neither takes more than five times as long as the other.
// Of several it is the outermost, as a function that is replaced takes with it what it calls.
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

// oneSided reports whether all but a twentieth of what a function takes with what it calls is on one
// side, and whether that is base.
func oneSided(p Contributor) (inBase, ok bool) {
	if p.Cumulative == nil {
		return false, false
	}
	const rest = 1.0 / 20
	b, h := p.Cumulative.Base, p.Cumulative.Head
	return b > h, b > 0 && h < rest*b || h > 0 && b < rest*h
}

// Callers are the other functions whose cumulative difference is certain while their own
// is not, the largest first. The benchmark itself is left out.
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

// addCalls adds the cumulative figures of all functions but those of the runtime, and
// those that are unknown. The function difference compares the sums of a function.
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

// cumulativeSums sums, for each function, the stacks that it is in.
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
