package comparison

import (
	"fmt"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
)

// RowWords is a row of a comparison in the words that every report has for it. Name comes
// from outside, the others are perftrack's own.
type RowWords struct {
	Name       string // with the -N that both sides have
	Base, Head string // center and its interval: "1.718µ ± 1%"; "" where a side has none
	Change     string // with the interval of the decision: "+3.1 % [+1.2, +5.0]"
	Measured   string // what the change rests on: "15 rounds, pair noise 1.1 %"
	P          string // after correction; "" of counts that repeat, and where nothing was tested
	Unpaired   string // benchstat's p of the same samples, which knows nothing of pairs; or ""
	Samples    string // a side: "30", or "30 / 29"
	Reason     string // of the verdict
}

// Words returns the words of a row of a table of the comparison.
func Words(c *compare.Comparison, t *compare.Table, r *compare.Row) RowWords {
	w := RowWords{Name: r.Name, Reason: r.Reason, Samples: fmt.Sprint(r.Base.N)}
	if r.Base.N != r.Head.N {
		w.Samples = fmt.Sprintf("%d / %d", r.Base.N, r.Head.N)
	}
	scale := rowScale(r)
	text := func(s compare.Summary) string {
		if s.N == 0 {
			return ""
		}
		return scale.Format(s.Center) + " " + reports.Interval(s)
	}
	w.Base, w.Head = text(r.Base), text(r.Head)
	if change := estimateCell(r); change.Text != "" {
		w.Change = change.Shown()
	}
	w.Measured, w.P, w.Unpaired = measuredIn(r), adjustedP(r), unpairedP(c, r)
	return w
}

// Notes are the footnotes of a row, of its change, of how it was measured and of both centers,
// in the order of reports.
func Notes(r *compare.Row) []reports.Note {
	notes := &reports.Footnotes{}
	reports.FootnotesOf(r.Notes, notes)
	correlatedWith(r, notes)
	wayNotes(r, notes)
	reports.FootnotesOf(r.Base.Notes, notes)
	reports.FootnotesOf(r.Head.Notes, notes)
	return notes.Notes
}

// Rules states the error rate and the threshold of the verdicts in words, "" where nothing was
// tested.
func Rules(c *compare.Comparison) string {
	fact, _ := decisionFact(c)
	return fact.Value
}

// Detail reports whether a table only adds detail to the times of the same calls, so that
// people are not shown it: programs find it in JSON and CSV.
func Detail(t *compare.Table) bool { return ofCall(t) }
