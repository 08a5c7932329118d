package history

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// If a benchmark's allocations have a step and a check proved that its time regressed, the overview
// shows the time.
func TestTimeComesBeforeAllocations(t *testing.T) {
	regressed := func(unit string) steps.CheckedRow {
		return steps.CheckedRow{Tidied: unit, Verdict: compare.Regressed, Shift: stat.Shift{Center: 0.76}}
	}
	step := steps.Stand{State: steps.Regressed, Change: 0.5}
	few, steady := steps.Stand{State: steps.TooFew}, steps.Stand{State: steps.Steady}
	lines := func(time, bytes steps.Stand) []steps.Brief {
		return []steps.Brief{{Tidied: "sec/op", Values: []float64{1}, Runs: 4, Needs: 6, Stand: time}, {Tidied: "B/op", Values: []float64{8}, Runs: 4, Enough: true, Stand: bytes}}
	}
	for name, tt := range map[string]struct {
		lines   []steps.Brief
		checked []steps.CheckedRow
		want    string
	}{
		"the check has the time, a step the bytes": {lines(few, step), []steps.CheckedRow{regressed("B/op"), regressed("sec/op")}, "regressed +76.0 % in a check"},
		"the step has the time":                    {lines(step, steady), []steps.CheckedRow{regressed("sec/op")}, "regressed +50.0 %"},
		"both have the bytes":                      {lines(few, step), []steps.CheckedRow{regressed("B/op")}, "B/op regressed +50.0 %"},
		"only a check":                             {lines(few, steady), []steps.CheckedRow{regressed("allocs/op"), regressed("B/op")}, "allocs/op regressed +76.0 % in a check"},
	} {
		if got := stateOf(steps.Outline{Lines: tt.lines, Check: &steps.Checked{Rows: tt.checked}}); got.text != tt.want {
			t.Errorf("%s: %q, want %q", name, got.text, tt.want)
		}
	}
}

// A proven regression without a step in the history comes before everything unknown.
func TestRegressionsSayWhatWasProved(t *testing.T) {
	all := regressions()
	all.List = nil
	found := &steps.Checked{Base: record.Commit{SHA: strings.Repeat("a", 40)}, Head: record.Commit{SHA: strings.Repeat("b", 40)}, Time: time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC), Search: true,
		Rows: []steps.CheckedRow{{Tidied: "sec/op", Verdict: compare.Regressed, Shift: stat.Shift{Center: 2.65}}}}
	all.Proved = []steps.Proved{{Target: "engine", BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: "Count"}, Check: found}}
	r := Regressions(all)
	if !strings.HasPrefix(r.Summary, "1 benchmark proved to have regressed, without a step yet; ") || r.Tone != reports.Bad {
		t.Errorf("%q of tone %d", r.Summary, r.Tone)
	}
	want := reports.Note{Text: "engine Count: sec/op regressed +265.0 % in a bisection on 2026-01-05", Detail: "perftrack compare aaaaaaaaaaaa bbbbbbbbbbbb"}
	if len(r.Remarks) == 0 || r.Remarks[0] != want {
		t.Errorf("%+v, want %+v first", r.Remarks, want)
	}
}

// If both sides of a step were measured together, the report does not suggest measuring them.
func TestStepsThatWereMeasuredTogether(t *testing.T) {
	last, first := strings.Repeat("a", 40), strings.Repeat("b", 40)
	step := steps.Step{Last: steps.Point{Commit: last}, First: steps.Point{Commit: first}, Verdict: compare.Regressed, Unresolved: true}
	point := func(sha, trial string) record.HistoryPoint {
		p := record.HistoryPoint{Run: &record.RunInfo{}}
		p.Run.Commit.SHA, p.Run.Trial = sha, trial
		return p
	}
	for name, tt := range map[string]struct {
		points []record.HistoryPoint
		check  *steps.Checked
		want   string
	}{
		"in a trial":         {[]record.HistoryPoint{point(last, "t"), point(first, "t")}, nil, "perftrack compare aaaaaaaaaaaa bbbbbbbbbbbb"},
		"by the check":       {nil, &steps.Checked{Base: record.Commit{SHA: last}, Head: record.Commit{SHA: first}}, "perftrack compare aaaaaaaaaaaa bbbbbbbbbbbb"},
		"in two trials":      {[]record.HistoryPoint{point(last, "t"), point(first, "u")}, nil, "perftrack run --rev bbbbbbbbbbbb --against aaaaaaaaaaaa"},
		"alone":              {[]record.HistoryPoint{point(last, ""), point(first, "")}, nil, "perftrack run --rev bbbbbbbbbbbb --against aaaaaaaaaaaa"},
		"a check of another": {nil, &steps.Checked{Base: record.Commit{SHA: first}, Head: record.Commit{SHA: last}}, "perftrack run --rev bbbbbbbbbbbb --against aaaaaaaaaaaa"},
	} {
		var r reports.Report
		remarkSteps(&r, steps.Series{Points: tt.points, Check: tt.check}, []steps.UnitLine{{Course: steps.Course{Steps: []steps.Step{step}}}})
		if len(r.Remarks) != 1 || r.Remarks[0].Detail != tt.want {
			t.Errorf("%s: %+v, want %s", name, r.Remarks, tt.want)
		}
	}
}

// The report names the commit found by a bisection next to the step, and its first remark is about
// this commit.
func TestFoundByBisection(t *testing.T) {
	found := steps.Found{Commit: strings.Repeat("c", 40), Before: strings.Repeat("d", 40)}
	step := steps.Step{Last: steps.Point{Commit: strings.Repeat("a", 40)}, First: steps.Point{Commit: strings.Repeat("b", 40)}, Verdict: compare.Regressed, Unresolved: true, Found: found}
	lines := []steps.UnitLine{{Tidied: "sec/op", Course: steps.Course{Steps: []steps.Step{step}}}}
	table, _ := stepTable(lines)
	if n := len(table.Columns) - 1; table.Columns[n].Title != "found by bisection" || table.Rows[0][n].Text != "cccccccccccc" {
		t.Errorf("%+v", table)
	}
	want := reports.Note{Text: "a bisection found the cause, cccccccccccc", Detail: "perftrack compare dddddddddddd cccccccccccc"}
	var r reports.Report
	remarkSteps(&r, steps.Series{}, lines)
	check := &steps.Checked{Head: record.Commit{SHA: step.First.Commit}, Found: found, Rows: []steps.CheckedRow{{Tidied: "sec/op", Verdict: compare.Regressed, Shift: stat.Shift{Center: 0.5}}}}
	remarkCheck(&r, check)
	if len(r.Remarks) != 2 || r.Remarks[0] != want {
		t.Errorf("%+v", r.Remarks)
	}
	if got := stateOf(steps.Outline{Check: check}); got.text != "regressed +50.0 % in a check, by cccccccccccc" {
		t.Errorf("%q", got.text)
	}
	all := regressions()
	all.List[0].Step.Found = found
	report := Regressions(all)
	if !slices.ContainsFunc(report.Tables[0].Columns, func(c reports.Column) bool { return c.Title == "found by bisection" }) {
		t.Errorf("columns %+v", report.Tables[0].Columns)
	}
}

// The words for a check mention it if only the mean changed.
func TestCheckedMean(t *testing.T) {
	r := steps.CheckedRow{Tidied: "sec/op", Verdict: compare.Regressed, Shift: stat.Shift{Center: 2}, ByMean: true}
	if got := checkedWords(&r); got != "regressed (mean) +200.0 %" {
		t.Error(got)
	}
	if r.Accepted = true; checkedWords(&r) != "accepted (mean) +200.0 %" {
		t.Error(checkedWords(&r))
	}
}
