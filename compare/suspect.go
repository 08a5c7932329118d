package compare

import (
	"math"

	"golang.org/x/perf/benchmath"

	"github.com/perftrack/perftrack/compare/stat"
)

// Unpaired runs are only ever suspect: the samples of one run
// share the state of the machine in its time, and p knows nothing of it. Suspicion is
// raised by benchstat's own test, corrected for all rows of the comparison, of a change of
// at least the threshold, or by counts that repeat on each side and differ.

// suspect finds what is suspect among the rows that are of no trial.
func (c *Comparison) suspect() {
	shifts := &stat.Unpaired{Tail: c.Options.Alpha}
	var families [2][]*Row // of benchmarks that the base's history knows, and of others
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
				r.Notes = append(r.Notes, Caveat{Code: CodeOneSample, Text: "1 sample: no test possible"})
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
			r.AdjustedP, r.sharing = adjusted, stat.Sharing(known, unknown, i == 1)
			if stat.LeastUnpairedP(r.Base.N, r.Head.N)*r.sharing <= c.Options.Alpha {
				c.Blind = false
			}
			if adjusted <= c.Options.Alpha && p[k] <= c.Options.CompareAlpha && r.beyond() {
				r.raise(c, "unpaired: samples of one run share its machine state, so p understates the noise between runs")
			}
		}
	}
}

// raise makes the row suspect.
func (r *Row) raise(c *Comparison, why string) {
	r.Verdict = Suspect
	r.Notes = append(r.Notes, Caveat{CodeApart, why + "; to decide", c.DecideCommand()})
}

func (r *Row) suspectCount(c *Comparison) {
	var outcome stat.Outcome
	r.Shift, outcome, _ = stat.Repeated(r.Base.Center, r.Head.Center, negligible(r.Unit))
	switch {
	case outcome != stat.Same:
		r.raise(c, "unpaired")
	case r.Base.Center == r.Head.Center:
		r.Bound = 0
	}
}

// unpairedP returns benchstat's p. It is r.P but in
// two cases. Of a unit declared exact whose samples vary benchmath tests
// nothing. And with ties in samples of unequal size its p depends on which
// side is the first, because it takes a skewed distribution for symmetric; the
// larger of both is taken.
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
	if f := negligible(r.Unit).Size; f > 0 {
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
	r.Notes = append(r.Notes, Caveat{Code: CodeZero, Text: "values of 0 have no relative change: the change is in the unit itself"})
}

// Differs reports whether the centers are as far apart as the threshold, whatever a test says of it. What
// follows from another row does not differ by itself.
func (r *Row) Differs() bool {
	apart := math.Abs(r.Head.Center - r.Base.Center)
	return r.Compared() && !r.Derived && apart > negligible(r.Unit).Size && math.Abs(math.Log1p(r.Delta)) >= math.Log1p(r.Threshold)
}

// beyond reports whether delta and shift are both at least the threshold, up or down.
// Sizes are compared as ratios, up or down alike: a 5 %
// threshold is crossed at 1.05 and at 1/1.05.
func (r *Row) beyond() bool {
	if math.Abs(r.Head.Center-r.Base.Center) <= negligible(r.Unit).Size {
		return false
	}
	limit := math.Log1p(r.Threshold)
	delta := math.Log1p(r.Delta) // -Inf where the center became 0, +Inf where it was
	shift := math.Log1p(r.Shift.Center)
	if r.Shift.Absolute && r.Shift.Center != 0 {
		shift = math.Inf(int(math.Copysign(1, r.Shift.Center))) // has no relative size to fall short of
	}
	up := delta >= limit && shift >= limit && delta > 0
	down := delta <= -limit && shift <= -limit && delta < 0
	return up || down
}

// proven reports whether the interval leaves no room for a change that matters.
func (r *Row) proven() bool {
	if r.Shift.Absolute {
		return r.small || r.Shift.Lo == 0 && r.Shift.Hi == 0
	}
	return r.small || r.Bound <= r.Threshold
}
