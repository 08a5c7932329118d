package trackers

import (
	"math"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// An actionTool says what github-action-benchmark writes for the output of one tool.
type actionTool struct {
	// better is the direction that the user chose with the tool. For other tools, the units say it.
	// The action itself takes any unit of Go and JMH for one of which less is better.
	better string
	// merge joins the figures of one benchmark. It is nil if each figure is a benchmark.
	merge func([]actionBench) []actionBench
	// summarize reads what else is known about a figure in a unit. It reports whether the figure
	// summarizes samples.
	summarize func(b *actionBench, unit reading.Unit, s *reading.Spread) bool
}

func (t actionTool) merged(all []actionBench) []actionBench {
	if t.merge != nil {
		return t.merge(all)
	}
	return all
}

var actionTools = map[string]actionTool{
	"go":                    {merge: mergeGo},
	"cargo":                 {summarize: plusMinus},
	"customSmallerIsBetter": {better: "lower", summarize: plusMinus},
	"customBiggerIsBetter":  {better: "higher", summarize: plusMinus},
	"benchmarkluau":         {better: "lower", summarize: plusMinus},
	"benchmarkjs":           {summarize: sampled},
	"catch2":                {summarize: catch2},
	"benchmarkdotnet":       {summarize: deviation},
	"pytest":                {summarize: pytest},
	"jmh":                   {summarize: jmh},
	"googlecpp":             {merge: mergeGoogle},
	"julia":                 {merge: mergeJulia},
}

// plusMinus reads a range such as "± 12" or "±1.5%". A figure with a range summarizes samples, even if
// the meaning of the range is unclear.
func plusMinus(b *actionBench, unit reading.Unit, s *reading.Spread) bool {
	n := s.N
	*s = spreadOf(b.spread, b.value, unit)
	s.N = n
	return b.spread != ""
}

// sampled is for Benchmark.js: "±1.5%" and "90 samples".
func sampled(b *actionBench, unit reading.Unit, s *reading.Spread) bool {
	s.N = count(b.extra, "", " samples")
	return plusMinus(b, unit, s) || s.N > 0
}

// catch2 leaves out the range: it is the standard deviation without its unit, which may be another
// one than that of the mean.
func catch2(b *actionBench, _ reading.Unit, s *reading.Spread) bool {
	s.N = count(b.extra, "", " samples")
	return s.N > 0
}

// deviation is for BenchmarkDotNet: its range is a standard deviation.
func deviation(b *actionBench, unit reading.Unit, s *reading.Spread) bool {
	if !plusMinus(b, unit, s) {
		return false
	}
	s.SD = s.High - unit.Value(b.value).V
	s.Low, s.High = math.NaN(), math.NaN()
	return true
}

// pytest reads the standard deviation of the times. It is the same part of their mean as that of
// the rates.
func pytest(b *actionBench, unit reading.Unit, s *reading.Spread) bool {
	s.N = count(b.extra, "rounds: ", "")
	if sd := number(b.spread, "stddev: ", ""); sd >= 0 {
		rate := unit.Value(b.value).V
		s.SD = sd * rate * rate
		return true
	}
	return s.N > 0
}

func jmh(b *actionBench, _ reading.Unit, s *reading.Spread) bool {
	s.N = count(b.extra, "iterations: ", "") * max(1, count(b.extra, "forks: ", ""))
	return s.N > 0
}

// mergeGoogle adds the CPU time and the iterations of google-benchmark.
func mergeGoogle(all []actionBench) []actionBench {
	for i := range all {
		b := &all[i]
		b.counted = count(b.extra, "iterations: ", "")
		for _, unit := range []string{"ns", "us", "ms", "s"} {
			if v := number(b.extra, "cpu: ", " "+unit); v >= 0 {
				b.more = append(b.more, metric{reading.UnitOf(unit).Value(v).V, "cpu-ns/op"})
			}
		}
	}
	return all
}

// mergeJulia adds the memory that BenchmarkTools counts.
func mergeJulia(all []actionBench) []actionBench {
	for i := range all {
		b := &all[i]
		b.more = append(b.more, metric{number(b.extra, "memory=", ""), "B/op"}, metric{number(b.extra, "allocs=", ""), "allocs/op"})
	}
	return all
}

// number returns the number between two texts in a line of extra, or NaN.
func number(extra, before, after string) float64 {
	for line := range strings.Lines(extra) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), before)
		if rest, ok = cutSuffix(rest, after, ok); !ok {
			continue
		}
		if v, err := strconv.ParseFloat(rest, 64); err == nil {
			return v
		}
	}
	return math.NaN()
}

func cutSuffix(text, suffix string, ok bool) (string, bool) {
	text, found := strings.CutSuffix(text, suffix)
	return text, ok && found
}

// count is like number, but returns 0 if there is no number.
func count(extra, before, after string) int { return reading.Count(number(extra, before, after)) }
