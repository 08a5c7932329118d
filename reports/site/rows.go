package site

import (
	"math"
	"slices"
	"strconv"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
)

// maxSamples is how many samples the document of a comparison has at most, about: a page is to
// open at once. A row keeps leastRounds of them all the same. Where more than manyRows have
// samples that differ, the unchanged ones are told without.
const (
	maxSamples  = 40_000
	leastRounds = 20
	manyRows    = 400
)

// rows makes the lines of a comparison.
type rows struct {
	c         *compare.Comparison
	at        Places
	rounds    int     // that a line may have
	many      bool    // rows
	threshold float64 // of most rows
	pairs     map[*compare.Pairing]func(*compare.Row) []stat.Pair
	lines     []ComparisonLine
}

func newRows(c *compare.Comparison, at Places) *rows {
	scattered, threshold := 0, 0.0
	for r := range c.Rows() {
		threshold = max(threshold, r.Threshold)
		if b, h := r.Samples(); !alike(b) || !alike(h) {
			scattered++
		}
	}
	return &rows{
		c: c, at: at, rounds: max(leastRounds, maxSamples/(2*max(1, scattered))), many: scattered > manyRows, threshold: threshold,
		pairs: map[*compare.Pairing]func(*compare.Row) []stat.Pair{}, lines: []ComparisonLine{},
	}
}

// add makes a line of each row of a table that both sides have.
func (w *rows) add(t *compare.Table) {
	if w.pairs[t.Pairing] == nil {
		w.pairs[t.Pairing] = t.ByRound()
	}
	for _, r := range t.Rows {
		if r.Base.N > 0 && r.Head.N > 0 {
			w.lines = append(w.lines, w.line(t, r))
		}
	}
}

func (w *rows) line(t *compare.Table, r *compare.Row) ComparisonLine {
	words := comparison.Words(w.c, t, r)
	l := ComparisonLine{
		Benchmark: w.at.Benchmark(r.Target, r.BenchmarkID), Scope: r.Kind == record.Scope, Of: t.OfTrial,
		Unit: r.Unit, Better: r.Better, Verdict: string(r.Verdict), Reason: r.Reason, Exact: r.Exact, Derived: r.Derived,
		Settled: w.c.Settled(r), Change: Number(r.Shift.Center), Lo: Number(r.Shift.Lo), Hi: Number(r.Shift.Hi), Absolute: r.Shift.Absolute,
		P: Number(r.AdjustedP), Rounds: r.Rounds, Noise: Number(math.NaN()),
		Base: Number(r.Base.Center), Head: Number(r.Head.Center), N: [2]int{r.Base.N, r.Head.N},
		Shown: RowShown{Base: words.Base, Head: words.Head, Change: words.Change, Measured: words.Measured, P: words.P, Unpaired: words.Unpaired},
	}
	if l.Benchmark < 0 {
		l.Name, l.Package, l.Target = words.Name, r.Package, r.Target
	}
	if r.Threshold != w.threshold {
		l.Threshold = r.Threshold
	}
	if r.PairNoise > 0 {
		l.Noise = Number(r.PairNoise)
	}
	if r.CorrelatedWith != nil {
		l.With = r.CorrelatedWith.Name
	}
	if math.IsNaN(r.Shift.Center) && r.Compared() && r.Verdict != compare.NotComparable { // of runs apart, or derived: what the centers say
		l.Change = Number(r.Delta)
		l.Shown.Change = reports.PlainChange(r.Delta)
	}
	if l.Samples = [2][]Number{{}, {}}; !w.many || r.Verdict != compare.Unchanged {
		l.Samples, l.Every = samplesOf(r, w.pairs[t.Pairing](r), w.rounds)
	}
	if r.Exact && r.Base.Center == r.Head.Center { // most of a page: what it shows is one number
		l.Shown = RowShown{Change: words.Change}
	}
	for _, n := range comparison.Notes(r) {
		if n.Text == "accepted" {
			l.Accepted = n.Detail
			continue
		}
		l.Notes = append(l.Notes, n.String())
	}
	if r.Accepted() && l.Accepted == "" {
		l.Accepted = "no reason given"
	}
	for _, of := range r.Limits {
		l.Limits = append(l.Limits, LimitLine{of.Text, comparison.LimitResult(of), of.Head.State == limit.Missed && of.Accepted == ""})
	}
	if base, head := sideHash(w.c.Base), sideHash(w.c.Head); changed(r.Verdict) && t.Kind == record.Bench && base != "" && head != "" {
		l.Explain = "perftrack explain " + base + " " + head + option("bench", r.Name) + w.c.IsolateFlag()
	}
	return l
}

func changed(v compare.Verdict) bool {
	return slices.Contains([]compare.Verdict{compare.Regressed, compare.Improved, compare.Changed}, v)
}

// samplesOf returns what both sides measured, by rounds where they have rounds in common, one
// value where all are the same. Of more rounds than most it takes every so many.
func samplesOf(r *compare.Row, pairs []stat.Pair, most int) (sides [2][]Number, every int) {
	of := [2][]float64{}
	if pairs == nil {
		of[0], of[1] = r.Samples()
	}
	for _, p := range pairs {
		of[0], of[1] = append(of[0], p.Base), append(of[1], p.Head)
	}
	if longest := max(len(of[0]), len(of[1])); longest > most && (!alike(of[0]) || !alike(of[1])) {
		every = (longest + most - 1) / most
	}
	for side, values := range of {
		sides[side] = []Number{}
		for i, v := range values {
			if i%max(1, every) == 0 {
				sides[side] = append(sides[side], rounded(v))
			}
			if alike(values) {
				break
			}
		}
	}
	return sides, every
}

// alike reports whether all values are the same.
func alike(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v != values[0] })
}

// rounded is a sample to five digits, which a picture cannot tell from all of them.
func rounded(v float64) Number {
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 5, 64), 64)
	if err != nil {
		return Number(v)
	}
	return Number(short)
}
