// Package storetest contains the tests every database for package store must pass, and generates
// random runs for them. The package of each database calls these tests.
//
// Only tests import this package, so it is not part of the flow engine -> runner -> store ->
// compare -> reports.
//
// Start with the list of tests in storetest.go. Most tests are in lists.go and records.go; runs.go
// and protocol.go generate the runs, and fleet.go has a fleet with its queue.
package storetest

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/runner/record"
)

// Runs generates valid runs. They include names from every plane of Unicode, rounds without a unit,
// extreme numbers, seeds above 2^63 and unmeasured sides of trials.
func Runs() *rapid.Generator[*record.Run] { return rapid.Custom(drawRun) }

// Measured reports whether the run has samples.
func Measured(r *record.Run) bool { return len(r.Benchmarks) > 0 }

// runes generates runes that are neither spaces nor control characters.
var runes = rapid.Custom(func(t *rapid.T) rune {
	planes := rapid.OneOf(
		rapid.Int32Range('!', '~'), rapid.Int32Range('!', '~'), rapid.Int32Range('!', '~'),
		rapid.Int32Range(0xa1, 0xd7ff), rapid.Int32Range(0xe000, 0xffff), rapid.Int32Range(0x10000, unicode.MaxRune),
	)
	return planes.Filter(func(r int32) bool { return !unicode.IsSpace(r) && !unicode.IsControl(r) }).Draw(t, "rune")
})

func word(maxLen int) *rapid.Generator[string] { return rapid.StringOfN(runes, 1, -1, maxLen) }

// value generates configuration values: words separated by spaces.
func value() *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOfN(word(24), 1, 3), func(words []string) string { return strings.Join(words, " ") })
}

func optional(g *rapid.Generator[string]) *rapid.Generator[string] {
	return rapid.OneOf(rapid.Just(""), g)
}

var samples = rapid.OneOf(
	rapid.Float64Range(0, 1e9),
	rapid.Float64Range(0, math.MaxFloat64),
	rapid.Map(rapid.Uint64Range(0, 1<<52), math.Float64frombits), // subnormals
	rapid.Map(rapid.Uint64Range(0, 1<<40), func(n uint64) float64 { return float64(n) }),
	rapid.SampledFrom([]float64{0, math.SmallestNonzeroFloat64, math.MaxFloat64, 1e20, 1e21, 1 << 53, math.Copysign(0, -1)}),
)

var times = rapid.OneOf(
	rapid.Just(time.Time{}),
	rapid.Map(rapid.Int64Range(-62_167_219_200_000_000, 253_402_300_799_999_999), time.UnixMicro), // years 0 to 9999
	rapid.Map(rapid.Int64Range(0, 1<<61), func(ns int64) time.Time { return time.Unix(0, ns) }),
)

func drawRun(t *rapid.T) *record.Run {
	r := &record.Run{
		Target: rapid.OneOf(rapid.SampledFrom([]string{"engine", "tokenizer"}), value()).Draw(t, "target"),
		Commit: record.Commit{
			SHA:    rapid.SampledFrom([]string{"", strings.Repeat("a1", 20), strings.Repeat("a2", 20), strings.Repeat("b", 64), "1234abcd"}).Draw(t, "commit"),
			Tree:   rapid.SampledFrom([]string{"", strings.Repeat("c", 40)}).Draw(t, "tree"),
			Branch: optional(value()).Draw(t, "branch"),
			Dirty:  rapid.Bool().Draw(t, "dirty"),
			Time:   times.Draw(t, "commit time"),
		},
		Start:  times.Draw(t, "start"),
		End:    times.Draw(t, "end"),
		Tool:   optional(value()).Draw(t, "tool"),
		Status: rapid.SampledFrom([]record.Status{record.Complete, record.Partial, record.Failed}).Draw(t, "status"),
		Trial:  rapid.OneOf(rapid.SampledFrom([]string{"", "", "t1", "t2"}), value()).Draw(t, "trial"),
		Side:   rapid.SampledFrom([]record.Side{record.NoSide, record.Base, record.Head}).Draw(t, "side"),
	}
	for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom(record.EnvironmentKeys), 0, 4, rapid.ID[string]).Draw(t, "environment") {
		v := value().Draw(t, key)
		if key == "gomaxprocs" {
			v = fmt.Sprint(rapid.IntRange(1, 128).Draw(t, key))
		}
		r.Env = append(r.Env, record.Setting{Key: key, Value: v})
	}
	keys := rapid.OneOf(
		rapid.SampledFrom([]string{"kernel", "host", "load", "note", "file-status", "ärger"}),
		rapid.StringMatching(`[a-z][a-z0-9_./-]{0,12}x`),
	)
	for _, key := range rapid.SliceOfNDistinct(keys, 0, 4, rapid.ID[string]).Draw(t, "facts") {
		r.Facts = append(r.Facts, record.Setting{Key: key, Value: value().Draw(t, key)})
	}
	r.Protocol = drawProtocol(t)
	units := rapid.OneOf(rapid.SampledFrom([]string{"ns/op", "B/op", "allocs/op", "MB/s", "GFLOPS", "sec/op", "x-ns"}), word(record.MaxUnitLen))
	for _, u := range rapid.SliceOfNDistinct(units, 0, 4, rapid.ID[string]).Draw(t, "units") {
		from := ""
		if rapid.Bool().Draw(t, "converted") {
			from = word(record.MaxFromLen).Draw(t, "from")
		}
		r.Units = append(r.Units, record.Unit{
			Name:   u,
			Better: rapid.IntRange(-1, 1).Draw(t, "better"),
			Exact:  rapid.Bool().Draw(t, "exact"),
			From:   from,
		})
	}
	for range rapid.IntRange(0, 3).Draw(t, "failures") {
		r.AddFailure(rapid.String().Draw(t, "failed"), rapid.String().Draw(t, "reason"))
	}
	least := 1
	if r.Trial != "" && r.Side != record.NoSide {
		least = 0
	}
	ids := rapid.SliceOfNDistinct(rapid.Custom(drawID), least, 4, rapid.ID[record.BenchmarkID]).Draw(t, "benchmarks")
	for _, id := range ids {
		r.Benchmarks = append(r.Benchmarks, drawBenchmark(t, id, units))
	}
	return r
}

func drawID(t *rapid.T) record.BenchmarkID {
	return record.BenchmarkID{
		Kind:    rapid.SampledFrom([]record.Kind{record.Bench, record.Bench, record.Scope}).Draw(t, "kind"),
		Suite:   rapid.SampledFrom([]string{"", "enhanced"}).Draw(t, "suite"),
		Package: rapid.OneOf(rapid.SampledFrom([]string{"", "example.org/m/p"}), value()).Draw(t, "package"),
		Name: rapid.OneOf(
			rapid.SampledFrom([]string{"Sort", "Sort-8", "Sort/n-10", "-4", "GELU_1000", "8"}),
			word(80), word(record.MaxNameLen),
		).Draw(t, "name"),
	}
}

func drawBenchmark(t *rapid.T, id record.BenchmarkID, units *rapid.Generator[string]) record.Benchmark {
	b := record.Benchmark{BenchmarkID: id}
	n := rapid.IntRange(1, 5).Draw(t, "rounds")
	sliced := rapid.Bool().Draw(t, "sliced")
	for range n {
		round := record.Round{
			N:     rapid.IntRange(1, 8).Draw(t, "round"),
			Order: rapid.OneOf(rapid.IntRange(0, 8), rapid.IntRange(0, math.MaxInt)).Draw(t, "order"),
			Iters: rapid.OneOf(rapid.IntRange(0, 100), rapid.IntRange(0, math.MaxInt)).Draw(t, "iters"),
			Seed:  rapid.OneOf(rapid.Just(uint64(0)), rapid.Uint64()).Draw(t, "seed"),
		}
		if sliced {
			round.Slices = rapid.OneOf(rapid.IntRange(0, 100), rapid.IntRange(0, math.MaxInt)).Draw(t, "slices")
		}
		if round.Slices > 0 {
			round.Spread = samples.Draw(t, "spread")
		}
		if rapid.Bool().Draw(t, "averaged") {
			round.Mean, round.Slow = samples.Draw(t, "mean"), rapid.Float64Range(0, 1).Draw(t, "slow")
		}
		b.Rounds = append(b.Rounds, round)
	}
	for _, u := range rapid.SliceOfNDistinct(units, 1, 4, rapid.ID[string]).Draw(t, "units") {
		s := record.Samples{Unit: u}
		for range n {
			v := samples.Draw(t, "value")
			// Only units after the first have gaps, so every round has a value.
			if len(b.Samples) > 0 && rapid.IntRange(0, 2).Draw(t, "gap") == 0 {
				v = math.NaN()
			}
			s.Values = append(s.Values, v)
		}
		b.Samples = append(b.Samples, s)
	}
	return b
}
