package family

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/family/cells"
	"github.com/perftrack/perftrack/reports/family/histories"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// trends reports how the values changed over time and what to measure next.
func trends(v *view) reports.Report {
	r := reports.Report{Facts: v.facts()}
	all := v.histories
	if len(all) == 0 {
		r.Summary, r.Tone = "No history yet: runs of at least two commits are needed", reports.Warn
		switch {
		case v.Depth == 1:
			r.Remarks = append(r.Remarks, reports.Note{Text: "there is only one commit: measure it and each new commit", Detail: "perftrack run"})
		case v.Depth > 1:
			r.Remarks = append(r.Remarks, reports.Note{Text: "to measure commits without a run", Detail: fmt.Sprintf("perftrack backfill HEAD~%d..HEAD", min(10, v.Depth-1))})
		}
		return r
	}
	state, tone := v.regressionWords()
	r.Summary, r.Tone = state, tone
	r.Tables = append(r.Tables, v.stepTable(), v.nextTable())
	r.Tables = append(r.Tables, v.historyTables(all)...)
	if t, ok := trajectory(v, all); ok {
		r.Tables = append(r.Tables, t)
	}
	r.Tables = append(r.Tables, runTables(all)...)
	if v.Regressions.Hidden > 0 {
		r.Remarks = append(r.Remarks, reports.Note{Text: reports.Plural(v.Regressions.Hidden, "run") + " left out of the history: partial, failed or measured with uncommitted changes"})
	}
	r.Remarks = append(r.Remarks, reports.Note{Text: "the runs in a history are unpaired, so a step is a reason to measure both of its sides together, not a proof"})
	return r
}

// stepTable lists all steps, newest first.
func (v *view) stepTable() reports.Table {
	t := reports.Table{Heading: "Steps and drifts, the newest first", Columns: []reports.Column{
		{Title: "date"}, {Title: "benchmark", Code: true}, {Title: "unit", Code: true}, {Title: "from", Right: true, Extra: true, Rank: 2}, {Title: "to", Right: true, Extra: true, Rank: 2}, {Title: "change", Right: true, Brief: "intervals of change"}, {Title: "now", Right: true, Extra: true, Rank: 1},
		{Title: "state", Wraps: true}, {Title: "after commit", Code: true}, {Title: "up to commit", Code: true}, {Title: "shows in", Code: true, Extra: true, Rank: 3},
	}}
	for _, f := range histories.Steps(v.histories) {
		s := f.Step
		change := cells.Shift(f.Tidied, s.Shift)
		if s.Unresolved {
			change.Tone = reports.Bad
		}
		t.Rows = append(t.Rows, []reports.Cell{
			cells.Text(reports.Day(f.When(s.First))), cells.Text(reports.BenchmarkName(f.Target, f.BenchmarkID)), cells.Text(f.Tidied), cells.Number(s.From, f.Tidied), cells.Number(s.To, f.Tidied), change, cells.Relative(s.Now),
			cells.Text(histories.StepWord(s)), cells.Text(reports.HashOrDash(s.Last.Commit)), cells.Text(reports.HashOrDash(s.First.Commit)), cells.Text(strings.Join(f.With, ", ")),
		})
	}
	if len(t.Rows) == 0 {
		t.Columns = nil
		t.Words = append(t.Words, "No step was found.")
	}
	if short, all := v.tooShort(); short > 0 {
		t.Words = append(t.Words, fmt.Sprintf("%d of %d lines have too few runs to find one.", short, all))
	}
	return t.WithoutEmpty(10)
}

// historyTables returns tables with one line for each history. Each environment has its own tables.
func (v *view) historyTables(all []histories.History) (out []reports.Table) {
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j].Target == all[i].Target && all[j].Kind == all[i].Kind && all[j].Package == all[i].Package && all[j].Suite == all[i].Suite {
			j++
		}
		group := slices.Clone(all[i:j])
		slices.SortStableFunc(group, func(a, b histories.History) int { return cmp.Compare(a.Environment, b.Environment) })
		for k := 0; k < len(group); {
			l := k
			for l < len(group) && group[l].Environment == group[k].Environment {
				l++
			}
			out = append(out, v.historyTable(group[k:l]))
			k = l
		}
		i = j
	}
	return out
}

func (v *view) historyTable(group []histories.History) reports.Table {
	first := group[0]
	t := reports.Table{Heading: "All runs of each benchmark", Facts: historyFacts(first), Columns: []reports.Column{
		{Title: "benchmark", Code: true}, {Title: "unit", Code: true}, {Title: "runs", Right: true}, cells.BarColumn("oldest to newest"), {Title: "first level", Right: true, Extra: true}, {Title: "newest level", Right: true}, {Title: "change", Right: true},
		{Title: "least", Right: true, Extra: true, Rank: 2}, {Title: "most", Right: true, Extra: true, Rank: 2}, {Title: "noise", Right: true, Extra: true, Rank: 1}, {Title: "state", Wraps: true},
	}}
	if v.Release != nil {
		t.Columns = append(t.Columns, reports.Column{Title: "since the release", Right: true})
		t.Facts = append(t.Facts, reports.Fact{Key: "release", Value: v.Release.Name})
	}
	single, same := 0, 0
	for _, c := range group {
		values := c.Values()
		switch counted := c.Tidied == "B/op" || c.Tidied == "allocs/op" || c.Tidied == "B/tok"; {
		case len(values) == 1:
			single++
			continue
		case counted && slices.Min(values) == slices.Max(values):
			same++
			continue
		}
		row := []reports.Cell{
			cells.Text(c.Name), cells.Text(c.Tidied), {Text: fmt.Sprint(len(values)), Value: len(values)}, cells.Spark(values), cells.Number(c.Oldest(), c.Tidied), cells.Number(c.Newest(), c.Tidied), c.Change(),
			cells.Number(slices.Min(values), c.Tidied), cells.Number(slices.Max(values), c.Tidied), cells.Share(c.Noise()), c.State(),
		}
		if v.Release != nil {
			row = append(row, cells.Relative(histories.Ratio(c.Newest(), c.At(v.Release.Commit))))
		}
		t.Rows = append(t.Rows, row)
	}
	var left []string
	if single > 0 {
		left = append(left, reports.Plural(single, "line")+" with a single run")
	}
	if same > 0 {
		left = append(left, reports.Plural(same, "line")+" of allocations that never changed")
	}
	if len(left) > 0 {
		t.Caption = "Left out: " + strings.Join(left, ", ") + "."
	}
	if len(t.Rows) == 0 {
		t.Columns = nil
		return t
	}
	return t.WithoutEmpty(9)
}

// historyFacts returns the facts common to all histories in a table.
func historyFacts(c histories.History) []reports.Fact {
	facts := []reports.Fact{{Key: "target", Value: c.Target}}
	add := func(key, value string) {
		if value != "" {
			facts = append(facts, reports.Fact{Key: key, Value: value})
		}
	}
	add("suite", c.Suite)
	add("package", c.Package)
	if c.Kind == record.Scope {
		add("rows", "scopes in profiles")
	}
	add("branch", c.Branch)
	add("environment", cmp.Or(cells.Environment(c.NewestRun().Env), "not known"))
	return facts
}

// trajectory returns a table that shows how the rates of kernels changed over time. It returns
// false if no kernel was measured at least twice.
func trajectory(v *view, all []histories.History) (reports.Table, bool) {
	t := reports.Table{
		Heading: "GFLOPS trajectory of the kernels",
		Words:   []string{"Operations in the kernel's formula, for one call, divided by the time per call."},
		Columns: []reports.Column{
			{Title: "kernel", Code: true}, {Title: "target", Code: true}, cells.BarColumn("oldest to newest"), {Title: "first", Right: true}, {Title: "best", Right: true}, {Title: "newest", Right: true}, {Title: "newest / best", Right: true}, {Title: "runs", Right: true},
		},
	}
	engine := naming.EngineOf(v.Current...)
	for _, c := range all {
		flops, ok := engine.FLOPs(c.Name)
		if c.Tidied != "sec/op" || !ok || !engine.IsKernel(c.Name) || c.Kind == record.Bench && !naming.EngineSuite(c.Suite) {
			continue
		}
		var rates []float64
		for _, x := range c.Values() {
			if x > 0 {
				rates = append(rates, flops/x/1e9)
			}
		}
		if len(rates) < 2 { // a single value has no trajectory
			continue
		}
		best, newest := slices.Max(rates), rates[len(rates)-1]
		t.Rows = append(t.Rows, []reports.Cell{
			cells.Text(c.Name), cells.Text(c.Target), cells.Spark(rates), plain(rates[0]), plain(best), plain(newest), cells.Share(newest / best), {Text: fmt.Sprint(len(rates)), Value: len(rates)},
		})
	}
	return t, len(t.Rows) > 0
}

// These constants limit the number of runs listed for a benchmark and the number of benchmarks with
// listed runs.
const (
	shownRuns  = 30
	shownLines = 60
)

// runTables lists the time of each benchmark in every run, newest first. If there are too many
// benchmarks, it keeps the benchmarks with the most steps and outliers.
func runTables(all []histories.History) (out []reports.Table) {
	var times []histories.History
	for _, c := range all {
		if c.Tidied == "sec/op" && len(c.Runs) > 1 {
			times = append(times, c)
		}
	}
	left := 0
	if len(times) > shownLines {
		slices.SortStableFunc(times, func(a, b histories.History) int {
			return cmp.Compare(len(b.Steps)+len(b.Outliers), len(a.Steps)+len(a.Outliers))
		})
		left, times = len(times)-shownLines, times[:shownLines]
	}
	for i, c := range times {
		t := runTable(c)
		if i == 0 {
			t.Heading = "Every run"
			if left > 0 {
				t.Words = []string{fmt.Sprintf("Only the %d benchmarks with the most steps and outliers; for the other %d, see perftrack history NAME.", len(times), left)}
			}
		}
		out = append(out, t)
	}
	return out
}

func runTable(c histories.History) reports.Table {
	t := reports.Table{
		Facts:   []reports.Fact{{Key: "benchmark", Value: reports.BenchmarkName(c.Target, c.BenchmarkID)}},
		Columns: []reports.Column{{Title: "date"}, {Title: "commit", Code: true}, {Title: c.Tidied, Unit: true, Right: true}, cells.BarColumn("to scale"), {Title: "from the commit before", Right: true}, {Title: "mark", Wraps: true}},
	}
	if env := cells.Environment(c.NewestRun().Env); env != "" {
		t.Facts = append(t.Facts, reports.Fact{Key: "environment", Value: env})
	}
	most := slices.Max(c.Values())
	for i := len(c.Runs) - 1; i >= 0 && len(t.Rows) < shownRuns; i-- {
		p, before := c.Runs[i], reports.Cell{}
		if i == len(c.Runs)-1 || !c.SameCommit(i, i+1) { // shown once per commit
			before = cells.Relative(c.FromBefore(i))
		}
		t.Rows = append(t.Rows, []reports.Cell{
			cells.Text(reports.Day(c.When(p))), cells.Text(reports.HashOrDash(p.Commit)), cells.Number(p.Value, c.Tidied), cells.Bar(p.Value / most), before, c.Mark(p),
		})
	}
	if n := len(c.Runs) - len(t.Rows); n > 0 {
		t.Caption = reports.Plural(n, "older run") + " left out"
	}
	return t
}
