package family

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// A course is one unit of a benchmark in one environment over the commits.
type course struct {
	steps.Series
	steps.UnitLine
	runs map[string]*record.RunInfo // by id
}

// courses are those of all series, of the units that say something by themselves.
func courses(subject *Subject) (out []course) {
	runs := make(map[string]*record.RunInfo, len(subject.Runs))
	for i := range subject.Runs {
		runs[subject.Runs[i].ID] = &subject.Runs[i]
	}
	for _, s := range subject.Series {
		for _, l := range s.Lines {
			if len(l.Runs) == 0 || s.Kind == record.Scope && l.Tidied != "sec/op" && l.Tidied != "B/op" {
				continue
			}
			out = append(out, course{Series: s, UnitLine: l, runs: runs})
		}
	}
	return out
}

// when is the time of a run's commit.
func (c course) when(p steps.Point) time.Time {
	if r := c.runs[p.Run]; r != nil {
		return whenOf(*r)
	}
	return time.Time{}
}

// newestRun is that of the newest point, an empty one where it is not known.
func (c course) newestRun() *record.RunInfo {
	if r := c.runs[c.Runs[len(c.Runs)-1].Run]; r != nil {
		return r
	}
	return &record.RunInfo{}
}

func whenOf(r record.RunInfo) time.Time { return when(&r.Run) }

func (c course) values() (out []float64) {
	for _, p := range c.Runs {
		out = append(out, p.Value)
	}
	return out
}

// newest is the center of the newest level, or the newest value where there is none.
func (c course) newest() float64 {
	if n := len(c.Levels); n > 0 && c.Levels[n-1].End == len(c.Runs) {
		return c.Levels[n-1].Center
	}
	return c.Runs[len(c.Runs)-1].Value
}

// oldest is that of the oldest one.
func (c course) oldest() float64 {
	if len(c.Levels) > 0 && c.Levels[0].First == 0 {
		return c.Levels[0].Center
	}
	return c.Runs[0].Value
}

// change is that from the oldest level to the newest, empty where too few runs tell of it.
func (c course) change() reports.Cell {
	if !c.Enough {
		return reports.Cell{}
	}
	return relative(ratio(c.newest(), c.oldest()))
}

// fewForNoise is the least number of runs of a level that say how much it scatters.
const fewForNoise = 4

// noise is by how much runs scatter within the newest level: the median absolute deviation,
// scaled as a standard deviation, over the center.
func (c course) noise() float64 {
	n := len(c.Levels)
	if n == 0 || c.Levels[n-1].End-c.Levels[n-1].First < fewForNoise || !(c.Levels[n-1].Center > 0) {
		return math.NaN()
	}
	level := c.Levels[n-1]
	var off []float64
	for _, p := range c.Runs[level.First:level.End] {
		off = append(off, math.Abs(p.Value-level.Center))
	}
	return 1.4826 * median(off) / level.Center
}

// state says in a word how a course stands.
func (c course) state() reports.Cell {
	last := steps.Step{}
	for _, s := range c.Steps {
		if s.InForce {
			word := "regression in force"
			if s.Drift > 0 {
				word = "drift for the worse"
			}
			return reports.Cell{Text: word, Tone: reports.Bad}
		}
		last = s
	}
	switch n := len(c.Outliers); {
	case n > 0 && c.Outliers[n-1].Open:
		return reports.Cell{Text: "newest run is off", Tone: reports.Warn}
	case !c.Enough:
		return reports.Cell{Text: "too few runs to tell", Tone: reports.Warn}
	case last.Accepted:
		return text("accepted")
	case last.Verdict == compare.Improved:
		return reports.Cell{Text: "improved", Tone: reports.Good}
	case last.Verdict == compare.Regressed:
		return text("recovered")
	case last.Verdict == compare.Changed:
		return text("changed")
	}
	return text("no step")
}

// better is the direction of the unit: -1 where less is better, +1 where more is, 0 where nobody
// said. A time, and what is allocated, is better the less it is.
func (c course) better() int {
	for _, u := range c.newestRun().Units {
		if u.Name == c.Unit && u.Better != 0 {
			return u.Better
		}
	}
	return directionOf(c.Tidied)
}

// directionOf is the direction of a unit that nobody declared.
func directionOf(unit string) int {
	switch unit {
	case "GFLOPS", "tok/s", "B/s", "samples/s":
		return 1
	case "sec/op", "B/op", "allocs/op":
		return -1
	}
	return 0
}

// at is the value at a commit, NaN where it was not measured.
func (c course) at(commit string) float64 {
	var at []float64
	for _, p := range c.Runs {
		if p.Commit == commit {
			at = append(at, p.Value)
		}
	}
	return median(at)
}

// trends say since when it has been so, and what to measure next.
func trends(v *view) reports.Report {
	r := reports.Report{Facts: v.facts()}
	all := v.courses
	if len(all) == 0 {
		r.Summary, r.Tone = "No history yet: runs of at least two commits are needed", reports.Warn
		if v.Depth > 1 {
			r.Remarks = append(r.Remarks, reports.Note{Text: "measures commits that were not", Detail: fmt.Sprintf("perftrack backfill HEAD~%d..HEAD", min(10, v.Depth-1))})
		}
		return r
	}
	state, tone := v.regressionWords()
	r.Summary, r.Tone = state, tone
	r.Tables = append(r.Tables, stepTable(all), v.nextTable())
	r.Tables = append(r.Tables, v.courseTables(all)...)
	if t, ok := trajectory(v, all); ok {
		r.Tables = append(r.Tables, t)
	}
	r.Tables = append(r.Tables, runTables(all)...)
	if v.Regressions.Hidden > 0 {
		r.Remarks = append(r.Remarks, reports.Note{Text: reports.Plural(v.Regressions.Hidden, "run") + " left out of the history: partial, failed or of uncommitted changes"})
	}
	r.Remarks = append(r.Remarks, reports.Note{Text: "runs of a history were measured apart: a step is a reason to measure both of its sides together, not a proof"})
	return r
}

// A found step is one of a course, and the rows around it that show it, too.
type foundStep struct {
	course
	step steps.Step
	with []string
}

// foundSteps are all steps, the newest first. One of rows that lie in each other is that of the
// innermost.
func foundSteps(all []course) (out []foundStep) {
	type key struct {
		target, environment, unit, suite, pkg, last, first string
		kind                                               record.Kind
	}
	keyOf := func(c course, s steps.Step) key {
		return key{c.Target, c.Environment, c.Unit, c.Suite, c.Package, s.Last.Run, s.First.Run, c.Kind}
	}
	groups := map[key][]string{}
	for _, c := range all {
		for _, s := range c.Steps {
			groups[keyOf(c, s)] = append(groups[keyOf(c, s)], c.Name)
		}
	}
	for _, c := range all {
		for _, s := range c.Steps {
			around := naming.Nesting(c.Kind, groups[keyOf(c, s)])
			if !containsOthers(around, c.Name) {
				out = append(out, foundStep{c, s, outside(around, c.Name)})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b foundStep) int { return b.when(b.step.First).Compare(a.when(a.step.First)) })
	return out
}

// containsOthers reports whether another row lies in the named one.
func containsOthers(around map[string][]string, name string) bool {
	for _, parents := range around {
		if slices.Contains(parents, name) {
			return true
		}
	}
	return false
}

// stepWord says what became of a step.
func stepWord(s steps.Step) string {
	word := "step"
	switch {
	case s.InForce:
		word = "in force"
	case s.Accepted:
		word = "accepted"
	case s.Verdict == compare.Regressed:
		word = "no longer in force"
	case s.Verdict == compare.Improved:
		word = "improved"
	}
	if s.Drift > 0 {
		word += ", drift over " + reports.Plural(s.Drift, "run")
	}
	return word
}

// stepTable lists all steps, the newest first.
func stepTable(all []course) reports.Table {
	t := reports.Table{Heading: "Steps and drifts, the newest first", Columns: []reports.Column{
		{Title: "date"}, {Title: "benchmark", Code: true}, {Title: "unit", Code: true}, {Title: "from", Right: true}, {Title: "to", Right: true}, {Title: "change", Right: true}, {Title: "now", Right: true},
		{Title: "state"}, {Title: "after commit", Code: true}, {Title: "up to commit", Code: true}, {Title: "shows in", Code: true},
	}}
	short := 0
	for _, c := range all {
		if !c.Enough {
			short++
		}
	}
	for _, f := range foundSteps(all) {
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
	if short > 0 {
		t.Words = append(t.Words, fmt.Sprintf("%d of %d lines have too few runs for one to be found.", short, len(all)))
	}
	return t.WithoutEmpty(10)
}

// courseTables have a line for each course, an environment after the other.
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
		{Title: "benchmark", Code: true}, {Title: "unit", Code: true}, {Title: "runs", Right: true}, barColumn("oldest to newest"), {Title: "first level", Right: true}, {Title: "newest level", Right: true}, {Title: "change", Right: true},
		{Title: "least", Right: true}, {Title: "most", Right: true}, {Title: "noise", Right: true}, {Title: "state"},
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
			number(slices.Min(values), c.Tidied), number(slices.Max(values), c.Tidied), share(c.noise()), c.state(),
		}
		if v.Release != nil {
			row = append(row, relative(ratio(c.newest(), c.at(v.Release.Commit))))
		}
		t.Rows = append(t.Rows, row)
	}
	var left []string
	if single > 0 {
		left = append(left, reports.Plural(single, "line")+" of a single run")
	}
	if same > 0 {
		left = append(left, reports.Plural(same, "line")+" of allocations that are the same in every run")
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

// courseFacts say whose courses these are.
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
		add("rows", "scopes of profiles")
	}
	add("branch", c.Branch)
	add("environment", cmp.Or(environment(c.newestRun().Env), "not known"))
	return facts
}

// ratio is how far x lies above y, as a fraction.
func ratio(x, y float64) float64 {
	if !(y > 0) {
		return math.NaN()
	}
	return x/y - 1
}

// trajectory is how the rates of kernels went.
func trajectory(v *view, all []course) (reports.Table, bool) {
	t := reports.Table{
		Heading: "GFLOPS trajectory of the kernels",
		Words:   []string{"Operations by the formula of the kernel, one call of it, over the time of a call."},
		Columns: []reports.Column{
			{Title: "kernel", Code: true}, {Title: "target", Code: true}, barColumn("oldest to newest"), {Title: "first", Right: true}, {Title: "best", Right: true}, {Title: "newest", Right: true}, {Title: "newest of the best", Right: true}, {Title: "runs", Right: true},
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
		if len(rates) < 2 { // no trajectory
			continue
		}
		best, newest := slices.Max(rates), rates[len(rates)-1]
		t.Rows = append(t.Rows, []reports.Cell{
			text(c.Name), text(c.Target), spark(rates), plain(rates[0]), plain(best), plain(newest), share(newest / best), {Text: fmt.Sprint(len(rates)), Value: len(rates)},
		})
	}
	return t, len(t.Rows) > 0
}

// How much of every run is listed: a table of thousands of lines is read by nobody.
const (
	shownRuns  = 30
	shownLines = 60
)

// runTables list every run of each benchmark's time, the newest first; of many benchmarks those that
// have a step.
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
				t.Words = []string{fmt.Sprintf("Of the %d benchmarks with the most steps and outliers; %d more are in perftrack history NAME.", len(times), left)}
			}
		}
		out = append(out, t)
	}
	return out
}

func runTable(c course) reports.Table {
	t := reports.Table{
		Facts:   []reports.Fact{{Key: "benchmark", Value: reports.BenchmarkName(c.Target, c.BenchmarkID)}},
		Columns: []reports.Column{{Title: "date"}, {Title: "commit", Code: true}, {Title: c.Tidied, Unit: true, Right: true}, barColumn("to scale"), {Title: "from the run before", Right: true}, {Title: "mark"}},
	}
	if env := environment(c.newestRun().Env); env != "" {
		t.Facts = append(t.Facts, reports.Fact{Key: "environment", Value: env})
	}
	most := slices.Max(c.values())
	for i := len(c.Runs) - 1; i >= 0 && len(t.Rows) < shownRuns; i-- {
		p, before := c.Runs[i], reports.Cell{}
		if i > 0 {
			before = relative(ratio(p.Value, c.Runs[i-1].Value))
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

// mark says what is special of a run.
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
			return reports.Cell{Text: "off its level: outlier or new level", Tone: reports.Warn}
		} else if o.Run == p.Run {
			return text("outlier")
		}
	}
	return reports.Cell{}
}
