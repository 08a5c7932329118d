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
	scale := reports.ScaleFor(r.Unit, centers...)
	text := func(s compare.Summary) string {
		if s.N == 0 {
			return ""
		}
		return scale.Format(s.Center) + " " + reports.Interval(s)
	}
	w.Base, w.Head = text(r.Base), text(r.Head)
	if shift := reports.ShiftCell(r.Unit, r.Shift, r.Exact); shift.Text != "" {
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
