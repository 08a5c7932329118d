package documents

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/digest"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/reports/shell"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
)

// maxSamples is roughly the maximum number of samples in the document of a comparison, so that the
// page opens quickly. Every row keeps at least leastRounds rounds. If the samples differ in more
// than manyRows rows, unchanged rows get no samples.
const (
	maxSamples  = 40_000
	leastRounds = 20
	manyRows    = 400
)

// rows builds the lines of a comparison.
type rows struct {
	c         *compare.Comparison
	at        Lookup
	rounds    int     // maximum number of rounds in a line
	many      bool    // samples differ in more than manyRows rows
	threshold float64 // the largest threshold
	pairs     map[*pairs.Pairing]func(*compare.Row) []stat.Pair
	lines     []ComparisonLine
	opaque    []string // targets whose functions cannot be profiled
}

func newRows(c *compare.Comparison, at Lookup) *rows {
	scattered, threshold := 0, 0.0
	for r := range c.Rows() {
		threshold = max(threshold, r.Threshold)
		if b, h := r.Samples(); !alike(b) || !alike(h) {
			scattered++
		}
	}
	return &rows{
		c: c, at: at, rounds: max(leastRounds, maxSamples/(2*max(1, scattered))), many: scattered > manyRows, threshold: threshold,
		pairs: map[*pairs.Pairing]func(*compare.Row) []stat.Pair{}, lines: []ComparisonLine{},
	}
}

// add adds a line for each row in a table with samples on both sides.
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
		Unit: r.Unit, Better: r.Better, Verdict: string(r.Verdict), Reason: r.Reason, Notes: comparison.Notes(r), Exact: r.Exact, Derived: r.Derived,
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
	if math.IsNaN(r.Shift.Center) && r.HasDelta() && r.Verdict != compare.NotComparable { // for derived rows and unpaired runs, use the change of the centers
		l.Change = Number(r.Delta)
		l.Shown.Change = reports.PlainChange(r.Delta)
	}
	if l.Samples = [2]Numbers{{}, {}}; !w.many || r.Verdict != compare.Unchanged {
		l.Samples, l.Every = samplesOf(r, w.pairs[t.Pairing](r), w.rounds)
	}
	if r.Exact && r.Base.Center == r.Head.Center { // true for most rows of a page; the change alone is enough
		l.Shown = RowShown{Change: words.Change}
	}
	if reason, ok := r.Acceptance(); ok {
		l.Accepted = cmp.Or(reason, "no reason given")
		if r.Verdict == compare.Regressed {
			l.Verdict, l.Reason = string(digest.Accepted), ""
		}
	}
	for _, of := range r.Limits {
		l.Limits = append(l.Limits, LimitLine{of.Text, comparison.LimitResult(of), of.Head.State == limit.Missed && of.Accepted == ""})
	}
	if base, head := w.c.Base.Revision(), w.c.Head.Revision(); changed(r.Verdict) && t.Kind == record.Bench && !slices.Contains(w.opaque, r.Target) && base != "" && head != "" {
		l.Explain = "perftrack explain " + base + " " + head + shell.Flag("bench", r.Name) + w.c.IsolateFlag()
	}
	return l
}

func changed(v compare.Verdict) bool {
	return slices.Contains([]compare.Verdict{compare.Regressed, compare.Improved, compare.Changed}, v)
}

// samplesOf returns the samples of both sides. They are sorted by round if the sides share rounds.
// If all samples of a side are equal, there is only one value for that side. If there are more than
// most rounds, samplesOf returns every n-th sample and sets every to n.
func samplesOf(r *compare.Row, pairs []stat.Pair, most int) (sides [2]Numbers, every int) {
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
		sides[side] = Numbers{}
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

// alike reports whether all values are equal.
func alike(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v != values[0] })
}

// rounded returns v rounded to five significant digits, more than a picture can show.
func rounded(v float64) Number {
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 5, 64), 64)
	if err != nil {
		return Number(v)
	}
	return Number(short)
}
