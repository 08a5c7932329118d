package compare

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/compare/stat"
)

// A Verdict is perftrack's judgement on a row. It is empty for derived rows, single samples, and
// most unpaired rows.
type Verdict string

// The verdicts. All but Suspect require a trial. For times, the trial must also vary the code
// layout.
const (
	NoVerdict    Verdict = ""
	Regressed    Verdict = "regressed"
	Improved     Verdict = "improved"
	Changed      Verdict = "changed"      // significant and large, in a unit without a direction
	Unchanged    Verdict = "unchanged"    // proven: any change is smaller than the threshold
	Inconclusive Verdict = "inconclusive" // neither a change nor its absence could be proven
	NotChecked   Verdict = "not checked"  // too few rounds: no change could have been proven, however large
	// NotComparable is the verdict on a benchmark that differs between the sides.
	NotComparable Verdict = "not comparable"
	Suspect       Verdict = "suspect" // would have been flagged, but is unpaired or has only one code layout per side
)

// Verdicts lists the verdicts in the order of reports.
var Verdicts = []Verdict{Regressed, Changed, Suspect, NotChecked, NotComparable, Improved, Unchanged, Inconclusive}

// A Decision is perftrack's own judgement on a row. All rows of a target are decided together,
// because every test counts against the error rate.
type Decision struct {
	Verdict   Verdict
	Reason    string  // the reason for the verdict; "" if the numbers show it
	Threshold float64 // smallest change worth reporting, as a fraction
	// MeanWithin is the bound, as a fraction, that a strict gate requires to be proven for the
	// change in the mean, or 0 for no bound.
	MeanWithin float64
	Noise      float64 // noise floor used for the decision, as a fraction; 0 if unknown
	Tested     bool    // the row counts towards Comparison.Tested
	AdjustedP  float64 // p after stat.Holm's correction; NaN if not tested
	// Exact is set if repeating the benchmark shows no noise: all samples on a side are the same, and
	// the unit is a count or is decided like a count.
	Exact bool
	// Shift is the change from base to head. Each end of its interval is wrong with a probability of
	// Options.Alpha, so "unchanged" overlooks a change as large as the threshold with at most this
	// probability (two one-sided tests, Schuirmann 1987). Center is NaN without an estimate.
	Shift stat.Shift
	// Bound is the largest relative change within the interval, in either direction, as a fraction
	// of the smaller value. It is infinite if there are too few samples, and NaN if unknown.
	Bound float64
	// Need is the smallest number of rounds that would have been enough, or 0 if there were enough.
	Need int

	// For a trial: the number of rounds that the decision is based on, the look (analysis) that
	// made it, and whether it is still open.
	Rounds, DecidedAt int
	Open              bool
	// PairNoise is the standard deviation of the logarithm of head over base from round to round, or 0
	// if unknown.
	PairNoise float64

	// ByMean is set if the mean of all slices changed or may have changed while the typical round
	// did not. Then Shift, Bound, AdjustedP and Rounds are for the mean, and so are the row's
	// centers.
	ByMean bool
	Mean   *Mean // nil if no round has a mean
}

// A Mean is a trial's decision about the mean of all slices of a benchmark, in addition to its
// decision about the typical round, which ignores slices with extreme values.
type Mean struct {
	stat.Mean
	Typical stat.Shift // the shift of the typical round
	Slow    [2]float64 // fraction of base's and of head's slices that take far longer than the others
}

func undecided(threshold float64) Decision {
	nan := math.NaN()
	return Decision{Threshold: threshold, AdjustedP: nan, Shift: stat.Shift{Center: nan, Lo: nan, Hi: nan}, Bound: nan}
}

// DecisionOf converts a sequence's decision on one series. better is +1 if higher values are
// better, -1 if lower, and 0 if neither is known.
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

// OfMean describes the mean's part in the verdict: "mean" if only the mean changed or may have
// changed, the mean's largest possible change if the row is unchanged ("mean within 14%"), or ""
// otherwise.
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

// joinWords joins non-empty words with commas.
func joinWords(words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), ", ")
}

// within describes the largest possible change. A change that exceeds the value itself is given as
// a ratio, which is easier to picture. within returns "" if bound is 0 or the ratio is above 100.
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

// Reasons for an inconclusive row that are due to the machine and would not occur on a quieter one.
const (
	TooNoisy = "too noisy: even a thousand rounds would not decide it"
	Drifted  = "the machine drifted by more than the change, so only comparing round by round shows it"
)

// causes maps each cause of a decision to its description.
var causes = map[stat.Cause]string{
	stat.TooSmall:   "too small to matter",
	stat.NoPairs:    "no round measured both sides",
	stat.Negative:   "a value is negative",
	stat.Infinite:   "a value is not finite",
	stat.Zero:       "a value of 0 has no relative change",
	stat.Drift:      Drifted,
	stat.BuildNoise: "more rounds cannot decide it: builds of the same source differ by about the threshold",
	stat.Noisy:      TooNoisy,
}

// upTo formats x > 0 rounded up to two significant digits, so that a bound remains true as printed.
func upTo(x float64) string {
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	text := fmt.Sprintf("%.2g", math.Ceil(x/unit*(1-1e-12))*unit)
	if up, err := strconv.ParseFloat(text, 64); err == nil { // 1e+02 is hard to read
		text = strconv.FormatFloat(up, 'f', -1, 64)
	}
	return text
}

// Direction returns the verdict for an increase (+1) or a decrease (-1). better is +1 if higher
// values are better, -1 if lower, and 0 if neither is known.
func Direction(change, better int) Verdict {
	switch change * better {
	case +1:
		return Improved
	case -1:
		return Regressed
	}
	return Changed
}
