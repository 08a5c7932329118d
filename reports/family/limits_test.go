package family

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
)

// The summary compares the newest value of each benchmark and profile with its limits. Values in
// older runs are not listed.
func TestSummaryHasLimits(t *testing.T) {
	s := &Subject{}
	for _, l := range []func() (limit.Limit, error){
		func() (limit.Limit, error) { return limit.Parse("MatMul_*", ">= 1 ns") },
		func() (limit.Limit, error) { return limit.Parse("Model_*", "<= 65 ms/tok") },
		func() (limit.Limit, error) { return limit.ParseScope("Layer_1", "<= 50 us") },
		func() (limit.Limit, error) { return limit.ParseProfile("*", "< 100 allocated-MB") },
	} {
		one, err := l()
		if err != nil {
			t.Fatal(err)
		}
		s.Limits.List = append(s.Limits.List, one)
	}
	s.Current = []*record.Run{at(engine(t, 2), 3), at(engine(t, 1), 2), at(profiledRun(t, 1), 2)}
	for _, r := range s.Current {
		s.Runs = append(s.Runs, record.RunInfo{Run: *r})
	}
	v := newView(s)
	table, ok := v.limitTable()
	var got []string
	for _, row := range table.Rows {
		got = append(got, row[0].Text+" "+row[3].Text+" "+row[5].Text)
	}
	want := []string{
		"profiled enhanced example.com/engine (whole profile) < 100 allocated-MB undecided (needs 7 samples)",
		"profiled enhanced example.com/engine Layer_1 (scope) <= 50 us undecided (needs 7 samples)",
		"engine enhanced example.com/engine MatMul_64x64 >= 1 ns met",
		"engine enhanced example.com/engine Model_Medium_Inference <= 65 ms/tok met",
		"engine enhanced example.com/engine Model_Small_Inference <= 65 ms/tok met",
	}
	if !ok || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("limits\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	found := false
	for _, tb := range summary(v).Tables {
		found = found || tb.Heading == table.Heading
	}
	if !found {
		t.Error("the summary has no limits")
	}
	if words := missedLimits(v); len(words) != 0 {
		t.Errorf("none is missed, but %v", words)
	}
	v.limits[0].State = limit.Missed
	if words := missedLimits(v); len(words) != 1 || !strings.HasPrefix(words[0].evidence, "1 limit missed by the newest run") {
		t.Errorf("one is missed, and the actions are %v", words)
	}
	if table, _ := v.limitTable(); table.Rows[0][5].Text != "missed" {
		t.Errorf("the first row is %v, not the limit that is missed", table.Rows[0])
	}
	for range 5 {
		v.limits = append(v.limits, v.limits...)
	}
	if table, _ := v.limitTable(); len(table.Rows) != shownLimits || !strings.HasSuffix(table.Caption, "15 of 160 are shown; perftrack run and profile show all.") {
		t.Errorf("%d rows, %q", len(table.Rows), table.Caption)
	}
	s.Limits = compare.Limits{}
	if _, ok := newView(s).limitTable(); ok {
		t.Error("limits without a configuration")
	}
}
