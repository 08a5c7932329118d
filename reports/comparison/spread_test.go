package comparison

import (
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/reports/reporttest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// spreadTrial returns a trial of two machines with different CPUs, on which head is 20 % slower. Each
// of them measures every second round.
func spreadTrial(t *testing.T) (b, h compare.Side) {
	t.Helper()
	var sides [2]compare.Side
	for side, ns := range []float64{100, 120} {
		for machine, cpu := range []string{"Alpha 1", "Beta 2"} {
			r := runtest.Read(t, "cpu: "+cpu+"\ngoos: linux\n"+runtest.Vary(24, "Sort", 1, ns, "ns/op"))
			bench := &r.Benchmarks[0]
			for i := range 12 {
				bench.Rounds[i], bench.Samples[0].Values[i] = bench.Rounds[2*i+machine], bench.Samples[0].Values[2*i+machine]
			}
			bench.Rounds, bench.Samples[0].Values = bench.Rounds[:12], bench.Samples[0].Values[:12]
			r.Protocol.Procedure, r.Protocol.Decision = pairs.ProcedureCheck, pairs.Decision
			r.Protocol.Spread = &record.Spread{Class: "ci", Machine: []string{"w1", "w2"}[machine]}
			r.Trial, r.Side = "0b6f", []record.Side{record.Base, record.Head}[side]
			one := reporttest.Side("x", []string{"a", "b"}[side], r)
			sides[side].Label, sides[side].Runs = one.Label, append(sides[side].Runs, one.Runs...)
		}
	}
	return sides[0], sides[1]
}

// All reports of a spread trial show one row with the change on each CPU model, name the machines,
// and show the settings that these have in common.
func TestSpreadInReports(t *testing.T) {
	b, h := spreadTrial(t)
	c := compare.Compare(b, h, compare.Options{})
	if len(c.Tables) != 1 || len(c.Tables[0].Rows) != 1 || c.Tables[0].Rows[0].Verdict != compare.Regressed {
		t.Fatalf("%d tables", len(c.Tables))
	}
	const row = "the change on each of the CPU models; the verdict is about all of them together: +20.0 % on Alpha 1 (12 rounds), +20.0 % on Beta 2 (12 rounds)"
	const machines = "the rounds were spread over 2 machines, 2 CPU models: class ci, Alpha 1, Beta 2"
	plain := strings.NewReplacer("`", "").Replace
	for _, v := range []View{{}, {All: true}} {
		for _, format := range []string{"txt", "md"} {
			got := plain(reporttest.Write(t, v.Report(c), format))
			if !strings.Contains(got, row) || !strings.Contains(got, machines) {
				t.Errorf("the %s report says\n%s", format, got)
			}
			if strings.Contains(got, "checks of one trial") {
				t.Errorf("the %s report takes machines for checks:\n%s", format, got)
			}
		}
	}
	got := reporttest.Write(t, View{}.Report(c), "json")
	for _, want := range []string{
		`"code": "models"`, `"code": "spread"`, `"detail": "class ci, Alpha 1, Beta 2"`, `"machine": "w2"`,
		`"detail": "+20.0 % on Alpha 1 (12 rounds), +20.0 % on Beta 2 (12 rounds)"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the JSON report lacks %s", want)
		}
	}
	if notes := Notes(c.Tables[0].Rows[0]); !slices.Contains(notes, row) {
		t.Errorf("the page has the notes %q", notes)
	}
	facts := ""
	for _, f := range Environment(&c.Tables[0]) {
		facts += f.Key + " " + f.Value + "; "
	}
	if want := "goos linux; goarch amd64; gomaxprocs 4; "; facts != want {
		t.Errorf("the environment is %q, want %q", facts, want)
	}
	for _, s := range []compare.Side{b, h} {
		s.Runs[1].Protocol.Spread.Session = 2
	}
	if got := reporttest.Write(t, View{}.Report(compare.Compare(b, h, compare.Options{})), "txt"); !strings.Contains(got, "in 2 checks of one trial") {
		t.Errorf("a continued trial is not one of two checks:\n%s", got)
	}
}
