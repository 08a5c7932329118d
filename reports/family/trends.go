package family

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// trends reports how the values changed over time and what to measure next.
func trends(v *view) reports.Report {
	r := reports.Report{Facts: v.facts()}
	all := v.courses
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
	r.Tables = append(r.Tables, v.courseTables(all)...)
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
	for _, f := range foundSteps(v.courses) {
		s := f.step
		change := shiftCell(f.Tidied, s.Shift)
		if s.InForce {
			change.Tone = reports.Bad
		}
		t.Rows = append(t.Rows, []reports.Cell{
			text(reports.Day(f.when(s.First))), text(reports.BenchmarkName(f.Target, f.BenchmarkID)), text(f.Tidied), number(s.From, f.Tidied), number(s.To, f.Tidied), change, relative(s.Now),
			text(stepWord(s)), text(reports.HashOrDash(s.Last.Commit)), text(reports.HashOrDash(s.First.Commit)), text(strings.Join(f.with, ", ")),
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

// courseTables returns tables with one line for each course. Each environment has tables of its
// own.
func (v *view) courseTables(all []course) (out []reports.Table) {
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j].Target == all[i].Target && all[j].Kind == all[i].Kind && all[j].Package == all[i].Package && all[j].Suite == all[i].Suite {
			j++
		}
		group := slices.Clone(all[i:j])
		slices.SortStableFunc(group, func(a, b course) int { return cmp.Compare(a.Environment, b.Environment) })
		for k := 0; k < len(group); {
			l := k
			for l < len(group) && group[l].Environment == group[k].Environment {
				l++
			}
			out = append(out, v.courseTable(group[k:l]))
			k = l
		}
		i = j
	}
	return out
}

func (v *view) courseTable(group []course) reports.Table {
	first := group[0]
	t := reports.Table{Heading: "All runs of each benchmark", Facts: courseFacts(first), Columns: []reports.Column{
		{Title: "benchmark", Code: true}, {Title: "unit", Code: true}, {Title: "runs", Right: true}, barColumn("oldest to newest"), {Title: "first level", Right: true, Extra: true}, {Title: "newest level", Right: true}, {Title: "change", Right: true},
		{Title: "least", Right: true, Extra: true, Rank: 2}, {Title: "most", Right: true, Extra: true, Rank: 2}, {Title: "noise", Right: true, Extra: true, Rank: 1}, {Title: "state", Wraps: true},
	}}
	if v.Release != nil {
		t.Columns = append(t.Columns, reports.Column{Title: "since the release", Right: true})
		t.Facts = append(t.Facts, reports.Fact{Key: "release", Value: v.Release.Name})
	}
	single, same := 0, 0
	for _, c := range group {
		values := c.values()
		switch counted := c.Tidied == "B/op" || c.Tidied == "allocs/op" || c.Tidied == "B/tok"; {
		case len(values) == 1:
			single++
			continue
		case counted && slices.Min(values) == slices.Max(values):
			same++
			continue
		}
		row := []reports.Cell{
			text(c.Name), text(c.Tidied), {Text: fmt.Sprint(len(values)), Value: len(values)}, spark(values), number(c.oldest(), c.Tidied), number(c.newest(), c.Tidied), c.change(),
			number(slices.Min(values), c.Tidied), number(slices.Max(values), c.Tidied), share(c.Noise()), c.state(),
		}
		if v.Release != nil {
			row = append(row, relative(ratio(c.newest(), c.at(v.Release.Commit))))
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

// courseFacts returns the facts common to all courses in a table.
func courseFacts(c course) []reports.Fact {
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
	add("environment", cmp.Or(environment(c.newestRun().Env), "not known"))
	return facts
}

// ratio returns the relative change from y to x, or NaN if y is not above 0.
func ratio(x, y float64) float64 {
	if !(y > 0) {
		return math.NaN()
	}
	return x/y - 1
}

// trajectory returns a table of the rates of kernels over time. It returns false if no kernel was
// measured at least twice.
func trajectory(v *view, all []course) (reports.Table, bool) {
	t := reports.Table{
		Heading: "GFLOPS trajectory of the kernels",
		Words:   []string{"Operations in the kernel's formula, for one call, divided by the time per call."},
		Columns: []reports.Column{
			{Title: "kernel", Code: true}, {Title: "target", Code: true}, barColumn("oldest to newest"), {Title: "first", Right: true}, {Title: "best", Right: true}, {Title: "newest", Right: true}, {Title: "newest / best", Right: true}, {Title: "runs", Right: true},
		},
	}
	engine := naming.EngineOf(v.Current...)
	for _, c := range all {
		flops, ok := engine.FLOPs(c.Name)
		if c.Tidied != "sec/op" || !ok || !engine.IsKernel(c.Name) || c.Kind == record.Bench && !naming.EngineSuite(c.Suite) {
			continue
		}
		var rates []float64
		for _, x := range c.values() {
			if x > 0 {
				rates = append(rates, flops/x/1e9)
			}
		}
		if len(rates) < 2 { // a single value has no trajectory
			continue
		}
		best, newest := slices.Max(rates), rates[len(rates)-1]
		t.Rows = append(t.Rows, []reports.Cell{
			text(c.Name), text(c.Target), spark(rates), plain(rates[0]), plain(best), plain(newest), share(newest / best), {Text: fmt.Sprint(len(rates)), Value: len(rates)},
		})
	}
	return t, len(t.Rows) > 0
}

// Nobody reads thousands of lines, so only some benchmarks have their runs listed, and only some
// runs of each.
const (
	shownRuns  = 30
	shownLines = 60
)

// runTables lists the time of each benchmark in every run, newest first. If there are too many
// benchmarks, it keeps those with the most steps and outliers.
func runTables(all []course) (out []reports.Table) {
	var times []course
	for _, c := range all {
		if c.Tidied == "sec/op" && len(c.Runs) > 1 {
			times = append(times, c)
		}
	}
	left := 0
	if len(times) > shownLines {
		slices.SortStableFunc(times, func(a, b course) int { return cmp.Compare(len(b.Steps)+len(b.Outliers), len(a.Steps)+len(a.Outliers)) })
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

func runTable(c course) reports.Table {
	t := reports.Table{
		Facts:   []reports.Fact{{Key: "benchmark", Value: reports.BenchmarkName(c.Target, c.BenchmarkID)}},
		Columns: []reports.Column{{Title: "date"}, {Title: "commit", Code: true}, {Title: c.Tidied, Unit: true, Right: true}, barColumn("to scale"), {Title: "from the commit before", Right: true}, {Title: "mark", Wraps: true}},
	}
	if env := environment(c.newestRun().Env); env != "" {
		t.Facts = append(t.Facts, reports.Fact{Key: "environment", Value: env})
	}
	most := slices.Max(c.values())
	for i := len(c.Runs) - 1; i >= 0 && len(t.Rows) < shownRuns; i-- {
		p, before := c.Runs[i], reports.Cell{}
		if i == len(c.Runs)-1 || !c.together(i, i+1) { // shown once per commit
			before = relative(c.fromBefore(i))
		}
		t.Rows = append(t.Rows, []reports.Cell{
			text(reports.Day(c.when(p))), text(reports.HashOrDash(p.Commit)), number(p.Value, c.Tidied), bar(p.Value / most), before, c.mark(p),
		})
	}
	if n := len(c.Runs) - len(t.Rows); n > 0 {
		t.Caption = reports.Plural(n, "older run") + " left out"
	}
	return t
}

// together reports whether the adjacent runs a and b measured the same commit.
func (c course) together(a, b int) bool {
	return c.Runs[a].Commit != "" && c.Runs[a].Commit == c.Runs[b].Commit
}

// fromBefore returns the relative change from the previous commit's median to this commit's, or NaN
// if there is no previous commit. last is the index of the commit's last run. fromBefore uses
// medians because the runs of one commit differ by noise.
func (c course) fromBefore(last int) float64 {
	middle := func(last int) (float64, int) {
		first := last
		for first > 0 && c.together(first-1, last) {
			first--
		}
		var values []float64
		for _, p := range c.Runs[first : last+1] {
			values = append(values, p.Value)
		}
		return median(values), first
	}
	now, first := middle(last)
	if first == 0 {
		return math.NaN()
	}
	old, _ := middle(first - 1)
	return ratio(now, old)
}

// mark returns a cell for the step or the outlier at a run, if there is one.
func (c course) mark(p steps.Point) reports.Cell {
	for _, s := range c.Steps {
		if s.First.Run != p.Run {
			continue
		}
		word := "step "
		if s.Drift > 0 {
			word = "end of a drift "
		}
		cell := text(word + shiftCell(c.Tidied, s.Shift).Text)
		if s.InForce {
			cell.Tone, cell.Text = reports.Bad, cell.Text+", in force"
		}
		return cell
	}
	for _, o := range c.Outliers {
		if o.Run == p.Run && o.Open {
			return reports.Cell{Text: reports.NewestOff, Tone: reports.Warn}
		} else if o.Run == p.Run {
			return text("outlier")
		}
	}
	return reports.Cell{}
}
