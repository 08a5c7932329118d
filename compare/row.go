package compare

import (
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/runner/record"
)

// A Row is one series: a benchmark and a unit, on both sides.
type Row struct {
	record.BenchmarkID
	Target   string
	Unit     string // tidied, the unit of all values here
	OrigUnit string // as the producer printed it and the store keeps it
	Better   int    // +1 higher values are better, -1 lower, 0 nobody said

	Base, Head Summary

	// Delta is the ratio of the centers less 1: infinite where only the base
	// is 0, NaN where the sides were not compared.
	Delta float64
	// P is benchmath's p-value, at most 1; 0 for a unit declared exact; NaN
	// where the sides were not compared.
	P float64

	// Derived is set for a unit that follows from the time of the same
	// benchmark (GFLOPS, tok/s, MB/s). Such a row is shown and never tested:
	// it would be the same hypothesis twice. Of a scope only the time of a call
	// is a hypothesis, and counts that never vary need no test: with its self,
	// least and largest times, too, a call tree would be a family so large that
	// no profile could ever be decided.
	Derived bool
	// Calls are the calls of a scope in one run of base and head, on average;
	// 0 for benchmarks, and for a side without calls.
	Calls [2]float64
	// Within are the rows of the same table that directly contain this one.
	Within []*Row
	// CorrelatedWith is the row that stands for the change that this row shows too, as
	// it contains that row or lies in it; nil where the row speaks for itself.
	CorrelatedWith *Row
	// Way is how the benchmark was measured in a trial; nil where that is not known.
	Way *record.Way

	Decision
	Limits []RowLimit // that the configuration sets
	Notes  []Caveat

	paired   bool    // measured in one trial
	declared bool    // the unit is declared exact
	small    bool    // the shift is proven to be below the unit's floor
	reach    int     // rounds until a look could flag it, if none could yet
	sharing  float64 // of a row measured apart: among how many tests the error rate is divided
	values   [2][]float64
}

// A Summary is the center of one side's samples with its interval at
// Options.Confidence, in the row's unit. Lo and Hi are infinite when there are
// too few samples. N is 0 where the side has none, and nothing else is valid.
type Summary struct {
	Center, Lo, Hi float64
	N              int
	Notes          []Caveat
}

// Range returns the interval as benchstat prints it: "2%", "∞", "?".
func (s Summary) Range() string {
	return benchmath.Summary{Center: s.Center, Lo: s.Lo, Hi: s.Hi}.PctRangeString()
}

// Compared reports whether both sides have samples that may be compared.
func (r *Row) Compared() bool { return r.P == r.P }

// Change is how far head lies above base, as a fraction; NaN where that is unknown. In a
// trial it is what the pairs say: the quotient of the centers may lie on the other side of
// 1, as it knows nothing of what both samples of a pair share. A change that has no ratio,
// such as a first allocation, is larger than any other: infinite, or -1 down.
func (r *Row) Change() float64 {
	switch up := r.Shift.Center; {
	case !r.paired:
		return r.Delta
	case !r.Shift.Absolute || up == 0:
		return up
	case up > 0:
		return math.Inf(1)
	}
	return -1
}

// Samples returns copies of the samples of both sides, in the row's unit and
// in the order of measurement.
func (r *Row) Samples() (ofBase, ofHead []float64) {
	return slices.Clone(r.values[base]), slices.Clone(r.values[head])
}

// tidied returns the values that were measured, in the tidied unit. The unit
// is tidied by way of 1: benchfmt leaves that of a 0 alone.
func tidied(s record.Samples) ([]float64, string) {
	factor, unit := benchunit.Tidy(1, s.Unit)
	values := s.Present()
	for i := range values {
		values[i] *= factor
	}
	return values, unit
}

// addPairing adds the tables of a pairing, with all numbers but the decisions.
func (c *Comparison) addPairing(p *Pairing) {
	if note, ok := p.caveat(); ok {
		c.addCaveat(note)
	}
	all := p.series()
	ids := presence(all)
	c.addUnpaired(p, all, ids)
	first := len(c.Tables)
	for _, s := range all {
		n := len(c.Tables)
		if n == first || !c.Tables[n-1].holds(s) {
			c.Tables = append(c.Tables, Table{Pairing: p, Kind: s.id.Kind, Package: s.id.Package, Suite: s.id.Suite, Unit: s.unit})
			n++
		}
		t := &c.Tables[n-1]
		t.Rows = append(t.Rows, c.row(p, s, ids[s.id]))
	}
	for i := range c.Tables[first:] {
		t := &c.Tables[first+i]
		t.Geomean = geomean(t.Rows)
		t.nest()
	}
}

func (t *Table) holds(s *series) bool {
	return t.Kind == s.id.Kind && t.Package == s.id.Package && t.Suite == s.id.Suite && t.Unit == s.unit
}

// A present says which sides have a benchmark, which have its time, and on
// which its figures were printed by a report, with few digits.
type present struct{ any, time, printed [2]bool }

func presence(all []*series) map[record.BenchmarkID]present {
	out := map[record.BenchmarkID]present{}
	for _, s := range all {
		p := out[s.id]
		for side, values := range s.values {
			has := len(values) > 0
			p.any[side] = p.any[side] || has
			p.time[side] = p.time[side] || has && isTime(s.unit)
			p.printed[side] = p.printed[side] || has && s.unit == TotalTime
		}
		out[s.id] = p
	}
	return out
}

// OfCall reports whether a unit of scopes only adds detail to the times of the same calls.
func OfCall(unit string) bool {
	return slices.Contains([]string{TotalTime, "self-sec/op", "min-sec/op", "max-sec/op"}, unit)
}

// addUnpaired lists what one side lacks: a benchmark once, or else each unit.
func (c *Comparison) addUnpaired(p *Pairing, all []*series, ids map[record.BenchmarkID]present) {
	listed := map[Unpaired]bool{}
	for _, s := range all {
		for side, list := range []*[]Unpaired{&c.New, &c.Missing} {
			if len(s.values[side]) > 0 {
				continue
			}
			if s.id.Kind == record.Scope && OfCall(s.unit) && ids[s.id].any[side] {
				continue // one report prints it and another does not, our own profiles imply it
			}
			u := Unpaired{Target: p.Target, BenchmarkID: s.id}
			if ids[s.id].any[side] {
				u.Unit = s.unit
			}
			if p.cutBefore(side, s.id.Package) {
				list = &c.Cut
			}
			if !listed[u] {
				listed[u] = true
				*list = append(*list, u)
			}
		}
	}
}

// cutBefore reports whether a trial was interrupted before a side was measured that has the benchmarks of a
// package: what it lacks of them it noted when it was built.
func (p *Pairing) cutBefore(side int, pkg string) bool {
	partial := func(r *record.Run) bool { return r.Status == record.Partial }
	if !p.Trial || !slices.ContainsFunc(slices.Concat(p.runs[base], p.runs[head]), partial) {
		return false
	}
	return !slices.ContainsFunc(p.runs[side], func(r *record.Run) bool {
		return !partial(r) || slices.ContainsFunc(strings.Fields(r.Facts.Get(record.KeyLacks)), func(item string) bool {
			of, _, _ := cutLast(item, "=")
			return of == pkg
		})
	})
}

func (c *Comparison) row(p *Pairing, s *series, has present) *Row {
	r := &Row{
		BenchmarkID: s.id, Target: p.Target, Unit: s.unit, OrigUnit: s.orig,
		Delta: math.NaN(), P: math.NaN(), Calls: s.calls(), paired: p.Trial, values: s.values,
	}
	r.Decision = undecided(max(0, c.Options.Threshold(s.id.Name)))
	if s.id.Kind == record.Bench && s.orig == timeUnit {
		r.MeanWithin = c.Options.MeanWithin(s.id.Name)
	}
	r.setUnit(p)
	r.Way = p.way(s.id)
	r.Exact = r.repeats()
	r.Base = summarize(s.values[base], r.declared, c.Options.Confidence)
	r.Head = summarize(s.values[head], r.declared, c.Options.Confidence)
	if r.Exact {
		r.Base.Notes, r.Head.Notes = nil, nil
	}
	r.Derived = isDerived(s.unit) && has.time[base] && has.time[head] || r.Kind == record.Scope && r.Unit != "sec/op" && !r.Exact
	rounded := r.noteRounded(has.printed)
	switch {
	case r.Base.N == 0 || r.Head.N == 0 || rounded:
	case !p.Comparable:
		note, _ := p.caveat()
		r.Notes = append(r.Notes, note)
	default:
		r.compare(assumption(r.declared).Compare(
			newSample(s.values[base], c.Options.CompareAlpha), newSample(s.values[head], c.Options.CompareAlpha)))
	}
	return r
}

// noteRounded marks sizes of 0 that a report printed: 0.00 MB is any size below
// its last digit. It reports whether such a 0 stands against another size, so
// that nothing can be said about the change.
func (r *Row) noteRounded(printed [2]bool) bool {
	if r.Kind != record.Scope || r.Unit != "B/op" {
		return false
	}
	unknown, other := false, false
	for side, s := range []*Summary{&r.Base, &r.Head} {
		switch {
		case s.N > 0 && s.Center == 0 && printed[side]:
			s.Notes = append(s.Notes, Caveat{Code: CodeRounded, Text: "printed as 0: less than the last digit of the report"})
			unknown = true
		case s.N > 0:
			other = true
		}
	}
	return unknown && other
}

// Summarize summarizes samples as benchstat does, at a confidence level such
// as 0.95, in the tidied unit that it returns; exact is whether the unit was
// declared so. Ratios are summarized by their logarithms.
func Summarize(s record.Samples, exact bool, confidence float64) (sum Summary, unit string) {
	if IsRatio(s.Unit) {
		return summarizeRatios(s, confidence)
	}
	values, unit := tidied(s)
	return summarize(values, exact, confidence), unit
}

func summarize(values []float64, exact bool, confidence float64) Summary {
	if len(values) == 0 {
		return Summary{}
	}
	b := assumption(exact).Summary(newSample(values, 0), confidence)
	return Summary{Center: b.Center, Lo: b.Lo, Hi: b.Hi, N: len(values), Notes: remarks(b.Warnings)}
}

// assumption is the one that benchstat makes of a unit.
func assumption(exact bool) benchmath.Assumption {
	if exact {
		return benchmath.AssumeExact
	}
	return benchmath.AssumeNothing
}

// newSample leaves values as they are, where benchmath.NewSample sorts them.
func newSample(values []float64, alpha float64) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(values), &benchmath.Thresholds{CompareAlpha: alpha})
}

func (r *Row) compare(b benchmath.Comparison) {
	r.P = min(1, b.P) // benchmath can exceed 1 with ties
	r.Delta = r.Head.Center/r.Base.Center - 1
	if r.Head.Center == r.Base.Center {
		r.Delta = 0
	}
	if !r.Exact && min(r.Base.N, r.Head.N) > 1 {
		notes := remarks(b.Warnings)
		if r.paired { // how many pairs a trial takes, its own test says
			notes = slices.DeleteFunc(notes, func(n Caveat) bool { return n.Code == CodeFewSamples })
		}
		r.Notes = append(r.Notes, notes...)
	}
}

// setUnit takes what the sides say of the unit. The base side's direction
// wins, so that a change cannot turn a loss into a gain by redeclaring it.
func (r *Row) setUnit(p *Pairing) {
	for side, runs := range p.runs {
		for _, run := range runs {
			better := run.Better(r.OrigUnit)
			if r.Better == 0 {
				r.Better = better
			} else if side == head && better != 0 && better != r.Better {
				r.Notes = append(r.Notes, Caveat{CodeDirection, "the head side declares the opposite direction", r.Unit})
			}
			r.declared = r.declared || run.Exact(r.OrigUnit)
		}
	}
}

// isDerived reports whether a tidied unit follows from the time that its
// benchmark took and a count that it declared.
func isDerived(unit string) bool {
	return unit == "GFLOPS" || unit == "tok/s" || unit == "B/s" || unit == TotalTime
}

// TotalTime is total-ns, tidied: the time of all calls as a report prints it.
const TotalTime = "total-sec"

// isTime reports whether a tidied unit is a time for something.
func isTime(unit string) bool {
	num, _, _ := strings.Cut(unit, "/")
	switch num {
	case "sec", "s", "ms", "us", "µs":
		return true
	}
	return false
}

// repeats reports whether the row counts something and each side gave one value.
func (r *Row) repeats() bool {
	return (r.declared || isCount(r.Unit)) && constant(r.values[base]) && constant(r.values[head])
}

func constant(values []float64) bool {
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return true
}

func remarks(warnings []error) []Caveat {
	var out []Caveat
	for _, w := range warnings {
		code := CodeSample
		if strings.HasPrefix(w.Error(), "need ") {
			code = CodeFewSamples
		}
		out = append(out, Caveat{Code: code, Text: w.Error()})
	}
	return out
}
