package comparison

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/reports/reporttest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// The budget left 57 benchmarks without a round. No report looks like a success, and each report
// mentions the 57 benchmarks.
func TestStarvedIsNeverGreen(t *testing.T) {
	for _, measured := range []int{0, 3} {
		var text strings.Builder
		for i := range max(1, measured) {
			text.WriteString(runtest.Vary(10, fmt.Sprintf("B%d", i), 1, 100.0, "ns/op"))
		}
		b, h := reporttest.Trial(reporttest.Side("main", "a", runtest.Read(t, text.String())), reporttest.Side("x", "b", runtest.Read(t, text.String())))
		for _, r := range []*record.Run{b.Runs[0], h.Runs[0]} {
			r.Benchmarks = r.Benchmarks[:measured]
			r.Protocol.Procedure = pairs.ProcedureCheck
			r.Protocol.Unreached = []record.Count{{Benchmarks: 8}}
			r.Protocol.Starved = &record.Starved{Benchmarks: 57, Rounds: 15}
		}
		c := compare.Compare(b, h, compare.Options{})
		gate := gates.Decide(c, gates.Options{})
		if gate.Cause != gates.CauseUnchecked {
			t.Errorf("%d measured: the gate says %+v", measured, gate)
		}
		v := View{Gate: &gate}
		r := v.Report(c)
		for _, format := range []string{"txt", "md", "json", "junit.xml"} {
			got := reporttest.Write(t, r, format)
			if strings.Contains(got, "nothing got slower") || strings.Contains(got, `"not checked": 0`) || !strings.Contains(got, "57") {
				t.Errorf("%d measured: the %s report says\n%s", measured, format, got)
			}
		}
	}
}

// Fourteen benchmarks are 41 % slower but have only 4 of the 15 rounds they need. Reports show the
// change of each benchmark, marked as having no verdict.
func TestNotCheckedShowsItsChange(t *testing.T) {
	var text [2]strings.Builder
	for i := range 14 {
		for side := range text {
			text[side].WriteString(runtest.Vary(4, fmt.Sprintf("Loop%02d", i), 1, []float64{100, 141}[side], "ns/op"))
		}
	}
	b, h := reporttest.Trial(reporttest.Side("main", "a", runtest.Read(t, text[0].String())), reporttest.Side("x", "b", runtest.Read(t, text[1].String())))
	for _, r := range []*record.Run{b.Runs[0], h.Runs[0]} {
		r.Protocol.Procedure = pairs.ProcedureCheck
	}
	r := View{All: true}.Report(compare.Compare(b, h, compare.Options{}))
	for format, want := range map[string]string{"txt": "+41.0 % (no verdict)", "md": "+41.0 % (no verdict)", "junit.xml": "+41.0 % (no verdict)", "json": `"verdict": "not checked"`} {
		if got := reporttest.Write(t, r, format); strings.Count(got, want) < 14 {
			t.Errorf("the %s report has %q %d times", format, want, strings.Count(got, want))
		}
	}
}
