package comparison

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/reporttest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

func TestSomeRounds(t *testing.T) {
	for n, want := range map[int]string{7: "7", 600: "600", 999: "999", 4950: "4,950", 119332: "119,000", 999999: "1,000,000"} {
		if got := someRounds(n); got != want {
			t.Errorf("someRounds(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestUndecidedWords(t *testing.T) {
	row := func(need int, bound float64, reason string) *compare.Row {
		return &compare.Row{Decision: compare.Decision{Verdict: compare.Inconclusive, Rounds: 40, Need: need, Bound: bound, Reason: reason}}
	}
	const noisy = "too noisy: even a thousand rounds would not decide it"
	alike := func(need int) *compare.Row {
		r := row(need, 1, "")
		r.Rounds, r.Unit = 10, "B/op"
		return r
	}
	of := func(rows ...*compare.Row) string {
		return strings.Join(undecidedWords(&compare.Comparison{Tables: []compare.Table{{Rows: rows}}}), "\n")
	}
	for _, tt := range []struct {
		rows []*compare.Row
		want string
	}{
		{nil, ""},
		{[]*compare.Row{row(70, 0.06, "needs 70 rounds")}, "1 row is not decided yet: about 70 rounds would be enough; another check continues the trial"},
		{[]*compare.Row{row(119332, 0.203, ""), row(600, 0.1, "")}, "2 rows are too noisy to decide here: about 600 to 119,000 rounds would be needed; use a quieter machine (perftrack doctor); but each certainly changed by less than 21 %"},
		{[]*compare.Row{row(600, math.Inf(1), "")}, "1 row is too noisy to decide here: about 600 rounds would be needed; use a quieter machine (perftrack doctor)"},
		{[]*compare.Row{row(0, math.Inf(1), noisy), row(600, 0.1, "")}, "2 rows are too noisy to decide here: even a thousand rounds would not be enough; use a quieter machine (perftrack doctor)"},
		{[]*compare.Row{row(0, 0.2, noisy), alike(20)}, "1 row is too noisy to decide here: even a thousand rounds would not be enough; use a quieter machine (perftrack doctor); but it certainly changed by less than 20 %"},
		{[]*compare.Row{alike(20)}, "1 row is not decided yet: about 20 rounds would be enough; another check continues the trial"},
		{[]*compare.Row{row(0, 1, "no round measured both sides"), row(0, 1, "no round measured both sides")}, "2 rows are undecided: no round measured both sides"},
	} {
		if got := of(tt.rows...); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

// The suggested commands can be pasted into a shell, because names are quoted. If a name cannot be
// quoted, no command is suggested.
func TestNext(t *testing.T) {
	next := func(name string, v View, change float64, dirty bool) string {
		text := func(f float64) string {
			return runtest.Vary(10, "First", 1, 1000*f, "ns/op") + runtest.Vary(10, "Other", 1, 100.0, "ns/op")
		}
		base, head := runtest.Read(t, text(1)), runtest.Read(t, text(change))
		for _, r := range []*record.Run{base, head} {
			r.Benchmarks[0].Name = name
		}
		head.Commit.Dirty = dirty
		b, h := reporttest.Trial(reporttest.Side("main", "a", base), reporttest.Side("x", "b", head))
		var lines []string
		for _, s := range v.next(compare.Compare(b, h, compare.Options{})) {
			lines = append(lines, s.Command)
		}
		return strings.Join(lines, "\n")
	}
	const accept = " --commit bbbbbbbbbbbb --reason 'why it is worth it'"
	for _, tt := range []struct {
		what, name string
		view       View
		change     float64
		dirty      bool
		want       string
	}{
		{"one commit", "Sort/n=10", View{Between: 1}, 1.2, false, "perftrack explain aaaaaaaaaaaa bbbbbbbbbbbb --bench Sort/n=10\nperftrack ci accept Sort/n=10" + accept},
		{"several", "Sort/n=10", View{Between: 7}, 1.2, false, "perftrack explain aaaaaaaaaaaa bbbbbbbbbbbb --bench Sort/n=10\nperftrack bisect-helper auto aaaaaaaaaaaa..bbbbbbbbbbbb --bench Sort/n=10\nperftrack ci accept Sort/n=10" + accept},
		{"a shell's words", "Sort/it's $(rm)", View{}, 1.2, false, `perftrack explain aaaaaaaaaaaa bbbbbbbbbbbb --bench 'Sort/it'\''s $(rm)'` + "\n" + `perftrack ci accept 'Sort/it'\''s $(rm)'` + accept},
		{"what no line can hold", "Sort/\x1b[2J", View{}, 1.2, false, ""},
		{"a work tree", "Sort", View{}, 1.2, true, "perftrack explain aaaaaaaaaaaa HEAD --bench Sort"},
		{"another program", "Sort", View{Opaque: []string{""}}, 1.2, false, "perftrack ci accept Sort" + accept},
		{"nothing", "Sort", View{}, 1, false, ""},
	} {
		if got := next(tt.name, tt.view, tt.change, tt.dirty); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.what, got, tt.want)
		}
	}
	for _, tt := range []struct {
		status record.Status
		want   string
	}{
		{record.Complete, " --budget 45s: to check the benchmarks that did not fit the budget"},
		{record.Partial, ": to continue after the interruption"},
	} {
		text := runtest.Vary(4, "Sort", 1, 100.0, "ns/op")
		b, h := reporttest.Trial(reporttest.Side("main", "a", runtest.Read(t, text)), reporttest.Side("x", "b", runtest.Read(t, text)))
		for _, r := range []*record.Run{b.Runs[0], h.Runs[0]} {
			r.Status, r.Protocol.Procedure = tt.status, pairs.ProcedureCheck
			r.Protocol.Pace = &record.Pace{Setup: 10 * time.Second, Round: 4 * time.Second}
		}
		steps := View{}.next(compare.Compare(b, h, compare.Options{}))
		want := "perftrack check --base aaaaaaaaaaaa --head bbbbbbbbbbbb" + tt.want
		if len(steps) != 1 || steps[0].Command+": "+steps[0].Does != want {
			t.Errorf("%s: got %v, want %s", tt.status, steps, want)
		}
	}
	c := compare.Compare(compare.Side{}, compare.Side{}, compare.Options{})
	c.Same = []compare.SameCode{{Benchmarks: 3}}
	if got, tone := census(c); got != "ok, nothing got slower: both sides have the same machine code: nothing to measure (3 benchmarks)" || tone != reports.Good {
		t.Errorf("%q, %v", got, tone)
	}
	// No machine code of a program was compared.
	c.Same = append(c.Same, compare.SameCode{Target: "scripts", Package: "scripts", Benchmarks: 1})
	if got, tone := census(c); got != "ok, nothing got slower: nothing that the benchmarks depend on has changed: nothing to measure (4 benchmarks)" || tone != reports.Good {
		t.Errorf("%q, %v", got, tone)
	}
	if left := LeftOuts(c); len(left) != 1 || left[0].Title != "not measured: nothing that the benchmarks depend on has changed" || left[0].Items[1].Detail != "scripts" {
		t.Errorf("%+v", left)
	}
}

// The command that continues a trial measures the original selection, or only the benchmarks that
// more rounds can decide.
func TestAgain(t *testing.T) {
	again := func(view View, noisy string, note func(*record.Run)) string {
		text := func(f float64) string {
			return runtest.Vary(10, "Open/n=1", 5, 1000*f, "ns/op") + runtest.Vary(10, "Noisy", 5, 100.0*f, "ns/op")
		}
		b, h := reporttest.Trial(reporttest.Side("main", "a", runtest.Read(t, text(1))), reporttest.Side("x", "b", runtest.Read(t, text(1.01))))
		for _, r := range append(b.Runs[:1:1], h.Runs...) {
			r.Target, r.Trial = "lib", "t1"
			r.Protocol.Pace = &record.Pace{Setup: 10 * time.Second, Round: time.Second}
			r.Protocol.Procedure = pairs.ProcedureCheck
			note(r)
		}
		c := compare.Compare(b, h, compare.Options{})
		for r := range c.Rows() {
			r.Verdict, r.Rounds, r.Need = compare.Inconclusive, 10, 20
			if r.Name == noisy {
				r.Need, r.Reason, r.Bound = 0, "too noisy: even a thousand rounds would not decide it", 0.3
			}
		}
		var lines []string
		for _, s := range view.next(c) {
			lines = append(lines, s.Command)
		}
		return strings.Join(lines, "\n")
	}
	selects := func(s record.Selection) func(*record.Run) {
		return func(r *record.Run) { r.Protocol.Selection = &s }
	}
	all := selects(record.Selection{})
	const check, commits = "perftrack check", " --base aaaaaaaaaaaa --head bbbbbbbbbbbb"
	for _, tt := range []struct {
		what, noisy string
		view        View
		note        func(*record.Run)
		want        string
	}{
		{"all", "", View{}, all, check + commits + " --budget 25s"},
		{"what is selected", "", View{}, selects(record.Selection{Suite: "s", Bench: "Open|No it's"}), check + commits + ` --suite s --bench 'Open|No it'\''s' --budget 25s`},
		{"a hostile selection", "", View{}, selects(record.Selection{Bench: "\x1b[2J"}), ""},
		{"packages", "", View{Targets: []string{"lib", "cmd"}}, selects(record.Selection{Packages: []string{"./a"}}), check + " ./a" + commits + " --budget 25s"},
		{"one target of two", "", View{Targets: []string{"lib", "cmd"}}, all, check + " lib" + commits + " --budget 25s"},
		{"the only target", "", View{Targets: []string{"lib"}}, all, check + commits + " --budget 25s"},
		{"at several GOMAXPROCS", "", View{}, func(r *record.Run) { r.Facts = r.Facts.Set(record.KeyProcs, "1,2") }, check + commits + " --procs 1,2 --budget 25s"},
		{"isolated", "", View{}, func(r *record.Run) { r.Facts = r.Facts.Set(record.KeyIsolated, "bubblewrap") }, check + commits + " --isolate --budget 25s"},
		{"a part", "", View{}, func(r *record.Run) { r.Protocol.Part = &record.Part{N: 2, Of: 4} }, check + commits + " --shard 2/4 --budget 25s"},
		{"flags of the check", "", View{Flags: []string{"--pairs fresh"}}, all, check + commits + " --pairs fresh --budget 25s"},
		{"noise beside it", "Noisy", View{}, selects(record.Selection{Bench: "."}), check + commits + ` --bench '^BenchmarkOpen$/^n=1$' --budget 25s` +
			"\nperftrack doctor"},
		{"noise of a machine that was busy", "Noisy", View{}, func(r *record.Run) {
			selects(record.Selection{Bench: "."})(r)
			r.Facts, r.Env = r.Facts.Set(record.KeyLoad, "9"), r.Env.Set(record.KeyCPUCount, "4")
		}, check + commits + ` --bench '^BenchmarkOpen$/^n=1$' --budget 25s` + "\nperftrack doctor\n" + check + commits + " --bench . --new-trial"},
	} {
		if got := again(tt.view, tt.noisy, tt.note); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.what, got, tt.want)
		}
	}
}
