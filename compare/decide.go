package compare

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// A Verdict is what perftrack says about a row. The empty one says nothing:
// of derived rows, of single samples, of most rows measured apart.
type Verdict string

// The verdicts. All but Suspect need a trial, and of times one with changing layouts.
const (
	NoVerdict    Verdict = ""
	Regressed    Verdict = "regressed"
	Improved     Verdict = "improved"
	Changed      Verdict = "changed"      // significant and large, of a unit without a direction
	Unchanged    Verdict = "unchanged"    // proven: any change is smaller than the threshold
	Inconclusive Verdict = "inconclusive" // neither could be proven
	NotChecked   Verdict = "not checked"  // no change could have been proven, however large: too few rounds
	Suspect      Verdict = "suspect"      // measured apart, or with one layout of the code a side; else it would have been flagged
)

// Verdicts lists the verdicts in the order in which they are counted.
var Verdicts = []Verdict{Regressed, Changed, Suspect, NotChecked, Improved, Unchanged, Inconclusive}

// A Decision is perftrack's own judgement of a row. It is made once for the
// whole comparison, because every test counts against the error rate.
type Decision struct {
	Verdict   Verdict
	Reason    string  // why; "" where the numbers say it all
	Threshold float64 // smallest change worth reporting, as a fraction
	Noise     float64 // noise floor by which a checked trial decided, as a fraction; 0 unknown
	Tested    bool    // counts towards Comparison.Tested
	AdjustedP float64 // p after Holm's correction; NaN when not tested
	// Shift is how far head lies above base. Its interval errs at each end
	// with a chance of Options.Alpha, so that "unchanged" is wrong about a
	// change of the threshold with at most that chance (two one-sided tests,
	// Schuirmann 1987). Center is NaN when there is none.
	Shift Shift
	// Bound is the largest relative change that the interval leaves possible,
	// either way, as a fraction of the smaller value; infinite with too few
	// samples, NaN when unknown.
	Bound float64
	// Need is how many samples a side would have been needed at least, 0 when
	// there were enough.
	Need int
}

func undecided(threshold float64) Decision {
	nan := math.NaN()
	return Decision{Threshold: threshold, AdjustedP: nan, Shift: Shift{Center: nan, Lo: nan, Hi: nan}, Bound: nan}
}

// decide tests all rows that can be tested, as one family, and fills in their
// decisions. What was measured apart is taken back to a suspicion at most.
func (c *Comparison) decide() {
	shifts := &shifter{tail: c.Options.Alpha}
	var tested, single []*Row
	var p []float64
	var unknown []bool
	for r := range c.unchecked() {
		switch {
		case !r.Compared() || r.Derived:
		case r.Exact && (r.declared || min(r.Base.N, r.Head.N) > 1):
			r.decideExact()
		case min(r.Base.N, r.Head.N) < 2:
			r.Notes = append(r.Notes, Caveat{Code: CodeOneSample, Text: "1 sample: no test possible"})
			if r.trial {
				single = append(single, r)
			}
		default:
			r.Tested = true
			r.measureShift(shifts)
			tested, p, unknown = append(tested, r), append(p, r.testP(c.Options)), append(unknown, c.unknown(r))
		}
	}
	c.Tested = len(tested)
	for _, u := range unknown {
		c.untold += cond(u, 1, 0)
	}
	for i, adjusted := range holmOf(p, unknown) {
		tested[i].AdjustedP = adjusted
		tested[i].judge(p[i], c)
	}
	for _, r := range single {
		r.Need = roundsNeeded(c.Options.Alpha, len(tested)+len(single))
		r.Verdict, r.Reason = NotChecked, fmt.Sprintf("1 of %d samples", r.Need)
	}
	for r := range c.unchecked() {
		if !r.trial {
			r.demote(c)
		}
	}
	for _, t := range c.Tables {
		if !t.calibrates() {
			continue
		}
		for _, r := range t.Rows {
			r.Verdict, r.Reason = NoVerdict, ""
		}
	}
}

// unchecked returns the rows that are not of a trial decided round by round.
func (c *Comparison) unchecked() iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		for _, t := range c.Tables {
			if t.checked() {
				continue
			}
			for _, r := range t.Rows {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// testP returns the p of the Mann-Whitney test that decides. It is r.P but in
// two cases. Of a unit declared exact whose samples vary benchmath tests
// nothing. And with ties in samples of unequal size its p depends on which
// side is the first, because it takes a skewed distribution for symmetric; the
// larger of both is taken.
func (r *Row) testP(opt Options) float64 {
	p := r.P
	if r.declared {
		p = uTest(r.values[base], r.values[head], opt)
	}
	if r.Base.N != r.Head.N {
		p = max(p, uTest(r.values[head], r.values[base], opt))
	}
	return p
}

func uTest(a, b []float64, opt Options) float64 {
	return min(1, benchmath.AssumeNothing.Compare(newSample(a, opt.CompareAlpha), newSample(b, opt.CompareAlpha)).P)
}

func (r *Row) measureShift(s *shifter) {
	if f := floor(r.Unit); f > 0 {
		e := s.estimate(r.values[base], r.values[head])
		r.small = max(math.Abs(e.Lo), math.Abs(e.Hi)) <= f
	}
	if shift, bound, ok := s.relative(r.values[base], r.values[head]); ok {
		r.Shift, r.Bound = shift, bound
		return
	}
	r.Shift = s.estimate(r.values[base], r.values[head])
	r.Notes = append(r.Notes, Caveat{Code: CodeZero, Text: "values of 0 have no relative change: the change is in the unit itself"})
}

// judge gives a tested row its verdict from its own p and the adjusted one.
func (r *Row) judge(p float64, c *Comparison) {
	significant := r.AdjustedP <= c.Options.Alpha && p <= c.Options.CompareAlpha
	switch {
	case significant && r.beyond() != 0:
		r.Verdict = direction(r.beyond(), r.Better)
	case r.proven():
		r.Verdict = Unchanged
		if r.Bound > 0 {
			r.Reason = "within " + upTo(100*r.Bound) + "%"
		}
	case r.trial:
		r.Verdict, r.Reason = r.doubt(c)
	}
}

// upTo is x > 0 rounded up to two digits: a bound must hold as printed.
func upTo(x float64) string {
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return fmt.Sprintf("%.2g", math.Ceil(x/unit*(1-1e-12))*unit)
}

// beyond returns +1 or -1 when delta and shift are both at least the threshold
// up or down, else 0. Sizes are compared as ratios, up or down alike: a 5 %
// threshold is crossed at 1.05 and at 1/1.05.
func (r *Row) beyond() int {
	if math.Abs(r.Head.Center-r.Base.Center) <= floor(r.Unit) {
		return 0
	}
	limit := math.Log1p(r.Threshold)
	delta := math.Log1p(r.Delta) // -Inf where the center became 0, +Inf where it was
	shift := math.Log1p(r.Shift.Center)
	if r.Shift.Absolute && r.Shift.Center != 0 {
		shift = math.Inf(int(math.Copysign(1, r.Shift.Center))) // has no relative size to fall short of
	}
	switch {
	case delta >= limit && shift >= limit && delta > 0:
		return +1
	case delta <= -limit && shift <= -limit && delta < 0:
		return -1
	}
	return 0
}

// proven reports whether the interval leaves no room for a change that matters.
func (r *Row) proven() bool {
	if r.Shift.Absolute {
		return r.small || r.Shift.Lo == 0 && r.Shift.Hi == 0
	}
	return r.small || r.Bound <= r.Threshold
}

// doubt says what a row is that nothing was shown of, and why: not checked with too few
// samples, inconclusive with too much noise.
func (r *Row) doubt(c *Comparison) (v Verdict, why string) {
	family := int(math.Ceil(shared(c.Tested-c.untold, c.untold, c.unknown(r))))
	if smallestP(r.Base.N, r.Head.N) > c.Options.Alpha/float64(family) {
		r.Notes = slices.DeleteFunc(r.Notes, func(n Caveat) bool { return n.Code == CodeFewSamples })
		r.Need = roundsNeeded(c.Options.Alpha, family)
		r.Notes = append(r.Notes, Caveat{Code: CodeFewSamples, Text: fmt.Sprintf(
			"too few samples: %d rows at alpha %v need at least %d rounds a side", family, c.Options.Alpha, r.Need)})
		return NotChecked, fmt.Sprintf("%d of %d samples", min(r.Base.N, r.Head.N), r.Need)
	}
	if r.Shift.Absolute {
		return Inconclusive, "noise"
	}
	if math.IsInf(r.Bound, 1) {
		return Inconclusive, "noise"
	}
	if r.Shift.Lo <= 0 && r.Shift.Hi >= 0 {
		// As for unchanged, so that both can be held against the threshold.
		return Inconclusive, "within " + upTo(100*r.Bound) + "%"
	}
	half := math.Expm1((math.Log1p(r.Shift.Hi) - math.Log1p(r.Shift.Lo)) / 2)
	return Inconclusive, fmt.Sprintf("noise ±%.2g%%", 100*half)
}

// direction turns a change up (+1) or down (-1) into a verdict.
func direction(change, better int) Verdict {
	switch change * better {
	case +1:
		return Improved
	case -1:
		return Regressed
	}
	return Changed
}

// demote takes back the verdict of a row measured apart: its samples share the
// state of the machine within a run, and p knows nothing of it.
func (r *Row) demote(c *Comparison) {
	switch r.Verdict {
	case Regressed, Improved, Changed:
		why := "measured apart: samples of one run share its machine state, so p understates the noise between runs"
		if r.Exact {
			why = "measured apart"
		}
		r.Verdict, r.Reason = Suspect, ""
		r.Notes = append(r.Notes, Caveat{CodeApart, why + "; to decide", c.DecideCommand()})
	default:
		r.Verdict, r.Reason = NoVerdict, ""
	}
}
