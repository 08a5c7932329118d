package storetest

import (
	"time"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/runner/record"
)

// drawProtocol draws a valid protocol. Names can be arbitrary text, because the benchmark program
// chooses them.
func drawProtocol(t *rapid.T) record.Protocol {
	if rapid.IntRange(0, 2).Draw(t, "no protocol") == 0 {
		return record.Protocol{}
	}
	text := rapid.OneOf(value(), rapid.StringN(0, 12, -1))
	list := func(label string) []string {
		return rapid.SliceOfN(text, 1, 3).Draw(t, label)
	}
	some := func(label string) bool { return rapid.Bool().Draw(t, label) }
	fraction := rapid.Float64Range(0.001, 0.999)
	p := record.Protocol{
		Procedure: optional(text).Draw(t, "procedure"),
		Decision:  optional(text).Draw(t, "decision"),
		SameCode:  drawCounts(t, "same code"),
		Unreached: drawCounts(t, "unreached"),
		Lacks:     drawCounts(t, "lacks"),
	}
	if some("selection") {
		p.Selection = &record.Selection{Suite: optional(text).Draw(t, "suite"), Bench: optional(text).Draw(t, "bench")}
		if some("packages") {
			p.Selection.Packages = list("packages")
		}
	}
	if some("part") {
		of := rapid.IntRange(1, record.MaxCheckParts).Draw(t, "of")
		p.Part = &record.Part{N: rapid.IntRange(1, of).Draw(t, "n"), Of: of}
		if some("division") {
			p.Part.All, p.Part.Division = rapid.IntRange(0, 99).Draw(t, "all"), word(20).Draw(t, "division")
			p.Part.Own = rapid.IntRange(0, p.Part.All).Draw(t, "own")
		}
	}
	if some("spread") {
		p.Spread = &record.Spread{
			Class: optional(text).Draw(t, "class"), Machine: optional(text).Draw(t, "machine"),
			Machines: rapid.IntRange(0, record.MaxSamples).Draw(t, "machines"), Session: rapid.IntRange(0, 9).Draw(t, "session"),
		}
	}
	if some("family") {
		p.Family = &record.Family{Of: rapid.IntRange(1, 9).Draw(t, "targets"), Targets: list("family")}
	}
	if some("share") {
		p.AlphaShare = fraction.Draw(t, "alpha share")
	}
	if some("terms") {
		p.Terms = drawTerms(t, text, fraction)
	}
	if some("rewritten") {
		p.Rewritten = []record.BenchmarkFunc{{Package: text.Draw(t, "package"), Name: text.Draw(t, "name")}}
	}
	if some("tests") {
		p.Tests = []record.SharedTests{{
			Package: text.Draw(t, "package"), Of: rapid.SampledFrom([]record.Side{record.Base, record.Head}).Draw(t, "side"),
			Edited: list("edited"), New: list("new"),
		}}
	}
	if some("starved") {
		p.Starved = &record.Starved{Benchmarks: rapid.IntRange(1, 99).Draw(t, "benchmarks"), Rounds: rapid.IntRange(1, 99).Draw(t, "rounds"), Setup: drawTime(t), Round: drawTime(t)}
	}
	if some("pace") {
		p.Pace = &record.Pace{Setup: drawTime(t), Round: 1 + drawTime(t)}
	}
	for range rapid.IntRange(0, 3).Draw(t, "ways") {
		p.Methods = append(p.Methods, drawWay(t, text))
	}
	return p
}

func drawTime(t *rapid.T) time.Duration {
	return time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "time"))
}

func drawCounts(t *rapid.T, label string) (counts []record.Count) {
	for range rapid.IntRange(0, 2).Draw(t, label) {
		counts = append(counts, record.Count{Package: value().Draw(t, "package"), Benchmarks: rapid.IntRange(0, 99).Draw(t, "benchmarks")})
	}
	return counts
}

func drawTerms(t *rapid.T, text *rapid.Generator[string], fraction *rapid.Generator[float64]) *record.Terms {
	return &record.Terms{
		Alpha: fraction.Draw(t, "alpha"), Families: rapid.IntRange(1, 9).Draw(t, "families"), Threshold: fraction.Draw(t, "threshold"),
		MeanWithin: fraction.Draw(t, "mean within"),
		Rules: []record.TermsRule{
			{Bench: text.Draw(t, "bench"), Threshold: fraction.Draw(t, "threshold"), MeanWithin: fraction.Draw(t, "mean within")},
			{Bench: text.Draw(t, "bench"), Unit: "u" + text.Draw(t, "unit"), Better: rapid.SampledFrom([]int{-1, 1}).Draw(t, "better")},
		},
		Limits: []record.TermsLimit{{Bench: text.Draw(t, "bench"), Limit: text.Draw(t, "limit")}},
		Floors: []record.TermsFloor{{
			Package: text.Draw(t, "package"), Suite: text.Draw(t, "suite"), Name: text.Draw(t, "name"), Unit: text.Draw(t, "unit"),
			Noise: fraction.Draw(t, "noise"), Capped: rapid.Bool().Draw(t, "capped"),
		}},
	}
}

func drawWay(t *rapid.T, text *rapid.Generator[string]) record.Method {
	count := func(label string) int { return rapid.IntRange(0, 1000).Draw(t, label) }
	is := func(label string) bool { return rapid.Bool().Draw(t, label) }
	return record.Method{
		Package: text.Draw(t, "package"), Name: text.Draw(t, "name"), How: rapid.SampledFrom([]string{record.MethodSlices, record.MethodFresh}).Draw(t, "how"),
		Why: text.Draw(t, "why"), N: count("n"), Slices: count("slices"), Length: drawTime(t), Clock: text.Draw(t, "clock"),
		Estimator: text.Draw(t, "estimator"), Stopped: is("stopped"), Calm: is("calm"), Pinned: is("pinned"), OutOfTime: is("out of time"), Detail: text.Draw(t, "detail"),
		Remembered: count("remembered"), Sliced: count("sliced"), Fresh: count("fresh"),
	}
}
