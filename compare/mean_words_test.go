package compare

import (
	"math"
	"testing"

	"github.com/perftrack/perftrack/compare/stat"
)

// The wording of a verdict depends only on the decision.
func TestWordsOfTheMean(t *testing.T) {
	shift := stat.Shift{Center: 0.003, Lo: -0.009, Hi: 0.011}
	mean := stat.Mean{Rounds: 12, Tested: true, Shift: stat.Shift{Center: 2, Lo: 1.5, Hi: 2.6}, Bound: 0.1301, AdjustedP: 0.004}
	unbounded := mean
	unbounded.Bound = math.Inf(1)
	for _, tt := range []struct {
		d            stat.Decision
		want, ofMean string
	}{
		{stat.Decision{Outcome: stat.Same, Shift: shift, Bound: 0.0119, Mean: mean}, "unchanged (within 1.2%, mean within 14%)", "mean within 14%"},
		{stat.Decision{Outcome: stat.Same, Shift: shift, Bound: 0.0119, Mean: unbounded}, "unchanged (within 1.2%)", ""},
		{stat.Decision{Outcome: stat.Same, Shift: shift, Bound: 0.0119}, "unchanged (within 1.2%)", ""},
		{stat.Decision{Outcome: stat.Higher, Shift: shift, Bound: 0.0119, Mean: mean, ByMean: true}, "regressed (mean)", "mean"},
		{stat.Decision{Outcome: stat.Lower, Shift: shift, Mean: mean, ByMean: true}, "improved (mean)", "mean"},
		{stat.Decision{Outcome: stat.Open, Shift: shift, Need: 30, Mean: mean, ByMean: true}, "inconclusive (mean)", "mean"},
		{stat.Decision{Outcome: stat.Open, Shift: shift, Need: 30, Mean: mean}, "inconclusive (needs 30 rounds)", ""},
		{stat.Decision{Outcome: stat.Higher, Shift: shift, Mean: mean}, "regressed ()", ""},
	} {
		d := DecisionOf(tt.d, -1)
		if got := string(d.Verdict) + " (" + d.Reason + ")"; got != tt.want || d.OfMean() != tt.ofMean {
			t.Errorf("%s, of the mean %q; want %s and %q", got, d.OfMean(), tt.want, tt.ofMean)
		}
		if d.ByMean != (d.Shift == mean.Shift) || d.Mean != nil && d.Mean.Typical != shift {
			t.Errorf("%s: shift %+v", tt.want, d.Shift)
		}
	}
}
