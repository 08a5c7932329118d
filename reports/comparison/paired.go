package comparison

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchmath"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// trialTable is the table of one unit of a trial. A row leads with what its pairs say, how
// much that rests on, and the verdict. The medians of both sides and benchstat's p stand
// behind: they are of the samples of each side, which know nothing of their pairs.
func trialTable(c *compare.Comparison, t *compare.Table, notes *reports.Footnotes) reports.Table {
	out := reports.Table{Facts: tableFacts(t), Columns: []reports.Column{
		{Code: true},
		{Title: "change", Right: true},
		{Title: "measured in", Extra: true},
		{Title: "verdict", Wraps: true},
		{Over: "base, median", Title: t.Unit, Unit: true, Right: true},
		{Over: "head, median", Title: t.Unit, Unit: true, Right: true},
		{Title: "adj. p", Right: true, Extra: true},
		{Title: "unpaired p", Right: true, Extra: true},
	}}
	for _, r := range t.Rows {
		change := estimateCell(r)
		if r.Verdict == compare.Regressed || r.Verdict == compare.Improved {
			change.Tone = verdictTone(r.Verdict)
		}
		change.Notes = append(reports.FootnotesOf(r.Notes, notes), correlatedWith(r, notes)...)
		cells := []reports.Cell{{Text: r.Name}, change, {Text: measuredIn(r), Notes: wayNotes(r, notes)}, verdictCell(r)}
		cells = append(cells, centerCells(r, notes)...)
		out.Rows = append(out.Rows, append(cells, reports.Cell{Text: adjustedP(r)}, reports.Cell{Text: unpairedP(c, r)}))
	}
	if of, all := checkedRows(t); len(t.Rows) > 1 && (all || len(of) > 0) {
		out.Footer = meanCells(t, notes)
	}
	return out.WithoutEmpty(1)
}

// meanCells are the row of the geometric means. Where rows were not checked it is of the others,
// and has the change alone: means of medians with those beside it would look like another answer.
func meanCells(t *compare.Table, notes *reports.Footnotes) []reports.Cell {
	change := reports.Cell{Text: "?", Notes: reports.FootnotesOf(t.Geomean.Notes, notes)}
	mean, name, centers := t.Geomean.Change, "geomean", geomeanCells(t)
	if of, all := checkedRows(t); !all {
		mean, name, centers = compare.MeanChange(of), fmt.Sprintf("geomean of %d checked", len(of)), nil
		if unknownMean(t, all) {
			mean, name = math.NaN(), "geomean"
		}
	}
	if !math.IsNaN(mean) {
		change.Text = reports.PlainChange(mean)
	}
	return append([]reports.Cell{{Text: name}, change, {}, {}}, centers...)
}

// noVerdict stands behind the change of a row that was not checked, in place of an interval.
const noVerdict = "(no verdict)"

// estimateCell is the change of a row. Of one that was not checked it is the change so far, marked:
// a few rounds prove nothing, but a reader wants to know whether it may be +1 % or +90 %.
func estimateCell(r *compare.Row) reports.Cell {
	if r.Verdict == compare.NotComparable {
		return reports.Cell{}
	}
	cell := reports.EstimateCell(r.Unit, r.Shift, r.Exact)
	if r.Verdict == compare.NotChecked && cell.Text != "" {
		cell.Range = noVerdict
	}
	return cell
}

// measuredIn says what an estimate rests on: "15 rounds, pair noise 1.1 %".
func measuredIn(r *compare.Row) string {
	if r.Rounds == 0 {
		return ""
	}
	text := reports.Plural(r.Rounds, "round")
	if r.PairNoise > 0 && !r.Exact {
		text += ", pair noise " + reports.Portion(r.PairNoise)
	}
	return text
}

// wayNotes are the footnote of a row that was not measured as most are, in slices by the
// wall clock, all of which count.
func wayNotes(r *compare.Row, notes *reports.Footnotes) []int {
	if r.Way == nil || r.Rounds == 0 || r.Exact {
		return nil
	}
	w := r.Way
	switch {
	case w.How == record.WayFresh && w.Sliced > 0:
		text := fmt.Sprintf("in %d of the rounds base and head ran one after the other, not in turns of milliseconds", w.Fresh)
		return []int{notes.Add(reports.Note{Text: text, Detail: commonReason(w.Why)})}
	case w.How == record.WayFresh:
		return []int{notes.Add(reports.Note{Text: "base and head ran one after the other, not in turns of milliseconds", Detail: commonReason(w.Why)})}
	}
	var parts []string
	estimator := estimators[w.Estimator]
	if r.ByMean { // for which all count
		estimator = ""
	}
	for _, words := range []string{clocks[w.Clock], estimator} {
		if words != "" {
			parts = append(parts, words)
		}
	}
	if parts == nil {
		return nil
	}
	return []int{notes.Add(reports.Note{Text: strings.Join(parts, ", ")})}
}

// commonReason is why a benchmark was not measured in turns, without the numbers in parentheses that
// no other benchmark has: those of one reason then share a footnote.
func commonReason(why string) string {
	if i := strings.LastIndex(why, " ("); i > 0 && strings.HasSuffix(why, ")") {
		return why[:i]
	}
	return why
}

// What a footnote says of a clock and of an estimator; nothing of the usual ones.
var (
	clocks     = map[string]string{"cpu": "measured by the CPU time of the process"}
	estimators = map[string]string{
		"trimmed": "the middle three fifths of its turns count",
		"median":  "the middle fifth of its turns counts",
		"quiet":   "other programs were running: the quickest tenth of each side's turns counts",
		"all":     "all of its turns count: the benchmark itself takes longer now and then",
	}
)

// adjustedP shows the p of the decision. There is none of counts that repeat, and none
// before a look that could have flagged the row.
func adjustedP(r *compare.Row) string {
	if !r.Tested || r.Exact || r.Verdict == compare.NotChecked || math.IsNaN(r.AdjustedP) {
		return ""
	}
	return reports.PValue(r.AdjustedP)
}

// unpairedP shows what benchstat says of the same samples, which takes them for
// independent: "~ 0.585". Of counts that repeat it says nothing.
func unpairedP(c *compare.Comparison, r *compare.Row) string {
	if !r.Compared() || r.Exact || min(r.Base.N, r.Head.N) < 2 {
		return ""
	}
	b := benchmath.Comparison{P: r.P, N1: r.Base.N, N2: r.Head.N, Alpha: c.Options.CompareAlpha}
	text := reports.PValue(b.P)
	if b.P > b.Alpha {
		text = "~ " + text
	}
	return text
}

// Legend says how the rows of a trial are read, in a sentence, and in another what stands
// behind them; nil where no row rests on pairs.
func Legend(c *compare.Comparison) []string {
	paired := false
	least, most := time.Duration(math.MaxInt64), time.Duration(0) // of the slices
	for _, t := range c.Tables {
		for _, r := range t.Rows {
			if !t.ByPairs() || r.Rounds == 0 || r.Exact {
				continue
			}
			paired = true
			if r.Way != nil && r.Way.How == record.WaySlices && r.Way.Length > 0 {
				least, most = min(least, r.Way.Length), max(most, r.Way.Length)
			}
		}
	}
	if !paired {
		return nil
	}
	turns := "base and head ran one after the other"
	if most > 0 {
		turns = "base and head took turns of " + spanOf(least, most)
	}
	return []string{
		fmt.Sprintf("%s; change: of a typical round [%.3g %% interval]; pair noise: from round to round", turns, 100*(1-2*c.Options.Alpha)),
		"medians, ± and unpaired p are of raw samples, whose noise both sides share; the verdict goes by rounds",
	}
}

// spanOf shows the lengths of slices: "2 ms", "0.5 to 20 ms".
func spanOf(least, most time.Duration) string {
	text := func(d time.Duration) string { return strconv.FormatFloat(d.Seconds()*1e3, 'g', 2, 64) }
	if text(least) == text(most) {
		return text(least) + " ms"
	}
	return text(least) + " to " + text(most) + " ms"
}
