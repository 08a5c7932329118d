package compare

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/compare/units"
	"github.com/perftrack/perftrack/runner/record"
)

// A Summary is the center of one side's samples and its interval at the confidence level
// Options.Confidence, in the row's unit. Lo and Hi are infinite if there are too few samples. If N
// is 0, the side has no samples and the other fields are invalid.
type Summary struct {
	Center, Lo, Hi float64
	N              int
	Notes          []Caveat

	// Told is what the file states about the samples behind the center, if the center is the only
	// value that it has. It is nil for samples.
	Told *record.Summary
}

// Range returns the interval as benchstat prints it: "2%", "∞", "?".
func (s Summary) Range() string {
	return benchmath.Summary{Center: s.Center, Lo: s.Lo, Hi: s.Hi}.PctRangeString()
}

// Summarize summarizes samples as benchstat does, at a confidence level such as 0.95. It returns
// the summary and its tidied unit. exact reports whether the unit was declared exact. Ratios are
// summarized using their logarithms.
func Summarize(s record.Samples, exact bool, confidence float64) (sum Summary, unit string) {
	if units.IsRatio(s.Unit) {
		return summarizeRatios(s, confidence)
	}
	values, unit := units.Tidied(s)
	sum = summarizeSample(benchmath.NewSample(values, anyAlpha), exact, confidence)
	if told, ok := units.Summary(s); ok {
		sum.tell(&told)
	}
	return sum, unit
}

// tell states what the file has instead of samples. More samples are not to be had, so it drops the
// notes about their number.
func (s *Summary) tell(told *record.Summary) {
	if told != nil && s.N > 0 {
		s.Told, s.Notes = told, nil
	}
}

// anyAlpha is for samples that are only summarized.
var anyAlpha = &benchmath.Thresholds{}

func summarize(values []float64, exact bool, confidence float64) Summary {
	return summarizeSample(newSample(values, 0), exact, confidence)
}

func summarizeSample(s *benchmath.Sample, exact bool, confidence float64) Summary {
	if len(s.Values) == 0 {
		return Summary{}
	}
	b := assumption(exact).Summary(s, confidence)
	return Summary{Center: b.Center, Lo: b.Lo, Hi: b.Hi, N: len(s.Values), Notes: remarks(b.Warnings, exact)}
}

// assumption returns benchstat's assumption for a unit. exact reports whether the unit was declared
// exact.
func assumption(exact bool) benchmath.Assumption {
	if exact {
		return benchmath.AssumeExact
	}
	return benchmath.AssumeNothing
}

// newSample returns a sample without sorting values in place, unlike benchmath.NewSample.
func newSample(values []float64, alpha float64) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(values), &benchmath.Thresholds{CompareAlpha: alpha})
}

// remarks returns benchmath's warnings as caveats. Except for exact samples and failed tests,
// benchmath only warns about too few samples.
func remarks(warnings []error, exact bool) (out []Caveat) {
	for _, w := range warnings {
		code := CodeFewSamples
		if exact || errors.Is(w, stats.ErrSamplesEqual) || errors.Is(w, stats.ErrSampleSize) {
			code = CodeSample
		}
		out = append(out, Caveat{Code: code, Text: w.Error()})
	}
	return out
}

// summarizeRatios returns the median of the ratios in s, its confidence interval, and their tidied
// unit. It computes with logarithms, so that head over anchor is exactly the inverse of anchor over
// head.
func summarizeRatios(s record.Samples, confidence float64) (sum Summary, unit string) {
	_, unit = benchunit.Tidy(1, strings.TrimSuffix(s.Unit, units.Ratio("")))
	values, ok := stat.Logs(s.Present())
	if len(values) == 0 || !ok {
		return Summary{}, units.Ratio(unit)
	}
	sum = summarize(values, false, confidence)
	sum.Center, sum.Hi = math.Exp(sum.Center), math.Exp(sum.Hi)
	if !math.IsInf(sum.Lo, -1) {
		sum.Lo = math.Exp(sum.Lo)
	}
	return sum, units.Ratio(unit)
}
