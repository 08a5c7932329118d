package compare

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/compare/stat"
)

// A Verdict is what perftrack says about a row. The empty one says nothing:
// of derived rows, of single samples, of most unpaired rows.
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
	// NotComparable is of a benchmark that is not the same on both sides.
	NotComparable Verdict = "not comparable"
	Suspect       Verdict = "suspect" // unpaired, or with one layout of the code a side; else it would have been flagged
)

// Verdicts lists the verdicts in the order in which they are counted.
var Verdicts = []Verdict{Regressed, Changed, Suspect, NotChecked, NotComparable, Improved, Unchanged, Inconclusive}

// A Decision is perftrack's own judgement of a row. It is made once for all rows of a
// target, because every test counts against the error rate.
type Decision struct {
	Verdict   Verdict
	Reason    string  // why; "" where the numbers say it all
	Threshold float64 // smallest change worth reporting, as a fraction
	// MeanWithin is the bound of the mean that a strict gate wants proven, as a fraction; 0 is none.
	MeanWithin float64
	Noise      float64 // noise floor by which a trial decided, as a fraction; 0 unknown
	Tested     bool    // counts towards Comparison.Tested
	AdjustedP  float64 // p after stat.Holm's correction; NaN when not tested
	// Exact is set where repetition shows no noise: every sample of a side is the same, of
	// a unit that counts something, or of any other that was decided by that.
	Exact bool
	// Shift is how far head lies above base. Its interval errs at each end
	// with a chance of Options.Alpha, so that "unchanged" is wrong about a
	// change of the threshold with at most that chance (two one-sided tests,
	// Schuirmann 1987). Center is NaN when there is none.
	Shift stat.Shift
	// Bound is the largest relative change that the interval leaves possible,
	// either way, as a fraction of the smaller value; infinite with too few
	// samples, NaN when unknown.
	Bound float64
	// Need is how many rounds would have been needed at least, 0 when
	// there were enough.
	Need int

	// Of a trial: the rounds that the decision rests on, the look that made it, and
	// whether there is none yet.
	Rounds, DecidedAt int
	Open              bool
	// PairNoise is by how much the change that one round shows scatters: the standard
	// deviation of the logarithms of head over base, 0 where it is unknown.
	PairNoise float64

	// ByMean says that the mean of all slices changed, or may have, and a typical round did not:
	// then Shift, Bound, AdjustedP and Rounds are those of the mean, and so are the row's centers.
	ByMean bool
	Mean   *Mean // nil where no round has one
}

// A Mean is what a trial says of the mean of all slices of a benchmark, beside its typical round, which
// leaves out slices that are off.
type Mean struct {
	stat.Mean
	Typical stat.Shift // of the typical round
	Slow    [2]float64 // part of base's and head's slices, 0 to 1, that take far longer than the others
}

func undecided(threshold float64) Decision {
	nan := math.NaN()
	return Decision{Threshold: threshold, AdjustedP: nan, Shift: stat.Shift{Center: nan, Lo: nan, Hi: nan}, Bound: nan}
}

// DecisionOf puts into words what a sequence says of a series, of which higher (+1) or lower
// (-1) values are better.
func DecisionOf(d stat.Decision, better int) Decision {
	out := Decision{
		Verdict: verdictOf(d.Outcome, better), Threshold: d.Threshold, Noise: d.Noise, Tested: d.Tested, AdjustedP: d.AdjustedP, Exact: d.Exact,
		Shift: d.Shift, Bound: d.Bound, Need: d.Need, Rounds: d.Rounds, DecidedAt: d.Round, Open: d.Outcome == stat.Open, PairNoise: d.Spread,
	}
	if d.Mean.Rounds > 0 {
		out.Mean = &Mean{Mean: d.Mean, Typical: d.Shift}
	}
	if d.ByMean {
		out.ByMean, out.PairNoise = true, 0
		out.Tested, out.AdjustedP, out.Shift, out.Bound, out.Rounds = d.Mean.Tested, d.Mean.AdjustedP, d.Mean.Shift, d.Mean.Bound, d.Mean.Rounds
	}
	switch {
	case d.ByMean:
		out.Reason = out.OfMean()
	case d.Cause != stat.NoCause:
		out.Reason = causes[d.Cause]
	case d.Outcome == stat.Open && d.Need > 0:
		out.Reason = fmt.Sprintf("needs %d rounds", d.Need)
	case d.Outcome == stat.Same && d.Bound > 0 && !d.Exact && !d.Shift.Absolute:
		out.Reason = joinWords(within(d.Bound), out.OfMean())
	}
	return out
}

// OfMean says what the verdict owes to the mean: "mean" where that alone changed, or may have; of a row
// that is unchanged how far it may have moved at most, "mean within 14%"; else "".
func (d Decision) OfMean() string {
	switch {
	case d.ByMean:
		return "mean"
	case d.Verdict == Unchanged && d.Mean != nil:
		if text := within(d.Mean.Bound); text != "" {
			return "mean " + text
		}
	}
	return ""
}

// joinWords puts a comma between what is not empty.
func joinWords(words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), ", ")
}

// within says how large a change is possible at most: one of more than the value itself
// as a ratio, which is easier to picture, and of more than a hundred times it nothing.
func within(bound float64) string {
	switch {
	case bound == 0:
		return ""
	case bound <= 1:
		return "within " + upTo(100*bound) + "%"
	case bound <= 99:
		return "within " + upTo(1+bound) + "x"
	}
	return ""
}

func verdictOf(o stat.Outcome, better int) Verdict {
	switch o {
	case stat.Higher:
		return Direction(+1, better)
	case stat.Lower:
		return Direction(-1, better)
	case stat.Same:
		return Unchanged
	}
	return Inconclusive
}

// These reasons of an inconclusive row are those of the machine, which a quieter one would not have.
const (
	TooNoisy = "too noisy: a thousand rounds would not do"
	Drifted  = "the machine drifted by more than the change, which only shows round by round"
)

// causes are the reasons in words.
var causes = map[stat.Cause]string{
	stat.TooSmall:   "too small to matter",
	stat.NoPairs:    "no round has both sides",
	stat.Negative:   "a value is negative",
	stat.Infinite:   "a value is not finite",
	stat.Zero:       "a value of 0 has no relative change",
	stat.Drift:      Drifted,
	stat.BuildNoise: "no number of rounds can decide: builds of one source differ by about the threshold",
	stat.Noisy:      TooNoisy,
}

// upTo is x > 0 rounded up to two digits: a bound must hold as printed.
func upTo(x float64) string {
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	text := fmt.Sprintf("%.2g", math.Ceil(x/unit*(1-1e-12))*unit)
	if up, err := strconv.ParseFloat(text, 64); err == nil { // nobody reads 1e+02 as a hundred
		text = strconv.FormatFloat(up, 'f', -1, 64)
	}
	return text
}

// Direction turns a change up (+1) or down (-1) into a verdict.
func Direction(change, better int) Verdict {
	switch change * better {
	case +1:
		return Improved
	case -1:
		return Regressed
	}
	return Changed
}
