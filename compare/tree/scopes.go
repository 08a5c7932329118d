package tree

import (
	"fmt"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// ScopeContributors compares the self times of the call paths in two runs. It returns one
// Contributions for each package and suite that both runs have. A value is the median over all
// rounds of the time that all calls in a round take together; the total is the sum of the values. A
// difference is the difference between two values, with the interval of the Hodges-Lehmann
// estimate.
func ScopeContributors(b, h *record.Run) []*Contributions {
	var out []*Contributions
	bases, heads := selfTimes(b), selfTimes(h)
	for _, of := range bases {
		for _, with := range heads {
			if of.pkg == with.pkg && of.suite == with.suite {
				out = append(out, scopeContributions(of, with))
			}
		}
	}
	return out
}

// A selfTime holds the self times of a suite's scopes by call path, one per round.
type selfTime struct {
	pkg, suite string
	paths      []string
	seconds    map[string][]float64
	rounds     int
}

func selfTimes(run *record.Run) []*selfTime {
	var out []*selfTime
	scopes := scopesInOrder(run)
	for _, t := range Of(run) {
		s := &selfTime{pkg: t.Package, suite: t.Suite, seconds: map[string][]float64{}}
		group := slices.DeleteFunc(slices.Clone(scopes), func(b *record.Benchmark) bool { return b.Package != t.Package || b.Suite != t.Suite })
		for _, n := range roundsOf(group) {
			s.rounds++
			s.add(t.round(group, n).Scopes)
		}
		out = append(out, s)
	}
	return out
}

// roundsOf returns the round numbers of scopes in ascending order.
func roundsOf(scopes []*record.Benchmark) []int {
	var rounds []int
	for _, b := range scopes {
		for _, r := range b.Rounds {
			rounds = append(rounds, r.N)
		}
	}
	slices.Sort(rounds)
	return slices.Compact(rounds)
}

func (s *selfTime) add(calls []*Call) {
	for _, c := range calls {
		if !math.IsNaN(c.Self) { // the self time is known
			if _, ok := s.seconds[c.Path]; !ok {
				s.paths = append(s.paths, c.Path)
			}
			s.seconds[c.Path] = append(s.seconds[c.Path], c.Self/1e9)
		}
		s.add(c.Children)
	}
}

func scopeContributions(b, h *selfTime) *Contributions {
	c := &Contributions{Unit: "sec", Suite: b.suite, Processes: [2]int{b.rounds, h.rounds}, Spread: [2]float64{1, 1}}
	paths := slices.Clone(b.paths)
	for _, p := range h.paths {
		if b.seconds[p] == nil {
			paths = append(paths, p)
		}
	}
	shifts := &stat.Unpaired{Tail: jointAlpha / 2 / float64(max(len(paths), 1))}
	for _, path := range paths {
		values := [2][]float64{filled(b.seconds[path], b.rounds), filled(h.seconds[path], h.rounds)}
		p := Contributor{Function: path, Pair: Pair{stat.Median(values[base]), stat.Median(values[head])}}
		p.Difference = shifts.Estimate(values[base], values[head]).Around(p.Head - p.Base)
		c.Total.Base += p.Base
		c.Total.Head += p.Head
		c.Parts = append(c.Parts, p)
	}
	c.Change = (&stat.Unpaired{Tail: jointAlpha / 2}).Estimate(b.whole(), h.whole()).Around(c.Total.Head - c.Total.Base)
	c.sortParts()
	if len(c.Parts) > 0 && c.Certain() == 0 {
		c.Caveats = append(c.Caveats, compare.Caveat{Code: CodeSampling, Text: fmt.Sprintf("no scope differs by more than the variation between the %d rounds", min(b.rounds, h.rounds)), Detail: ""})
	}
	return c
}

// whole returns the sum of all self times for each round.
func (s *selfTime) whole() []float64 {
	sums := make([]float64, s.rounds)
	for _, p := range s.paths {
		for i, v := range s.seconds[p] {
			sums[i] += v
		}
	}
	return sums
}

// filled appends a 0 for each round in which the scope was not entered.
func filled(values []float64, rounds int) []float64 {
	out := slices.Clone(values)
	for len(out) < rounds {
		out = append(out, 0)
	}
	return out
}
