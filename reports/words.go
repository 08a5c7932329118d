package reports

import (
	"fmt"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// CodeSpan makes words from outside harmless in GitHub's Markdown, as a code
// span of at most 120 characters that can stand in a table cell.
func CodeSpan(s string) string { return codeSpan(s) }

// Prose escapes perftrack's own words for GitHub's Markdown.
func Prose(s string) string { return prose(s) }

// Percent is a relative change: 0.05 is "+5.00%", one beyond any reason a bound.
func Percent(change float64) string { return percent(change) }

// RowWords are a row of a comparison in the words that every report has for
// it. Name comes from outside, the others are perftrack's own.
type RowWords struct {
	Name       string // with the -N that both sides have
	Base, Head string // center and its interval: "1.718µ ± 1%"; "" where a side has none
	Change     string // with the interval of the decision: "+3.10% [+1.20%, +5.00%]"
	P          string // after correction; "exact" of counts; "" where nothing was tested
	Samples    string // a side: "30", or "30 / 29"
	Reason     string // of the verdict
}

// Words returns the words of a row of the table.
func Words(t *compare.Table, r *compare.Row) RowWords {
	w := RowWords{Name: rowName(t, r), Reason: r.Reason, Samples: fmt.Sprint(r.Base.N)}
	if r.Base.N != r.Head.N {
		w.Samples = fmt.Sprintf("%d / %d", r.Base.N, r.Head.N)
	}
	var centers []float64
	for _, s := range []compare.Summary{r.Base, r.Head} {
		if s.N > 0 {
			centers = append(centers, s.Center)
		}
	}
	scale := scaler(r.Unit, centers...)
	for i, s := range []compare.Summary{r.Base, r.Head} {
		if s.N > 0 {
			*[]*string{&w.Base, &w.Head}[i] = scale.Format(s.Center) + " " + interval(s)
		}
	}
	if shift := shiftCell(r); shift.Text != "" {
		w.Change = shift.Text + " " + shift.Range
	}
	switch {
	case r.Exact:
		w.P = "exact"
	case r.Tested:
		w.P = adjustedCell(r).Text
	}
	return w
}

// Environment returns the facts of a table's environments, one that differs
// between the sides with both of its values. The values come from outside.
func Environment(t *compare.Table) []Fact {
	var env record.Settings
	for _, e := range t.Env {
		if env == nil {
			env = e
		}
	}
	return environmentFacts(env, t.Different)
}
