// Package rowcells formats the rows of a comparison as cells, and the facts above their tables, for
// the terminal and the page.
//
// Begin with cells.go.
package rowcells

import (
	"fmt"
	"math"
	"strings"

	"golang.org/x/perf/benchmath"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// Scale returns the scale for both medians of a row.
func Scale(r *compare.Row) reports.Scale {
	var centers []float64
	for _, s := range []compare.Summary{r.Base, r.Head} {
		if s.N > 0 {
			centers = append(centers, s.Center)
		}
	}
	return reports.ScaleFor(r.Unit, centers...)
}

// Centers returns the medians of both sides with their intervals.
func Centers(r *compare.Row, notes *reports.Footnotes) []reports.Cell {
	scale := Scale(r)
	return []reports.Cell{reports.SummaryCell(r.Base, scale, notes), reports.SummaryCell(r.Head, scale, notes)}
}

// Medians returns the medians of both sides, or "-" for a side without samples. Counts of
// allocations are printed without decimals.
func Medians(r *compare.Row) (base, head string) {
	scale, whole := Scale(r), true
	for _, s := range []compare.Summary{r.Base, r.Head} {
		whole = whole && Allocates(r.Unit) && s.Center == math.Trunc(s.Center) && math.Abs(s.Center) < 1e6
	}
	text := func(s compare.Summary) string {
		switch {
		case s.N == 0:
			return "-"
		case whole:
			return reports.WithCommas(fmt.Sprintf("%.0f", s.Center))
		}
		return scale.Format(s.Center)
	}
	return text(r.Base), text(r.Head)
}

// Estimate returns the change of a row. The change of an unchecked row is marked as having no
// verdict: it proves nothing, but it still distinguishes +1 % from +90 %.
func Estimate(r *compare.Row) reports.Cell {
	if r.Verdict == compare.NotComparable {
		return reports.Cell{}
	}
	cell := reports.EstimateCell(r.Unit, r.Shift, r.Exact)
	if r.Verdict == compare.NotChecked && cell.Text != "" {
		cell.Range = noVerdict
	}
	return cell
}

// noVerdict replaces the interval of the change in an unchecked row.
const noVerdict = "(no verdict)"

// Change returns the change of a row. A negligible change in a count is shown as an absolute
// difference, because "-100 %" for a change by 16 bytes would seem to contradict "unchanged".
func Change(r *compare.Row) reports.Cell {
	cell := Estimate(r)
	if Negligible(r) {
		diff := r.Head.Center - r.Base.Center
		size := r.Shift
		size.Center, size.Lo, size.Hi, size.Absolute = diff, diff, diff, true
		cell = reports.EstimateCell(r.Unit, size, true)
		cell.Text += " " + strings.TrimSuffix(r.Unit, "/op")
	}
	if r.Verdict == compare.Regressed || r.Verdict == compare.Improved {
		cell.Tone = VerdictTone(r.Verdict)
	}
	return cell
}

// Delta returns benchstat's cell: the delta, or "~" if p is too large, followed by p and n. A row
// with a summary has the delta alone.
func Delta(c *compare.Comparison, r *compare.Row, notes *reports.Footnotes) reports.Cell {
	switch {
	case r.Summarized() && r.HasDelta():
		return reports.Cell{Text: reports.PlainChange(r.Delta), Range: "(no test)", Notes: reports.FootnotesOf(r.Notes, notes)}
	case !r.Compared():
		return reports.Cell{Notes: reports.FootnotesOf(r.Notes, notes)}
	}
	b := benchmath.Comparison{P: r.P, N1: r.Base.N, N2: r.Head.N, Alpha: c.Options.CompareAlpha}
	cell := reports.Cell{
		Text:  delta(b, r),
		Range: "(" + b.String() + ")",
		Notes: append(reports.FootnotesOf(r.Notes, notes), CorrelatedWith(r, notes)...),
	}
	if cell.Text == "~" {
		cell.Tone = reports.Muted
	} else if r.Verdict == compare.Regressed || r.Verdict == compare.Improved {
		cell.Tone = VerdictTone(r.Verdict)
	}
	return cell
}

// delta formats a row's relative change as benchstat does, but an absurdly large change as a bound.
func delta(b benchmath.Comparison, r *compare.Row) string {
	text := b.FormatDelta(r.Base.Center, r.Head.Center)
	if bound, ok := reports.Bound(r.Head.Center/r.Base.Center - 1); ok && strings.HasSuffix(text, "%") {
		return bound
	}
	return text
}

// Verdict returns the cell for a row's verdict and its reason.
func Verdict(r *compare.Row) reports.Cell {
	cell := reports.Cell{Text: string(r.Verdict), Tone: VerdictTone(r.Verdict)}
	if r.Reason != "" {
		cell.Range = "(" + r.Reason + ")"
	}
	return cell
}

// VerdictWord returns the cell for a row's verdict, without the details in other cells.
func VerdictWord(r *compare.Row) reports.Cell {
	cell := reports.Cell{Text: string(r.Verdict), Tone: VerdictTone(r.Verdict)}
	if words := r.OfMean(); words != "" {
		cell.Range = "(" + words + ")"
	}
	switch {
	case r.Verdict == compare.Regressed && r.Accepted() && r.ByMean:
		cell.Range = "(mean, accepted)"
		cell.Tone = reports.Muted
	case r.Verdict == compare.Regressed && r.Accepted():
		cell.Range = "(accepted)"
		cell.Tone = reports.Muted
	case r.Verdict == compare.NoVerdict && r.Base.N == 0:
		cell.Text = "new"
	case r.Verdict == compare.NoVerdict && r.Head.N == 0:
		cell.Text, cell.Tone = "missing", reports.Warn
	case r.Verdict == compare.NoVerdict:
		cell.Text = "-"
	case r.Verdict == compare.Suspect && r.Reason != "": // other reasons are shown in other cells or below the table
		cell.Range = "(" + r.Reason + ")"
	}
	return cell
}

// VerdictTone returns the tone in which a verdict is shown.
func VerdictTone(v compare.Verdict) reports.Tone {
	switch v {
	case compare.Regressed:
		return reports.Bad
	case compare.Improved:
		return reports.Good
	case compare.Changed, compare.Suspect, compare.NotChecked, compare.NotComparable:
		return reports.Warn
	}
	return reports.Muted
}

// CorrelatedWith returns the footnote for a row that shows the same change as another row because
// one of the two benchmarks contains the other.
func CorrelatedWith(r *compare.Row, notes *reports.Footnotes) []int {
	if r.CorrelatedWith == nil {
		return nil
	}
	return []int{notes.Add(reports.Note{Text: "correlated with", Detail: r.CorrelatedWith.Name})}
}

// MethodNotes returns the footnote for a row measured in an unusual way: not in slices (short turns
// of both sides), not by the wall clock, or with an unusual choice of the slices that count.
func MethodNotes(r *compare.Row, notes *reports.Footnotes) []int {
	if r.Method == nil || r.Rounds == 0 || r.Exact {
		return nil
	}
	w := r.Method
	switch {
	case w.How == record.MethodFresh && w.Sliced > 0:
		text := fmt.Sprintf("in %d of its rounds, base and head ran one after the other instead of taking turns of milliseconds", w.Fresh)
		return []int{notes.Add(reports.Note{Text: text, Detail: w.Why})}
	case w.How == record.MethodFresh:
		return []int{notes.Add(reports.Note{Text: "base and head ran one after the other instead of taking turns of milliseconds", Detail: w.Why})}
	}
	var parts []string
	estimator := estimators[w.Estimator]
	if r.ByMean { // the mean includes all turns
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

// These are the footnotes for unusual clocks and estimators.
var (
	clocks     = map[string]string{"cpu": "measured in the process's CPU time"}
	estimators = map[string]string{
		"trimmed": "only the middle three fifths of its turns count",
		"median":  "only the middle fifth of its turns counts",
		"quiet":   "other programs were running, so only the fastest tenth of each side's turns counts",
		"all":     "all of its turns count, because the benchmark itself sometimes takes longer",
	}
)

// MeasuredIn describes the basis of a row's estimate: "15 rounds, pair noise 1.1 %".
func MeasuredIn(r *compare.Row) string {
	if r.Rounds == 0 {
		return ""
	}
	text := reports.Plural(r.Rounds, "round")
	if r.PairNoise > 0 && !r.Exact {
		text += ", pair noise " + reports.Portion(r.PairNoise)
	}
	return text
}

// AdjustedP returns the p-value that decides the verdict, or "" for exact counts and unchecked
// rows.
func AdjustedP(r *compare.Row) string {
	if !r.Tested || r.Exact || r.Verdict == compare.NotChecked || math.IsNaN(r.AdjustedP) {
		return ""
	}
	return reports.PValue(r.AdjustedP)
}

// UnpairedP returns the p-value that benchstat computes by treating the same samples as
// independent: "~ 0.585". It returns "" for exact counts.
func UnpairedP(c *compare.Comparison, r *compare.Row) string {
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

// Allocates reports whether unit counts allocations. It takes fewer rounds to prove that such counts
// are equal than that they differ.
func Allocates(unit string) bool { return unit == "B/op" || unit == "allocs/op" }

// Negligible reports whether a row's sides allocate different numbers of bytes, but the difference
// is too small to matter.
func Negligible(r *compare.Row) bool {
	return r.Verdict == compare.Unchanged && r.Exact && r.Unit == "B/op" && r.Base.Center != r.Head.Center
}
