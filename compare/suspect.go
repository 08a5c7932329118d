package compare

import (
	"math"

	"golang.org/x/perf/benchmath"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/compare/units"
)

// In unpaired runs, a row can only be suspect, because all samples of a run share the state of the
// machine at the time, and p does not account for this. A row becomes suspect if benchstat's own
// test, corrected for all rows of the comparison, is significant and the change is at least the
// threshold, or if counts repeat exactly on each side but differ between the sides.

// suspect marks the suspect rows in unpaired runs.
func (c *Comparison) suspect() {
	shifts := &stat.Unpaired{Tail: c.Options.Alpha}
	var families [2][]*Row // benchmarks in the base's history, and all others
	for _, t := range c.Tables {
		if t.Trial {
			continue
		}
		for _, r := range t.Rows {
			switch {
			case !r.Compared() || r.Derived:
			case r.Exact && (r.declared || min(r.Base.N, r.Head.N) > 1):
				r.suspectCount(c)
			case min(r.Base.N, r.Head.N) < 2:
				r.Notes = append(r.Notes, Caveat{Code: CodeOneSample, Text: "only 1 sample: too few for a test"})
			default:
				r.Tested = true
				r.measureShift(shifts)
				i := 0
				if c.unknown(r) {
					i = 1
				}
				families[i] = append(families[i], r)
			}
		}
	}
	known, unknown := len(families[0]), len(families[1])
	c.Tested += known + unknown
	c.Blind = known+unknown > 0
	for i, rows := range families {
		var p []float64
		for _, r := range rows {
			p = append(p, r.unpairedP(c.Options))
		}
		for k, adjusted := range stat.Holm(p, len(p), stat.Weight(known, unknown, i == 1)) {
			r := rows[k]
			r.AdjustedP, r.Sharing = adjusted, stat.Sharing(known, unknown, i == 1)
			c.Blind = c.Blind && stat.LeastUnpairedP(r.Base.N, r.Head.N)*r.Sharing > c.Options.Alpha
			if adjusted <= c.Options.Alpha && p[k] <= c.Options.CompareAlpha && r.beyond() {
				r.raise(c, "unpaired: the samples of a run share the machine's state, so p understates the noise between runs")
			}
		}
	}
}

// raise makes the row suspect and notes why.
func (r *Row) raise(c *Comparison, why string) {
	r.Verdict = Suspect
	r.Notes = append(r.Notes, Caveat{CodeUnpaired, why + "; to decide", c.DecideCommand()})
}

func (r *Row) suspectCount(c *Comparison) {
	var outcome stat.Outcome
	r.Shift, outcome, _ = stat.Repeated(r.Base.Center, r.Head.Center, units.Negligible(r.Unit))
	switch {
	case outcome != stat.Same:
		r.raise(c, "unpaired")
	case r.Base.Center == r.Head.Center:
		r.Bound = 0
	}
}

// unpairedP returns benchstat's p: r.P except in two cases. If the samples in a unit declared exact
// vary, benchmath does not test them at all, so unpairedP tests them as in any other unit. If there
// are ties and the sides have different numbers of samples, benchmath's p depends on the order of
// the sides, because it treats a skewed distribution as symmetric; then unpairedP returns the
// larger p of both orders.
func (r *Row) unpairedP(opt Options) float64 {
	test := func(a, b []float64) float64 {
		return min(1, benchmath.AssumeNothing.Compare(newSample(a, opt.CompareAlpha), newSample(b, opt.CompareAlpha)).P)
	}
	p := r.P
	if r.declared {
		p = test(r.values[base], r.values[head])
	}
	if r.Base.N != r.Head.N {
		p = max(p, test(r.values[head], r.values[base]))
	}
	return p
}

func (r *Row) measureShift(s *stat.Unpaired) {
	if f := units.Negligible(r.Unit).Size; f > 0 {
		e := s.Estimate(r.values[base], r.values[head])
		r.small = max(math.Abs(e.Lo), math.Abs(e.Hi)) <= f
	}
	if shift, bound, ok := s.Relative(r.values[base], r.values[head]); ok {
		r.Shift, r.Bound = shift, bound
		return
	}
	r.Shift = s.Estimate(r.values[base], r.values[head])
	r.noteZero()
}

func (r *Row) noteZero() {
	r.Notes = append(r.Notes, Caveat{Code: CodeZero, Text: "a value of 0 has no relative change, so the change is given in the unit itself"})
}

// Differs reports, without any test, whether the centers differ by at least the threshold. It is
// false for derived rows.
func (r *Row) Differs() bool {
	distance := math.Abs(r.Head.Center - r.Base.Center)
	return r.HasDelta() && !r.Derived && distance > units.Negligible(r.Unit).Size && math.Abs(math.Log1p(r.Delta)) >= math.Log1p(r.Threshold)
}

// beyond reports whether delta and shift are both at least the threshold, in the same direction.
// Sizes are compared as ratios, so a threshold of 5 % is crossed at 1.05 and at 1/1.05.
func (r *Row) beyond() bool {
	if math.Abs(r.Head.Center-r.Base.Center) <= units.Negligible(r.Unit).Size {
		return false
	}
	limit := math.Log1p(r.Threshold)
	delta := math.Log1p(r.Delta) // -Inf if the center became 0, +Inf if it was 0
	shift := math.Log1p(r.Shift.Center)
	if r.Shift.Absolute && r.Shift.Center != 0 {
		shift = math.Inf(int(math.Copysign(1, r.Shift.Center))) // no relative size could be below the threshold
	}
	up := delta >= limit && shift >= limit && delta > 0
	down := delta <= -limit && shift <= -limit && delta < 0
	return up || down
}

// proven reports whether the interval excludes a change that matters.
func (r *Row) proven() bool {
	if r.Shift.Absolute {
		return r.small || r.Shift.Lo == 0 && r.Shift.Hi == 0
	}
	return r.small || r.Bound <= r.Threshold
}
