package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
)

// A check may measure a part of the benchmarks while other machines measure the other parts. Each
// part is a trial with its share of alpha, so all parts together do not exceed alpha (Bonferroni).
// A part without a result was not checked. The other parts do not show that it is missing, so each
// part records how many parts there are and how the benchmarks were divided among them.

// A LostPart is an unchecked part of a target. It is missing from the comparison or ended without a
// result.
type LostPart struct {
	Target string
	record.Part
	Why string
}

// LostParts returns the lost parts of each divided target. A target is covered by a trial of the
// whole target, or by all parts of one division. A part in which the target had no benchmarks also
// counts as lost, unless it is already lost for another target.
func (c *Comparison) LostParts() (lost []LostPart) {
	if c.Options.OnePart {
		return nil
	}
	var targets []string
	for _, p := range c.parts {
		if p.Of > 0 && !slices.Contains(targets, p.target) {
			targets = append(targets, p.target)
		}
	}
	var idle []LostPart
	for _, t := range targets {
		of, nothing := c.lostOf(t)
		if nothing {
			idle = append(idle, of...)
		} else {
			lost = append(lost, of...)
		}
	}
	missed := map[record.Part]bool{}
	for _, l := range lost {
		missed[l.Part] = true
	}
	for _, l := range idle {
		if !missed[l.Part] {
			lost = append(lost, l)
		}
	}
	return lost
}

// lostOf returns the lost parts of a target. idle is set if the parts with a result contain all of
// the target's benchmarks, so that the lost parts had nothing to do.
func (c *Comparison) lostOf(target string) (lost []LostPart, idle bool) {
	most, division := -1, trialPart{}
	// A complete trial of a few selected benchmarks does not cover the others.
	all := slices.ContainsFunc(c.parts, func(p trialPart) bool { return p.target == target && !p.selected })
	for _, p := range c.parts {
		if p.target != target || p.failed || all && p.selected {
			continue
		}
		if p.Of == 0 {
			return nil, false
		}
		n, _ := c.found(p)
		if n == p.Of {
			n = record.MaxCheckParts + 1 // a complete division is better than any incomplete one
		}
		if p.Division != "" && n > most {
			most, division = n, p
		}
	}
	of := division.Of
	for _, p := range c.parts {
		if p.target == target && most < 0 {
			of = max(of, p.Of)
		}
	}
	for n := 1; n <= of; n++ {
		l := LostPart{Target: target, Part: record.Part{N: n, Of: of}, Why: "no result was stored"}
		is := func(other trialPart) bool {
			return other.target == target && other.N == n && other.Of == of && other.selected == division.selected
		}
		if slices.ContainsFunc(c.parts, func(p trialPart) bool { return is(p) && division.covers(p) }) {
			continue
		}
		if i := slices.IndexFunc(c.parts, is); i >= 0 && (c.parts[i].failed || c.parts[i].Division == "") {
			l.Why = "nothing could be measured"
		} else if i >= 0 {
			l.Why = "its benchmarks were divided differently, so some may be in no part: the machines, Go versions or stores differ"
		}
		lost = append(lost, l)
	}
	_, own := c.found(division)
	return lost, division.Division != "" && own == division.All
}

// covers reports whether other is a part of the same division and has a result.
func (p trialPart) covers(other trialPart) bool {
	return p.Division != "" && other.target == p.target && other.Of == p.Of && other.Division == p.Division && other.selected == p.selected && !other.failed
}

// found returns the number of parts with a result in p's division, and the number of benchmark
// functions in them.
func (c *Comparison) found(p trialPart) (parts, own int) {
	seen := map[int]bool{}
	for _, other := range c.parts {
		if p.covers(other) && !seen[other.N] {
			seen[other.N] = true
			own += other.Own
		}
	}
	return len(seen), own
}

// readParts records, for each run in a trial, which part of its target the run measured.
func (c *Comparison) readParts() {
	failed := c.FailedTargets()
	for _, p := range c.pairings {
		if !p.Trial {
			continue
		}
		for _, r := range p.Runs[head] {
			one := trialPart{target: r.Target, failed: slices.ContainsFunc(failed, func(t FailedTarget) bool { return t.Target == r.Target })}
			part := r.Protocol.Part
			one.selected = r.Protocol.SelectsSome()
			switch {
			case part != nil && part.Own > 0 && len(r.Benchmarks) == 0 && !c.explains(r.Target):
				one.Part = record.Part{N: part.N, Of: part.Of} // the target was divided, but the part gave no result
			case part != nil:
				one.Part = *part
			case one.selected || r.Status == record.Partial || len(r.Benchmarks)+len(c.Same)+len(c.Unreached) == 0:
				continue // nothing is known about the other benchmarks
			}
			if !slices.Contains(c.parts, one) {
				c.parts = append(c.parts, one)
			}
		}
	}
}

// explains reports whether there is a known reason why a target has no samples: lack of time, or
// failures.
func (c *Comparison) explains(target string) bool {
	return slices.ContainsFunc(c.Starved, func(s Starved) bool { return s.Target == target }) ||
		slices.ContainsFunc(c.Failures, func(f Failure) bool { return f.Target == target })
}

// divided reports whether any trial measured only a part of its target.
func (c *Comparison) divided() bool {
	return slices.ContainsFunc(c.pairings, func(p *pairs.Pairing) bool { return p.Part().Of > 0 })
}

// noteParts adds caveats about lost parts or, if only one part is compared on purpose, about that
// part.
func (c *Comparison) noteParts() {
	if c.Options.OnePart {
		for _, p := range c.parts {
			if p.Of > 0 && p.Division != "" {
				c.addCaveat(Caveat{CodePart, fmt.Sprintf("%v covers %d of %d benchmark functions; the other parts are not judged here", p.Part, p.Own, p.All), p.target})
			}
		}
		return
	}
	var said []Caveat
	for _, of := range byReason(c.LostParts()) {
		text := DescribeLost(of) + ": " + of[0].Why
		i := slices.IndexFunc(said, func(x Caveat) bool { return x.Text == text })
		if i < 0 {
			said = append(said, Caveat{CodePart, text, of[0].Target})
		} else {
			said[i].Detail += ", " + of[0].Target
		}
	}
	for _, x := range said {
		c.addCaveat(x)
	}
}

// byReason groups the lost parts of each target by reason.
func byReason(lost []LostPart) (groups [][]LostPart) {
	for _, l := range lost {
		i := slices.IndexFunc(groups, func(g []LostPart) bool { return g[0].Target == l.Target && g[0].Why == l.Why && g[0].Of == l.Of })
		if i < 0 {
			groups = append(groups, nil)
			i = len(groups) - 1
		}
		groups[i] = append(groups[i], l)
	}
	return groups
}

// DescribeLost names the unchecked parts, regardless of their targets, or returns "".
func DescribeLost(lost []LostPart) string {
	var numbers []string
	seen := map[record.Part]bool{}
	lost = slices.SortedFunc(slices.Values(lost), func(a, b LostPart) int { return cmp.Or(cmp.Compare(a.Of, b.Of), cmp.Compare(a.N, b.N)) })
	for _, l := range lost {
		if p := (record.Part{N: l.N, Of: l.Of}); !seen[p] {
			seen[p] = true
			numbers = append(numbers, strconv.Itoa(l.N))
		}
	}
	switch n := len(numbers); {
	case n == 0:
		return ""
	case n == 1:
		return fmt.Sprintf("part %s of %d was not checked", numbers[0], lost[0].Of)
	case n > 8:
		return fmt.Sprintf("%d of %d parts were not checked", n, lost[0].Of)
	}
	last := len(numbers) - 1
	return fmt.Sprintf("parts %s and %s of %d were not checked", strings.Join(numbers[:last], ", "), numbers[last], lost[0].Of)
}

// JoinParts presents the trials of all parts as one measurement. It does nothing if there are other
// trials as well, or if two trials have the same benchmark.
func (c *Comparison) JoinParts() {
	if slices.ContainsFunc(c.pairings, func(p *pairs.Pairing) bool { return p.Part().Of == 0 }) {
		return
	}
	in := map[seriesKey]string{}
	for _, t := range c.Tables {
		for _, r := range t.Rows {
			if of, ok := in[r.series()]; ok && of != t.OfTrial {
				return
			}
			in[r.series()] = t.OfTrial
		}
	}
	for _, p := range c.pairings {
		p.OfTrial = ""
	}
	c.Trials = 0
}
