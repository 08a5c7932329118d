package compare

import (
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
)

// sharedOf returns the benchmarks of a run measured with the test files of one side.
func sharedOf(r *record.Run) (all []Shared) {
	for _, t := range r.Protocol.Tests {
		for _, name := range t.Edited {
			all = append(all, Shared{r.Target, t.Package, name, t.Of, false})
		}
		for _, name := range t.New {
			all = append(all, Shared{r.Target, t.Package, name, t.Of, true})
		}
	}
	return all
}

// noteTests adds a note to each row whose two sides were measured with the test files of one side.
func (c *Comparison) noteTests() {
	for r := range c.Rows() {
		i := slices.IndexFunc(c.Shared, func(s Shared) bool {
			return s.Target == r.Target && s.Package == r.Package && s.Name == functionOf(r)
		})
		if i < 0 || !r.Compared() {
			continue
		}
		text := "the benchmark was edited: both sides were measured with the test files from "
		if c.Shared[i].New {
			text = "the benchmark is new: base was measured with the test files from "
		}
		r.Notes = append(r.Notes, Caveat{Code: CodeTests, Text: text + string(c.Shared[i].Of)})
	}
}

// functionOf returns the name of a row's benchmark function.
func functionOf(r *Row) string {
	function, _, _ := strings.Cut(r.Name, "/")
	return record.WithoutProcs(function) // the name of a Go function contains no -
}

// SameCoverage reports whether two runs leave out the same benchmarks and measure the same part.
func SameCoverage(a, b *record.Run) bool {
	p, q := &a.Protocol, &b.Protocol
	samePart := p.Part == q.Part || p.Part != nil && q.Part != nil && *p.Part == *q.Part
	return samePart && slices.Equal(p.SameCode, q.SameCode) && slices.Equal(p.Unreached, q.Unreached) &&
		slices.Equal(p.Lacks, q.Lacks) && slices.Equal(p.Rewritten, q.Rewritten) && slices.Equal(sharedOf(a), sharedOf(b))
}

// unreached collects the benchmarks of a target that reach no changed code. It drops them again if
// a later check measured all benchmarks.
func (c *Comparison) unreached(target string, runs []*record.Run) {
	var found []Unreached
	for _, run := range runs {
		noted := run.Protocol.Unreached
		if len(noted) == 0 && len(run.Benchmarks) > 0 && run.Status != record.Partial && run.Protocol.SelectsAll() {
			found = nil
		}
		for _, n := range noted {
			i := slices.IndexFunc(found, func(u Unreached) bool { return u.Package == n.Package })
			if i < 0 {
				found = append(found, Unreached{target, n.Package, n.Benchmarks})
			} else {
				found[i].Benchmarks = max(found[i].Benchmarks, n.Benchmarks)
			}
		}
	}
	c.Unreached = append(c.Unreached, found...)
}

// coverage collects the edited benchmarks and those that a check left out.
func (c *Comparison) coverage(p *pairs.Pairing) {
	if !p.Checked() && !p.Trial {
		return
	}
	for _, run := range p.Runs[head] {
		c.Rewritten = added(c.Rewritten, c.believed(run))
		c.Shared = added(c.Shared, sharedOf(run))
	}
	if !p.Checked() {
		return
	}
	c.unreached(p.Target, p.Runs[head])
	for _, run := range p.Runs[head] {
		for _, n := range run.Protocol.SameCode {
			if same := (SameCode{p.Target, n.Package, n.Benchmarks}); !slices.Contains(c.Same, same) {
				c.Same = append(c.Same, same)
			}
		}
	}
}

// rewrittenOf returns the benchmarks that a run declares not comparable.
func rewrittenOf(r *record.Run) (all []Rewritten) {
	for _, f := range r.Protocol.Rewritten {
		all = append(all, Rewritten{r.Target, f.Package, f.Name})
	}
	return all
}

// believed returns the run's rewritten benchmarks whose edit the options confirm, or all of them if
// Options.Edited is nil.
func (c *Comparison) believed(r *record.Run) (all []Rewritten) {
	for _, w := range rewrittenOf(r) {
		of := []Rewritten{w}
		if w.Package == "*" && c.Options.Edited != nil {
			of = nil
			for _, b := range r.Benchmarks {
				of = append(of, Rewritten{w.Target, b.Package, w.Name})
			}
		}
		for _, w := range of {
			if c.Options.Edited == nil || c.Options.Edited(w.Target, w.Package) {
				all = append(all, w)
			}
		}
	}
	return all
}

// rewritten reports whether the row's benchmark function was rewritten.
func (c *Comparison) rewritten(r *Row) bool {
	function := functionOf(r)
	return slices.ContainsFunc(c.Rewritten, func(w Rewritten) bool {
		return w.Target == r.Target && (w.Package == r.Package || w.Package == "*") && (w.Name == function || w.Name == "*")
	})
}

// Covers reports whether anything is known about a target: it has samples or failures, its code is
// the same on both sides, its benchmarks do not reach the change, or there was no time for it.
func (c *Comparison) Covers(target string) bool {
	return slices.ContainsFunc(slices.Concat(c.Base.Runs, c.Head.Runs), func(r *record.Run) bool {
		return r.Target == target && len(r.Benchmarks)+len(r.Failures) > 0
	}) || slices.ContainsFunc(c.Same, func(s SameCode) bool { return s.Target == target }) ||
		slices.ContainsFunc(c.Unreached, func(u Unreached) bool { return u.Target == target }) ||
		slices.ContainsFunc(c.Starved, func(s Starved) bool { return s.Target == target })
}

// LostCoverage reports whether any benchmark of base is missing, cut off, rewritten or untried,
// anything failed, or a part has no result.
func (c *Comparison) LostCoverage() bool {
	return len(c.Missing)+len(c.Cut)+len(c.Failures)+len(c.Rewritten)+len(c.Untried)+len(c.LostParts()) > 0
}
