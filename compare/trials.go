package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
)

// A pair of commits may have several trials, such as a wide and a narrow one, trials on several
// machines, or a check and a fixed-length trial. Each trial is decided separately, so that no trial
// hides the findings of another or changes their certainty.

// sidesByTrial splits two sides by trial, in order of appearance. It returns nil unless each run
// belongs to a trial with both sides.
func sidesByTrial(b, h Side) (parts [][2]Side) {
	var ids []string
	for _, r := range slices.Concat(b.Runs, h.Runs) {
		if !slices.Contains(ids, r.Trial) {
			ids = append(ids, r.Trial)
		}
	}
	for _, id := range ids {
		of := func(s Side) Side {
			s.Runs = slices.DeleteFunc(slices.Clone(s.Runs), func(r *record.Run) bool { return r.Trial != id })
			return s
		}
		part := [2]Side{of(b), of(h)}
		if !pairs.SameTrial(part[base].Runs, part[head].Runs) {
			return nil
		}
		parts = append(parts, part)
	}
	return parts
}

// compareTrials compares each trial separately and concatenates the tables.
func compareTrials(b, h Side, parts [][2]Side, opt Options) *Comparison {
	c := &Comparison{Base: b, Head: h, Options: opt.withDefaults(), Trials: len(parts), decided: map[seriesKey]bool{}}
	var limits limit.List
	for _, part := range parts {
		own := opt
		if opt.TrialOptions != nil {
			own = opt.TrialOptions(part[base], part[head])
		}
		one := Compare(part[base], part[head], own)
		c.Tables = append(c.Tables, one.Tables...)
		for _, p := range one.pairings {
			p.OfTrial = p.TrialName()
			c.pairings = append(c.pairings, p)
		}
		c.Tested += one.Tested
		if one.divided() { // the same failure often occurs in all parts, so list it once
			c.Failures = added(c.Failures, one.Failures)
		} else {
			c.Failures = append(c.Failures, one.Failures...)
		}
		c.Missing = added(c.Missing, one.Missing)
		c.New = added(c.New, one.New)
		c.Cut = added(c.Cut, one.Cut)
		c.Same = added(c.Same, one.Same)
		c.Unreached = added(c.Unreached, one.Unreached)
		c.Rewritten = added(c.Rewritten, one.Rewritten)
		c.Shared = added(c.Shared, one.Shared)
		for _, s := range one.Starved {
			s.beside = one.functions(s)
			c.Starved = append(c.Starved, s)
		}
		c.Caveats = added(c.Caveats, one.Caveats)
		c.parts = append(c.parts, one.parts...)
		limits = added(limits, own.Limits)
	}
	for r := range c.Rows() {
		if slices.Contains([]Verdict{Regressed, Improved, Changed, Unchanged}, r.Verdict) {
			c.decided[r.series()] = true
		}
	}
	c.Starved = slices.DeleteFunc(c.Starved, func(s Starved) bool { return c.functions(s)-s.beside >= s.Benchmarks })
	c.Caveats = slices.DeleteFunc(c.Caveats, func(x Caveat) bool {
		return slices.Contains([]string{CodeNotChecked, CodeSelection, CodeLimit, CodePart}, x.Code)
	})
	c.noteNotChecked()
	c.noteSelection()
	c.noteParts()
	c.noteLimits(limits)
	return c
}

// functions returns the number of s.Target's benchmark functions with rows. If s is for a part of
// the target, only rows of the same part count, because other parts prove nothing about it.
// Benchmarks without a round in one trial count as checked only if the other trials add at least as
// many functions.
func (c *Comparison) functions(s Starved) int {
	found := map[[2]string]bool{}
	for _, t := range c.Tables {
		if t.Target != s.Target || s.part.Of > 0 && t.Part() != s.part {
			continue
		}
		for _, r := range t.Rows {
			function, _, _ := strings.Cut(r.Name, "/")
			if t.Env[head].Get(record.KeyGOMAXPROCS) == record.ProcsInNames { // each number of processors has its own slot
				base, n := record.ProcsOfName(r.Name)
				function, _, _ = strings.Cut(base, "/")
				function = record.WithProcs(function, n)
			}
			found[[2]string{r.Package, function}] = true
		}
	}
	return len(found)
}

func added[T comparable](list, more []T) []T {
	for _, x := range more {
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}

func (r *Row) series() seriesKey {
	return seriesKey{r.Target, pairs.SeriesUnit{BenchmarkID: r.BenchmarkID, Unit: r.OrigUnit}}
}

// Settled reports whether a row undecided here was decided by another trial of the same commits (as
// regressed, improved, changed or unchanged).
func (c *Comparison) Settled(r *Row) bool {
	return (r.Verdict == Inconclusive || r.Verdict == NotChecked) && c.decided[r.series()]
}

// Undecided returns the number of inconclusive rows that no other trial settled.
func (c *Comparison) Undecided() (n int) {
	for r := range c.Rows() {
		if r.Verdict == Inconclusive && !c.Settled(r) {
			n++
		}
	}
	return n
}

// noteFurther adds a caveat if a check is not the first one of its commits and so has only a share
// of alpha. Because of this share, there is nothing to gain from showing only the most convenient
// of several checks.
func (c *Comparison) noteFurther() {
	for _, p := range c.pairings {
		if share := p.Share(); share < 1 && p.Checked() && p.Part().Of == 0 {
			c.addCaveat(Caveat{Code: CodeFurther, Text: fmt.Sprintf("not the first trial of these commits, so it may use only %.2g %% of alpha; earlier verdicts remain valid; perftrack compare BASE HEAD shows them all", 100*share)})
		}
	}
}
