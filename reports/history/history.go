// Package history reports benchmarks over commits.
//
// Start reading at history.go, which makes a table of commits for each environment. steps.go marks
// steps and outliers in these tables. A step is a lasting change from one level of a benchmark's
// values to another, and a drift is a slow change. regressions.go lists the unresolved
// regressions of all benchmarks: neither accepted nor undone. overview.go shows the state of each
// benchmark. csv.go and json.go write output for programs.
package history

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/compare/units"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// Report reports benchmarks over commits, with one row for each commit. Series with the same name
// in different suites, packages or targets have separate tables, and so do different environments,
// because they are not comparable. The caller selects and orders the points. Points that do not
// count as baselines are marked. With an anchor, the values are ratios to it, and the environments
// lack the keys that describe the host.
func Report(to steps.AnchorCommit, series ...steps.Series) reports.Report {
	r := reports.Report{
		Title:    "History",
		Kind:     "history",
		Document: func() reports.Object { return document(to, series) },
		Records:  func() [][]any { return records(to, series) },
	}
	notes := &reports.Footnotes{}
	points := 0
	for _, s := range series {
		points += len(s.Points)
		for _, group := range byEnvironment(s.Points) {
			lines := s.In(group[0].Run.EnvironmentID)
			t := commitTable(s, group, lines, notes)
			if len(series) > 1 {
				t.Facts = append([]reports.Fact{{Key: "series", Value: description(s)}}, t.Facts...)
			}
			r.Tables = append(r.Tables, t)
			if steps, ok := stepTable(lines); ok {
				steps.Facts = t.Facts
				r.Tables = append(r.Tables, steps)
			}
			r.Tables[len(r.Tables)-1].Below = outsideWords(lines)
			remarkSteps(&r, s, lines)
			remarkLimits(&r, s, group)
		}
		addOtherSteps(&r, s, len(series) > 1)
		remarkUnits(&r, s)
		remarkCarried(&r, s)
		remarkCheck(&r, s.Check)
	}
	switch {
	case len(series) == 1:
		r.Facts = []reports.Fact{{Key: "benchmark", Value: reports.BenchmarkName(series[0].Target, series[0].BenchmarkID)}}
		if branch := series[0].Branch; branch != "" {
			r.Facts = append(r.Facts, reports.Fact{Key: "branch", Value: branch})
		}
	case len(series) > 1:
		r.Facts = []reports.Fact{{Key: "benchmark", Value: fmt.Sprintf("%s (%d series)", series[0].Name, len(series))}}
	}
	sameKeys(r.Tables)
	r.Notes = notes.Notes
	addAnchor(&r, to)
	if points == 0 {
		r.Summary, r.Tone = "this benchmark has no runs", reports.Warn
	}
	return r
}

// description distinguishes a series from others with the same name.
func description(s steps.Series) string {
	var parts []string
	for _, p := range []reports.Fact{{Key: "suite", Value: s.Suite}, {Key: "package", Value: s.Package}, {Key: "target", Value: s.Target}, {Key: "branch", Value: s.Branch}} {
		if p.Value != "" {
			parts = append(parts, p.Key+" "+p.Value)
		}
	}
	if s.Kind == record.Scope {
		parts = append(parts, "scope of a profile")
	}
	return strings.Join(parts, ", ")
}

// sameKeys makes the facts of all tables list the same environment keys in the same order. A key
// missing from a table gets the value "unknown".
func sameKeys(tables []reports.Table) {
	said := map[string]bool{}
	for _, t := range tables {
		for _, f := range t.Facts {
			said[f.Key] = true
		}
	}
	for i := range tables {
		t := &tables[i]
		facts := slices.DeleteFunc(slices.Clone(t.Facts), func(f reports.Fact) bool { return slices.Contains(record.EnvironmentKeys, f.Key) })
		for _, key := range record.EnvironmentKeys {
			at := slices.IndexFunc(t.Facts, func(f reports.Fact) bool { return f.Key == key })
			switch {
			case at >= 0:
				facts = append(facts, t.Facts[at])
			case said[key]:
				facts = append(facts, reports.Fact{Key: key, Value: "unknown"})
			}
		}
		t.Facts = facts
	}
}

func byEnvironment(points []record.HistoryPoint) [][]record.HistoryPoint {
	var out [][]record.HistoryPoint
	index := map[string]int{}
	for _, p := range points {
		key := p.Run.EnvironmentID
		i, ok := index[key]
		if !ok {
			i = len(out)
			index[key] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], p)
	}
	return out
}

// A commitRow holds the runs of one commit in one environment. A run has its own row if it is
// partial or failed, if it was carried over from another commit, or if it measured a dirty work
// tree instead of the commit.
type commitRow []record.HistoryPoint

func byCommit(points []record.HistoryPoint) (rows []commitRow) {
	index := map[string]int{}
	for _, p := range points {
		if p.Run.Commit.SHA == "" || pointMarks(p) != "" {
			rows = append(rows, commitRow{p})
			continue
		}
		i, ok := index[p.Run.Commit.SHA]
		if !ok {
			i = len(rows)
			index[p.Run.Commit.SHA] = i
			rows = append(rows, nil)
		}
		rows[i] = append(rows[i], p)
	}
	return rows
}

func commitTable(s steps.Series, points []record.HistoryPoint, lines []steps.UnitLine, notes *reports.Footnotes) reports.Table {
	rows := byCommit(points)
	t := reports.Table{Columns: []reports.Column{{Title: "commit", Code: true, Hash: true}, {Title: "date"}}}
	environment := points[0].Run.EnvironmentID
	if len(points[0].Run.Env) == 0 {
		environment += " (the results do not describe it)"
	}
	t.Facts = []reports.Fact{{Key: "environment", Value: environment}}
	t.Facts = append(t.Facts, environmentFacts(s, points[0].Run.Env)...)
	for _, r := range rows {
		t.Rows = append(t.Rows, []reports.Cell{
			{Text: reports.HashOrDash(r[0].Run.Commit.SHA)}, {Text: reports.Day(pointTime(r[0]))},
		})
	}
	addBranches(&t, rows)
	for i, unit := range unitsOf(points) {
		tidied, cells, centers := unitColumn(rows, unit, i == 0, notes)
		t.Columns = append(t.Columns, reports.Column{Title: tidied, Unit: true, Right: true, Extra: i > 0})
		t.AddColumn(cells)
		if i == 0 {
			t.Curve = &reports.Curve{Values: centers, Unit: tidied}
			t.Caption = t.Curve.Shown(0)
		}
	}
	addCounts(&t, rows)
	addLimits(&t, s, rows)
	addMarks(&t, rows, lines)
	return t
}

// environmentFacts returns the facts about a benchmark's environment. If benchmarks ran with
// several values of GOMAXPROCS, it shows the value in this benchmark's name.
func environmentFacts(s steps.Series, env record.Settings) []reports.Fact {
	facts := reports.EnvironmentFacts(env, nil)
	for i, f := range facts {
		if _, procs := record.ProcsOfName(s.Name); f.Key == record.KeyGOMAXPROCS && f.Value == record.ProcsInNames && s.Kind == record.Bench {
			facts[i].Value = fmt.Sprintf("%d (one of several; see the name)", procs)
		}
	}
	return facts
}

func addBranches(t *reports.Table, rows []commitRow) {
	cells := make([]reports.Cell, len(rows))
	known := false
	for i, r := range rows {
		cells[i].Text = r[0].Run.Commit.Branch
		known = known || cells[i].Text != ""
	}
	if known {
		t.Columns = append(t.Columns, reports.Column{Title: "branch", Code: true, Extra: true})
		t.AddColumn(cells)
	}
}

// addCounts adds columns with the number of samples in each row, the number of runs, and the reason
// why a row does not count as a baseline. It adds the last two only if needed.
func addCounts(t *reports.Table, rows []commitRow) {
	n, runs, marks := make([]reports.Cell, len(rows)), make([]reports.Cell, len(rows)), make([]reports.Cell, len(rows))
	several, marked := false, false
	for i, r := range rows {
		samples := 0
		for _, p := range r {
			samples += pointSamples(p)
		}
		n[i].Text, runs[i].Text = fmt.Sprint(samples), fmt.Sprint(len(r))
		marks[i] = reports.Cell{Text: pointMarks(r[0]), Tone: reports.Muted}
		several, marked = several || len(r) > 1, marked || marks[i].Text != ""
	}
	t.Columns = append(t.Columns, reports.Column{Title: "n", Right: true})
	t.AddColumn(n)
	if several {
		t.Columns = append(t.Columns, reports.Column{Title: "runs", Right: true})
		t.AddColumn(runs)
	}
	if marked {
		t.Columns = append(t.Columns, reports.Column{Title: "status", Wraps: true})
		t.AddColumn(marks)
	}
}

// unitColumn returns the cells for one unit, all in the same scale, with the tidied name of the
// unit and the centers. A center is NaN if a row has no samples.
func unitColumn(rows []commitRow, unit string, withInterval bool, notes *reports.Footnotes) (tidied string, cells []reports.Cell, centers []float64) {
	tidied = unit
	sums := make([]compare.Summary, len(rows))
	for i, r := range rows {
		sum, shown := r.summarize(unit)
		center := math.NaN()
		if sum.N > 0 {
			center, tidied = sum.Center, shown
		}
		sums[i], centers = sum, append(centers, center)
	}
	scale := reports.ScaleFor(tidied, slices.DeleteFunc(slices.Clone(centers), math.IsNaN)...)
	for _, sum := range sums {
		cell := reports.SummaryCell(sum, scale, notes)
		if units.IsRatio(tidied) && sum.N > 0 {
			cell.Range = bounds(sum, scale)
		}
		if !withInterval {
			cell.Range, cell.Notes = "", nil
		}
		cells = append(cells, cell)
	}
	return tidied, cells, centers
}

// summarize returns the center and the interval of all runs in the row, in one unit, and the unit's
// tidied name. Each run counts as one value, because all samples of a run share the state of the
// machine at that time: the center is the median of the runs' centers, and the interval covers the
// intervals of all runs.
func (r commitRow) summarize(unit string) (sum compare.Summary, tidied string) {
	var one compare.Summary
	var centers []float64
	sum.Lo, sum.Hi = math.Inf(1), math.Inf(-1)
	for _, p := range r {
		for _, s := range p.Benchmark.Series() {
			if s.Unit == unit && len(s.Present()) > 0 {
				one, tidied = compare.Summarize(s, p.Run.Exact(unit), reports.Confidence)
				centers = append(centers, one.Center)
				sum.N += one.N
				sum.Lo, sum.Hi = min(sum.Lo, one.Lo), max(sum.Hi, one.Hi)
			}
		}
	}
	if len(centers) < 2 {
		return one, tidied
	}
	slices.Sort(centers)
	middle := len(centers) / 2
	sum.Center = centers[middle]
	if len(centers)%2 == 0 {
		sum.Center = (centers[middle-1] + centers[middle]) / 2
	}
	sum.Notes = []compare.Caveat{{Code: compare.CodeSample, Text: "several runs: the median of their centers, and an interval that covers all of theirs"}}
	return sum, tidied
}

// pointTime returns the time of the commit or, failing that, of the measurement.
func pointTime(p record.HistoryPoint) time.Time {
	if p.Run.Commit.Time.IsZero() {
		return p.Run.Start
	}
	return p.Run.Commit.Time
}

// pointSamples returns the largest number of samples of a point in any unit. It counts those behind
// a summary.
func pointSamples(p record.HistoryPoint) int {
	n := 0
	for _, s := range p.Benchmark.Series() {
		told, _ := s.Summary()
		n = max(n, len(s.Present()), told.N)
	}
	return n
}

// pointMarks returns the reason why a point does not count as a baseline, or the commit it was
// carried over from.
func pointMarks(p record.HistoryPoint) string {
	var marks []string
	if p.Run.Commit.Dirty {
		marks = append(marks, "dirty")
	}
	if p.Run.Status == record.Partial || p.Run.Status == record.Failed {
		marks = append(marks, string(p.Run.Status))
	}
	if p.CarriedFrom != "" {
		marks = append(marks, "carried over from "+record.ShortHash(p.CarriedFrom))
	}
	return strings.Join(marks, ", ")
}

// remarkCarried adds a remark to explain carried-over points, if there are any.
func remarkCarried(r *reports.Report, s steps.Series) {
	const text = "carried over from the named commit, which has the same machine code; such rows do not count for steps"
	carried := func(p record.HistoryPoint) bool { return p.CarriedFrom != "" }
	said := func(n reports.Note) bool { return n.Text == text }
	if slices.ContainsFunc(s.Points, carried) && !slices.ContainsFunc(r.Remarks, said) {
		r.Remarks = append(r.Remarks, reports.Note{Text: text})
	}
}

func unitsOf(points []record.HistoryPoint) []string {
	var units []string
	for _, p := range points {
		for _, s := range p.Benchmark.Series() {
			if !slices.Contains(units, s.Unit) {
				units = append(units, s.Unit)
			}
		}
	}
	slices.SortFunc(units, record.CompareUnits)
	return units
}
