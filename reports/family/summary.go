package family

import (
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/family/cells"
	"github.com/perftrack/perftrack/runner/record"
)

// summary returns the report for a project lead: the state, what to do, and the largest costs.
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
		actions.Columns, actions.Words = nil, []string{"There is nothing to do. The rules are listed in perftrack help reports the-rules-of-the-actions."}
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

// verdict describes the overall state in one sentence. Its tone is good only if everything is known
// and nothing is bad.
func (v *view) verdict() (string, reports.Tone) {
	if len(v.Runs) == 0 {
		return "Nothing has been measured yet. Measure the benchmarks with perftrack run", reports.Warn
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

// worse returns whichever of two tones is worse.
func worse(a, b reports.Tone) reports.Tone {
	for _, t := range []reports.Tone{reports.Bad, reports.Warn, reports.Muted, reports.Plain, reports.Good} {
		if a == t || b == t {
			return t
		}
	}
	return a
}

// regressionWords describes the unresolved and the proved regressions, as far as they are known,
// and returns the tone.
func (v *view) regressionWords() (string, reports.Tone) {
	found, unresolved := v.unresolvedWords()
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
		return unresolved + few + ", " + proved, reports.Bad
	case found > 0:
		return unresolved + few, reports.Bad
	case proved != "":
		return proved + ", but the history does not show a step yet" + few, reports.Bad
	case all == 0:
		return "there is no history to search for regressions", reports.Warn
	case short == all:
		return "unknown whether there is an unresolved regression: " + reports.Plural(all, "line") + " with too few runs to tell" + accepted, reports.Warn
	case off != "":
		return "no unresolved regression found, but " + off + accepted + few, reports.Warn
	case short > 0:
		return "no unresolved regression found" + accepted + few, reports.Warn
	case accepted != "":
		return "no unresolved regression in " + reports.Plural(all, "line") + accepted, reports.Plain
	}
	return "no unresolved regression in " + reports.Plural(all, "line"), reports.Good
}

// offWords counts the benchmarks whose newest run is far from its level. It returns "" if there are
// none.
func (v *view) offWords() string {
	off := map[series]bool{}
	for _, c := range v.histories {
		if c.Stand.State == steps.Off {
			off[series{c.Target, c.BenchmarkID}] = true
		}
	}
	if len(off) == 0 {
		return ""
	}
	return "the newest run of " + reports.Plural(len(off), "benchmark") + " is far off its level"
}

// A series identifies a benchmark, so that it is counted only once.
type series struct {
	target string
	record.BenchmarkID
}

// unresolvedWords counts the benchmarks with an unresolved regression in the history, in any unit.
func (v *view) unresolvedWords() (benchmarks int, words string) {
	all := v.regressions()
	found := map[series]bool{}
	for _, r := range all {
		found[series{r.Target, r.BenchmarkID}] = true
	}
	words = reports.Plural(len(found), "benchmark") + " with an unresolved regression in the history"
	if len(all) > len(found) {
		words += fmt.Sprintf(", %d counting all units", len(all))
	}
	return len(found), words
}

// accepted returns the number of benchmarks with an accepted regression, according to their newest
// step or a check.
func (v *view) accepted() int {
	found := map[series]bool{}
	for _, c := range v.histories {
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

// A bottleneck is a scope with a large self time.
type bottleneck struct {
	run   *record.Run
	suite string
	name  string
	calls int
	self  float64 // own time in nanoseconds
	share float64 // Share of all work
}

// shownBottlenecks is the maximum number of bottlenecks to list.
const shownBottlenecks = 5

// profiled returns the newest profile with nested scopes and its run. If the run has several such
// profiles, profiled returns the one with the longest total time. It returns nil if there is none.
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

// bottlenecks returns the scopes with the largest self times, largest first.
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
		t.Words = []string{"Unknown, because no stored profile has own times." + v.profileWords("to find out where the time goes.")}
		return t
	}
	t.Facts = cells.RunFacts(all[0].run, all[0].suite)
	t.Columns = []reports.Column{{Title: "rank", Right: true}, {Title: "scope", Code: true}, {Title: "own time", Right: true}, {Title: "of all work", Right: true}, cells.BarColumn("to scale"), {Title: "calls", Right: true}}
	sum := 0.0
	for i, b := range all {
		sum += b.share
		t.Rows = append(t.Rows, []reports.Cell{
			{Text: fmt.Sprint(i + 1), Value: i + 1}, cells.Text(b.name), cells.Number(b.self/1e9, "sec/op"), cells.Share(b.share), cells.Bar(b.share), {Text: reports.WithCommas(fmt.Sprint(b.calls)), Value: b.calls},
		})
	}
	t.Caption = fmt.Sprintf("Together %s of the profiled time; own time excludes the scopes inside.", reports.Portion(sum))
	return t
}

// doubts returns caveats about the current values.
func (v *view) doubts() (notes []reports.Note) {
	for _, run := range v.Current {
		var why []string
		if run.Commit.Dirty {
			why = append(why, "was measured with uncommitted changes")
		}
		if run.Status == record.Partial || run.Status == record.Failed {
			why = append(why, "is "+string(run.Status))
		}
		if len(why) > 0 {
			notes = append(notes, reports.Note{Text: "the values come from a run that " + strings.Join(why, " and ") + ", because there is no other", Detail: run.Target + " " + reports.CommitName(run.Commit)})
		}
	}
	single := 0
	for _, r := range v.readings {
		if s := r.get("sec/op"); s.N == 1 {
			single++
		}
	}
	if single > 0 {
		notes = append(notes, reports.Note{Text: fmt.Sprintf("%d of %d values are single samples, so their noise is unknown", single, len(v.readings))})
	}
	return notes
}
