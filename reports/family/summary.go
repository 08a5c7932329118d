package family

import (
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// summary is what a lead needs: how things stand, what takes the time, what is to be done.
func summary(v *view) reports.Report {
	r := reports.Report{Facts: v.facts()}
	r.Summary, r.Tone = v.verdict()
	if totals := v.totals(); len(totals.Rows) > 0 {
		r.Tables = append(r.Tables, totals)
	}
	if limits, ok := v.limitTable(); ok {
		r.Tables = append(r.Tables, limits)
	}
	r.Tables = append(r.Tables, v.glance())
	actions := v.actionTable("Actions, the most urgent first", func(rule) bool { return true })
	if len(actions.Rows) == 0 {
		actions.Columns, actions.Words = nil, []string{"No rule finds anything to do. perftrack help reports the-rules-of-the-actions lists the rules."}
	}
	r.Tables = append(r.Tables, actions)
	if len(v.Runs) > 0 {
		r.Tables = append(r.Tables, v.good())
	}
	r.Tables = append(r.Tables, v.bottleneckTable())
	if v.Compared != nil {
		r.Tables = append(r.Tables, v.causes())
	}
	if len(v.Kept) > 0 {
		r.Tables = append(r.Tables, v.keptTable())
	}
	r.Remarks = append(r.Remarks, v.doubts()...)
	return r
}

// verdict is the state of all in a sentence. It is good only where everything that is asked about is known
// and none of it bad.
func (v *view) verdict() (string, reports.Tone) {
	if len(v.Runs) == 0 {
		return "Nothing was measured yet: nothing is known. perftrack run measures what is here", reports.Warn
	}
	regressions, tone := v.regressionWords()
	parts := []string{regressions}
	if v.Compared != nil {
		s := v.compared()
		parts = append(parts, "newest comparison: "+s.word)
		tone = worse(tone, s.tone)
	} else {
		parts, tone = append(parts, "nothing was compared"), worse(tone, reports.Warn)
	}
	switch n := v.urgent(high); {
	case n > 0:
		parts, tone = append(parts, reports.Plural(n, "action")+" of high severity"), worse(tone, reports.Bad)
	case tone != reports.Good:
		parts = append(parts, "no action of high severity")
	}
	return capitalized(strings.Join(parts, "; ")), tone
}

func capitalized(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// worse is the worse of two tones.
func worse(a, b reports.Tone) reports.Tone {
	for _, t := range []reports.Tone{reports.Bad, reports.Warn, reports.Muted, reports.Plain, reports.Good} {
		if a == t || b == t {
			return t
		}
	}
	return a
}

// regressionWords say whether regressions are in force, as far as that can be known.
func (v *view) regressionWords() (string, reports.Tone) {
	found, inForce := v.inForceWords()
	accepted := ""
	if n := v.accepted(); n > 0 {
		accepted = ", " + reports.Plural(n, "benchmark") + " slower and accepted"
	}
	short, all := v.tooShort()
	few := ""
	if short > 0 {
		few = fmt.Sprintf(" (%d of %d lines have too few runs to tell)", short, all)
	}
	proved, off := v.provedWords(), v.offWords()
	switch {
	case found > 0 && proved != "":
		return inForce + few + ", " + proved, reports.Bad
	case found > 0:
		return inForce + few, reports.Bad
	case proved != "":
		return proved + "; no step in the history shows it yet" + few, reports.Bad
	case all == 0:
		return "no history to find regressions in", reports.Warn
	case short == all:
		return "not known whether a regression is in force: too few runs to tell in " + reports.Plural(all, "line") + accepted, reports.Warn
	case off != "":
		return "no regression in force found, but " + off + accepted + few, reports.Warn
	case short > 0:
		return "no regression in force found" + accepted + few, reports.Warn
	case accepted != "":
		return "no regression in force in " + reports.Plural(all, "line") + accepted, reports.Plain
	}
	return "no regression in force in " + reports.Plural(all, "line"), reports.Good
}

// offWords count the benchmarks whose newest run lies far off its level, "" where there is none.
func (v *view) offWords() string {
	off := map[series]bool{}
	for _, c := range v.courses {
		if c.Stand.State == steps.Off {
			off[series{c.Target, c.BenchmarkID}] = true
		}
	}
	if len(off) == 0 {
		return ""
	}
	return "the newest run of " + reports.Plural(len(off), "benchmark") + " is far off its level"
}

// A series is what counts as one benchmark.
type series struct {
	target string
	record.BenchmarkID
}

// inForceWords count the benchmarks with a regression in force in the history, in any of their units.
func (v *view) inForceWords() (benchmarks int, words string) {
	all := v.regressions()
	found := map[series]bool{}
	for _, r := range all {
		found[series{r.Target, r.BenchmarkID}] = true
	}
	words = reports.Plural(len(found), "benchmark") + " with a regression in force in the history"
	if len(all) > len(found) {
		words += fmt.Sprintf(", %d in all units", len(all))
	}
	return len(found), words
}

// accepted counts the benchmarks that got slower, as a step shows that nothing followed or a check proved
// that was the last, and somebody accepted that: they are slower all the same.
func (v *view) accepted() int {
	found := map[series]bool{}
	for _, c := range v.courses {
		if n := len(c.Steps); n > 0 && c.Steps[n-1].Accepted && c.Steps[n-1].Verdict == compare.Regressed {
			found[series{c.Target, c.BenchmarkID}] = true
		}
	}
	for _, p := range v.Regressions.Proved {
		if row := p.Check.Worst(); row != nil && row.Verdict == compare.Regressed && row.Accepted {
			found[series{p.Target, p.BenchmarkID}] = true
		}
	}
	return len(found)
}

// A bottleneck is a scope with much time of its own.
type bottleneck struct {
	run   *record.Run
	suite string
	name  string
	calls int
	self  float64 // nanoseconds
	share float64 // of all work
}

// shownBottlenecks is how many are named.
const shownBottlenecks = 5

// profiled is the newest profile that tells which scopes lie in which: of several suites the longest.
func (v *view) profiled() (run *record.Run, found *tree.Tree) {
	for _, r := range v.Current {
		for _, t := range v.trees[r] {
			if t.Placed && t.Base() > 0 && (found == nil || t.Total > found.Total) {
				run, found = r, t
			}
		}
		if found != nil {
			return run, found
		}
	}
	return nil, nil
}

// bottlenecks are the scopes with the most time of their own.
func (v *view) bottlenecks() (out []bottleneck) {
	run, t := v.profiled()
	if t == nil {
		return nil
	}
	for _, m := range t.Methods() {
		if m.Self > 0 && len(out) < shownBottlenecks {
			out = append(out, bottleneck{run, t.Suite, m.Name, m.Calls, m.Self, m.Self / t.Base()})
		}
	}
	return out
}

func (v *view) bottleneckTable() reports.Table {
	t := reports.Table{Heading: "Bottlenecks, top five"}
	all := v.bottlenecks()
	if len(all) == 0 {
		t.Words = []string{"Not known: no profile is stored that tells the own time of its scopes. " + v.profileCommand() + " shows where the time goes now."}
		return t
	}
	t.Facts = runFacts(all[0].run, all[0].suite)
	t.Columns = []reports.Column{{Title: "rank", Right: true}, {Title: "scope", Code: true}, {Title: "own time", Right: true}, {Title: "of all work", Right: true}, barColumn("to scale"), {Title: "calls", Right: true}}
	sum := 0.0
	for i, b := range all {
		sum += b.share
		t.Rows = append(t.Rows, []reports.Cell{
			{Text: fmt.Sprint(i + 1), Value: i + 1}, text(b.name), number(b.self/1e9, "sec/op"), share(b.share), bar(b.share), {Text: reports.WithCommas(fmt.Sprint(b.calls)), Value: b.calls},
		})
	}
	t.Caption = fmt.Sprintf("Together %s of the time that was profiled; own time is that without the scopes inside.", reports.Portion(sum))
	return t
}

// doubts are what a reader must know of the current values.
func (v *view) doubts() (notes []reports.Note) {
	for _, run := range v.Current {
		var why []string
		if run.Commit.Dirty {
			why = append(why, "of uncommitted changes")
		}
		if run.Status == record.Partial || run.Status == record.Failed {
			why = append(why, string(run.Status))
		}
		if len(why) > 0 {
			notes = append(notes, reports.Note{Text: "values are of a run that is " + strings.Join(why, " and ") + ", as there is no other", Detail: run.Target + " " + reports.CommitName(run.Commit)})
		}
	}
	single := 0
	for _, r := range v.readings {
		if s := r.get("sec/op"); s.N == 1 {
			single++
		}
	}
	if single > 0 {
		notes = append(notes, reports.Note{Text: fmt.Sprintf("%d of %d values are single samples: how much of them is noise cannot be told", single, len(v.readings))})
	}
	return notes
}
