package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
)

// A pair of commits may have several trials: a wide and a narrow one, one of another
// machine, a check and one of fixed length. Each is decided by itself, so that none
// hides what another found or makes it look more or less certain.

// sidesByTrial splits two sides into those of their trials, in order of appearance;
// there is nothing to split unless each run is of a trial that has both.
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
		if !sameTrial(part[base].Runs, part[head].Runs) {
			return nil
		}
		parts = append(parts, part)
	}
	return parts
}

// compareTrials compares what each trial measured, and puts the tables one after the other.
func compareTrials(b, h Side, parts [][2]Side, opt Options) *Comparison {
	c := &Comparison{Base: b, Head: h, Options: opt.withDefaults(), Trials: len(parts), decided: map[seriesKey]bool{}}
	var limits limit.List
	for _, part := range parts {
		own := opt
		if opt.Each != nil {
			own = opt.Each(part[base], part[head])
		}
		one := Compare(part[base], part[head], own)
		c.Tables = append(c.Tables, one.Tables...)
		for _, p := range one.pairings {
			p.OfTrial = p.name()
			c.pairings = append(c.pairings, p)
		}
		c.Tested += one.Tested
		if one.divided() { // what stands in the way of one part does so in all
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

// functions counts the benchmark functions of a target of which a trial has rows: one that
// got no round of a check was checked by the others only where they are as many. Those of the
// other parts say nothing of a part.
func (c *Comparison) functions(s Starved) int {
	found := map[[2]string]bool{}
	for _, t := range c.Tables {
		if t.Target != s.Target || s.part.Of > 0 && t.part() != s.part {
			continue
		}
		for _, r := range t.Rows {
			function, _, _ := strings.Cut(r.Name, "/")
			if t.Env[head].Get(record.KeyGOMAXPROCS) == record.ProcsInNames { // a slot each
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

// A seriesKey is one series of a comparison, in whichever trial.
type seriesKey struct {
	target string
	seriesUnit
}

func (r *Row) series() seriesKey { return seriesKey{r.Target, seriesUnit{r.BenchmarkID, r.OrigUnit}} }

// Settled reports whether another trial of the same commits decided what this one left
// undecided: regressed and improved, or unchanged.
func (c *Comparison) Settled(r *Row) bool {
	return (r.Verdict == Inconclusive || r.Verdict == NotChecked) && c.decided[r.series()]
}

// Undecided counts the rows that are inconclusive and that no other trial settled.
func (c *Comparison) Undecided() (n int) {
	for r := range c.Rows() {
		if r.Verdict == Inconclusive && !c.Settled(r) {
			n++
		}
	}
	return n
}

// name names the trial of a pairing for the reader of several: its id, and what it was.
func (p *Pairing) name() string {
	r := p.runs[head][0]
	switch part := p.part(); {
	case part.Of > 0:
		return fmt.Sprintf("%s, %v of a check", r.Trial, part)
	case p.checked():
		return r.Trial + ", a check"
	}
	return r.Trial + ", of fixed length"
}

// FurtherShare is the part of alpha that the n-th further check of a pair of commits
// has, n from 1: in another environment than the first, or in another clone.
func FurtherShare(n int) float64 { return stat.CheckPlan().FurtherShare(n) }

// SetShare notes on a run which part of alpha its trial has.
func SetShare(r *record.Run, share float64) {
	if share > 0 && share < 1 {
		r.Facts = r.Facts.Set(record.KeyAlphaShare, strconv.FormatFloat(share, 'g', -1, 64))
	}
}

// ShareOf returns which part of alpha the trial of a run has: all of it, unless it says so.
func ShareOf(r *record.Run) float64 {
	share, err := strconv.ParseFloat(r.Facts.Get(record.KeyAlphaShare), 64)
	if err != nil || !(share > 0 && share < 1) {
		return 1
	}
	return share
}

// noteFurther says of a check that there are others of its commits, from which it has what is left of
// the error rate: which of them somebody shows is no matter of choice.
func (c *Comparison) noteFurther() {
	for _, p := range c.pairings {
		if share := p.share(); share < 1 && p.checked() && p.part().Of == 0 {
			c.addCaveat(Caveat{Code: CodeFurther, Text: fmt.Sprintf("a further trial of these commits, with %.2g %% of the error rate: what the earlier ones found stands, perftrack compare BASE HEAD shows all", 100*share)})
		}
	}
}

// Unshared takes back what a run says of its share, and of its family: whoever wrote it may
// not choose how strictly it is judged.
func Unshared(r *record.Run) {
	r.Facts = slices.DeleteFunc(slices.Clone(r.Facts), func(s record.Setting) bool {
		return s.Key == record.KeyAlphaShare || s.Key == record.KeyFamily
	})
}

// share is the part of alpha that the trial has.
func (p *Pairing) share() float64 {
	least := 1.0
	for _, r := range p.runs[head] {
		least = min(least, ShareOf(r))
	}
	return least
}
