package compare

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/compare/units"
	"github.com/perftrack/perftrack/runner/record"
)

// addPairing adds a pairing's tables to the comparison, with all numbers except the decisions.
func (c *Comparison) addPairing(p *pairs.Pairing) {
	if note, ok := environmentCaveat(p); ok {
		c.addCaveat(note)
	}
	c.noteSpread(p)
	all := p.Series()
	ids := presence(all)
	c.addOneSided(p, all, ids)
	first := len(c.Tables)
	for _, s := range all {
		n := len(c.Tables)
		if n == first || !c.Tables[n-1].holds(s) {
			c.Tables = append(c.Tables, Table{Pairing: p, Kind: s.ID.Kind, Package: s.ID.Package, Suite: s.ID.Suite, Unit: s.Unit})
			n++
		}
		t := &c.Tables[n-1]
		t.Rows = append(t.Rows, c.row(p, s, ids[s.ID]))
	}
	for i := range c.Tables[first:] {
		t := &c.Tables[first+i]
		t.Geomean = geomean(t.Rows)
		t.nest()
	}
}

func (t *Table) holds(s *pairs.Series) bool {
	return t.Kind == s.ID.Kind && t.Package == s.ID.Package && t.Suite == s.ID.Suite && t.Unit == s.Unit
}

// A present records, for each side, whether it has a benchmark, whether it has the benchmark's
// time, and whether a report printed its figures, which then have few digits.
type present struct{ any, time, printed [2]bool }

func presence(all []*pairs.Series) map[record.BenchmarkID]present {
	out := map[record.BenchmarkID]present{}
	for _, s := range all {
		p := out[s.ID]
		for side, values := range s.Values {
			has := len(values) > 0
			p.any[side] = p.any[side] || has
			p.time[side] = p.time[side] || has && units.IsTime(s.Unit)
			p.printed[side] = p.printed[side] || has && s.Unit == units.TotalTime
		}
		out[s.ID] = p
	}
	return out
}

// addOneSided lists each benchmark missing on one side once. If only some units of a benchmark are
// missing, it lists these units.
func (c *Comparison) addOneSided(p *pairs.Pairing, all []*pairs.Series, ids map[record.BenchmarkID]present) {
	listed := map[OneSided]bool{}
	for _, s := range all {
		for side, list := range []*[]OneSided{&c.New, &c.Missing} {
			if len(s.Values[side]) > 0 {
				continue
			}
			if s.ID.Kind == record.Scope && units.OfCall(s.Unit) && ids[s.ID].any[side] {
				continue // only some reports print this unit, and our own profiles imply it
			}
			u := OneSided{Target: p.Target, BenchmarkID: s.ID}
			if ids[s.ID].any[side] {
				u.Unit = s.Unit
			}
			if p.CutBefore(side, s.ID.Package) {
				list = &c.Cut
			}
			if !listed[u] {
				listed[u] = true
				*list = append(*list, u)
			}
		}
	}
}

func (c *Comparison) row(p *pairs.Pairing, s *pairs.Series, has present) *Row {
	r := &Row{
		BenchmarkID: s.ID, Target: p.Target, Unit: s.Unit, OrigUnit: s.Orig,
		Delta: math.NaN(), P: math.NaN(), Calls: s.Calls(), paired: p.Trial, values: s.Values,
	}
	r.Decision = undecided(max(0, c.Options.Threshold(s.ID.Name)))
	if s.ID.Kind == record.Bench && s.Orig == units.Time {
		r.MeanWithin = c.Options.MeanWithin(s.ID.Name)
	}
	c.setUnit(r, p)
	r.Method = p.Method(s.ID)
	r.Exact = r.repeats()
	atBase, atHead := newSample(s.Values[base], c.Options.CompareAlpha), newSample(s.Values[head], c.Options.CompareAlpha)
	r.Base = summarizeSample(atBase, r.declared, c.Options.Confidence)
	r.Head = summarizeSample(atHead, r.declared, c.Options.Confidence)
	r.Base.tell(s.Told[base])
	r.Head.tell(s.Told[head])
	if r.Summarized() {
		r.Exact = false
	}
	if r.Exact {
		r.Base.Notes, r.Head.Notes = nil, nil
	}
	r.Derived = units.IsDerived(s.Unit) && has.time[base] && has.time[head] || r.Kind == record.Scope && r.Unit != "sec/op" && !r.Exact
	rounded := r.noteRounded(has.printed)
	switch {
	case r.Base.N == 0 || r.Head.N == 0 || rounded:
	case !p.Comparable:
		note, _ := environmentCaveat(p)
		r.Notes = append(r.Notes, note)
	case r.Summarized():
		r.setDelta()
		r.noteSummary()
	default:
		r.compare(c.test(r.declared, atBase, atHead))
	}
	return r
}

// leastSure is the smallest number of samples per side at which benchmath never asks for more.
const leastSure = 10

// test performs benchstat's test of whether the samples come from one distribution. It computes the
// exact distribution itself, because benchmath takes a hundred times as long if some values are
// tied.
func (c *Comparison) test(exact bool, atBase, atHead *benchmath.Sample) benchmath.Comparison {
	n1, n2 := len(atBase.Values), len(atHead.Values)
	if !exact && max(n1, n2) >= leastSure {
		if p, ok := c.rankSum.P(atBase.Values, atHead.Values); ok {
			return benchmath.Comparison{P: p, N1: n1, N2: n2, Alpha: c.Options.CompareAlpha}
		}
	}
	return assumption(exact).Compare(atBase, atHead)
}

// noteRounded marks sizes that a report printed as 0, because 0.00 MB can be any size too small for
// the last digit. It reports whether a 0 printed by a report is compared with another size, so that
// the change is unknown.
func (r *Row) noteRounded(printed [2]bool) bool {
	if r.Kind != record.Scope || r.Unit != "B/op" {
		return false
	}
	unknown, other := false, false
	for side, s := range []*Summary{&r.Base, &r.Head} {
		switch {
		case s.N > 0 && s.Center == 0 && printed[side]:
			s.Notes = append(s.Notes, Caveat{Code: CodeRounded, Text: "printed as 0 because it is below the last digit of the report"})
			unknown = true
		case s.N > 0:
			other = true
		}
	}
	return unknown && other
}

func (r *Row) compare(b benchmath.Comparison) {
	r.P = min(1, b.P) // benchmath's p can exceed 1 if there are ties
	r.setDelta()
	if !r.Exact && min(r.Base.N, r.Head.N) > 1 {
		notes := remarks(b.Warnings, r.declared)
		if r.paired { // perftrack's own test computes how many pairs a trial needs
			notes = slices.DeleteFunc(notes, func(n Caveat) bool { return n.Code == CodeFewSamples })
		}
		r.Notes = append(r.Notes, notes...)
	}
}

func (r *Row) setDelta() {
	r.Delta = r.Head.Center/r.Base.Center - 1
	if r.Head.Center == r.Base.Center {
		r.Delta = 0
	}
}

// setUnit copies the declarations about the unit from both sides. A rule's direction wins, then the
// base's, so that a change cannot turn a loss into a gain by redeclaring the direction.
func (c *Comparison) setUnit(r *Row, p *pairs.Pairing) {
	ruled := false
	if c.Options.Better != nil {
		r.Better = c.Options.Better(r.Name, r.OrigUnit)
		ruled = r.Better != 0
	}
	for side, runs := range p.Runs {
		for _, run := range runs {
			r.declared = r.declared || run.Exact(r.OrigUnit)
			if ruled {
				continue
			}
			better := run.Better(r.OrigUnit)
			if r.Better == 0 {
				r.Better = better
			} else if side == head && better != 0 && better != r.Better {
				r.Notes = append(r.Notes, Caveat{CodeDirection, "head declares the opposite direction for the unit", r.Unit})
			}
		}
	}
}

// repeats reports whether the row's unit is a count or is declared exact, and each side always has
// the same value.
func (r *Row) repeats() bool {
	return (r.declared || units.IsCount(r.Unit)) && constant(r.values[base]) && constant(r.values[head])
}

func constant(values []float64) bool {
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return true
}
