package record

import (
	"math"
	"slices"
	"strings"
)

// UnitSummaryN is the unit that marks a result as a summary: the file has no samples, only their
// center and what else the tool printed about them. Its value is the number of samples behind the
// center, or 0 if the file does not state it. Beside a value in unit U, the companion units sd-U,
// low-U and high-U give the spread in that unit:
//
//	BenchmarkSort 1 120 ns/op 3 sd-ns/op 100 summary-n
const UnitSummaryN = "summary-n"

// The prefixes of companion units.
const (
	sdPrefix   = "sd-"
	lowPrefix  = "low-"
	highPrefix = "high-"
)

// SDUnit returns the companion unit for the standard deviation of values in unit.
func SDUnit(unit string) string { return sdPrefix + unit }

// BoundUnits returns the companion units for the bounds that a tool printed around a value in unit.
func BoundUnits(unit string) (low, high string) { return lowPrefix + unit, highPrefix + unit }

// A Summary is all that a file has about the samples of a benchmark in one unit. There is nothing
// to test in it, because the samples are gone.
type Summary struct {
	Center    float64 // the mean or median, whichever the tool printed
	SD        float64 // standard deviation; NaN if unknown
	Low, High float64 // the bounds that the tool printed; NaN if it printed none
	N         int     // number of samples behind the center; 0 if unknown
}

// Times returns the summary in another unit.
func (s Summary) Times(factor float64) Summary {
	s.Center, s.SD, s.Low, s.High = s.Center*factor, s.SD*factor, s.Low*factor, s.High*factor
	return s
}

// Summary returns the summary in a unit, in that unit. ok is false unless the unit's only value is
// one. If there are several, each comes from a process of its own, and its center is a sample like
// any other: the time that `go test` prints is a mean, too.
func (b *Benchmark) Summary(unit string) (s Summary, ok bool) {
	at, ok := b.only(unit)
	if !ok {
		return Summary{}, false
	}
	n := b.valueAt(UnitSummaryN, at)
	if math.IsNaN(n) || IsCompanion(unit, b.units()) {
		return Summary{}, false
	}
	low, high := BoundUnits(unit)
	return Summary{
		Center: b.valueAt(unit, at), SD: b.valueAt(SDUnit(unit), at),
		Low: b.valueAt(low, at), High: b.valueAt(high, at), N: int(min(n, math.MaxInt32)),
	}, true
}

// only returns the index of the unit's only value. ok is false if there is none or another one.
func (b *Benchmark) only(unit string) (at int, ok bool) {
	s, _ := b.find(unit)
	for i, v := range s.Values {
		switch {
		case math.IsNaN(v):
		case ok:
			return 0, false
		default:
			at, ok = i, true
		}
	}
	return at, ok
}

// valueAt returns a value in the given unit, or NaN if there is none.
func (b *Benchmark) valueAt(unit string, at int) float64 {
	if s, ok := b.find(unit); ok {
		return s.Values[at]
	}
	return math.NaN()
}

func (b *Benchmark) units() []string {
	all := make([]string, len(b.Samples))
	for i, s := range b.Samples {
		all[i] = s.Unit
	}
	return all
}

// IsCompanion reports whether a unit of a benchmark belongs to the summary in another of its units,
// and so has no series of its own. all holds the benchmark's units. A program may call a unit of
// its own low-water-B, so the names count only beside [UnitSummaryN] and the unit that they end in.
func IsCompanion(unit string, all []string) bool {
	if !slices.Contains(all, UnitSummaryN) {
		return false
	}
	for _, prefix := range []string{sdPrefix, lowPrefix, highPrefix} {
		if of, ok := strings.CutPrefix(unit, prefix); ok && slices.Contains(all, of) {
			return true
		}
	}
	return unit == UnitSummaryN
}

// SeriesUnits returns the units of a benchmark that have series of their own, without companions.
func SeriesUnits(all []string) []string {
	if !slices.Contains(all, UnitSummaryN) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(unit string) bool { return IsCompanion(unit, all) })
}

// Series returns the samples of the benchmark in each unit with a series of its own. Whoever shows
// or judges samples takes them from here; only the store and the text have the companions of
// summaries, too.
func (b *Benchmark) Series() []Samples {
	if _, ok := b.find(UnitSummaryN); !ok {
		return b.Samples
	}
	var out []Samples
	all := b.units()
	for _, s := range b.Samples {
		if !IsCompanion(s.Unit, all) {
			out = append(out, b.summarized(s))
		}
	}
	return out
}

// summarized returns s with its summary, if it has one.
func (b *Benchmark) summarized(s Samples) Samples {
	if _, ok := b.find(UnitSummaryN); !ok {
		return s
	}
	if sum, ok := b.Summary(s.Unit); ok {
		s.summary = &sum
	}
	return s
}

// WithCompanions returns the given units of the benchmark, and the companions of their summaries.
func (b *Benchmark) WithCompanions(units []string) []string {
	all := b.units()
	if !slices.Contains(all, UnitSummaryN) {
		return units
	}
	with := slices.Clone(units)
	for _, unit := range units {
		low, high := BoundUnits(unit)
		with = append(with, SDUnit(unit), low, high)
	}
	return append(with, UnitSummaryN)
}
