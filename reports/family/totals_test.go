package family

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// Lasting improvements and steady benchmarks are listed as good news.
func TestGood(t *testing.T) {
	history := func(from, to float64) (values []float64) {
		for i := range 48 {
			x := from
			if i >= 24 {
				x = to
			}
			values = append(values, x*(1+0.002*float64(i*7%5-2)))
		}
		return values
	}
	for _, tt := range []struct {
		name     string
		from, to float64
		rows     int
		words    string
	}{
		{"better", 100, 80, 1, ""}, {"steady", 100, 100, 0, "1 benchmark steady"}, {"worse", 100, 120, 0, ""},
	} {
		got := newView(withHistory(t, history(tt.from, tt.to))).good()
		if len(got.Rows) != tt.rows || !strings.Contains(strings.Join(got.Words, " "), tt.words) {
			t.Errorf("%s: %+v, %q", tt.name, got.Rows, got.Words)
		}
	}
}

// The totals come first. They show by how much the benchmarks changed in the newest comparison.
func TestTotals(t *testing.T) {
	base, head := engine(t, 1), engine(t, 1.2)
	r := Of("summary", &Subject{Runs: withHistory(t, []float64{1}).Runs, Current: []*record.Run{head}, Compared: trial(base, head)})
	if r.Tables[0].Heading != "In total" || len(r.Tables[0].Rows) == 0 {
		t.Fatalf("the summary begins with %q", r.Tables[0].Heading)
	}
	if cell := r.Tables[0].Rows[0][2]; cell.Text != reports.PlainChange(0.2) {
		t.Errorf("the time changed by %q, want +20 %%", cell.Text)
	}
}
