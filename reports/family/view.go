package family

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/profiles"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/inference"
	"github.com/perftrack/perftrack/runner/record"
)

// A view is a subject with what several reports look up in it.
type view struct {
	*Subject
	readings []reading
	rows     map[rowKey]*compare.Row
	diffs    []*profiles.Diff // of the comparison
	figures  map[*record.Run][]inference.Figures
	trees    map[*record.Run][]*tree.Tree
	courses  []course
	limits   []compare.RunLimit // see [view.nowLimits]
}

// A rowKey names a row of the comparison.
type rowKey struct {
	target string
	record.BenchmarkID
	unit string
}

// A reading is what the newest run of a benchmark says of it.
type reading struct {
	run *record.Run
	record.BenchmarkID
	values []value
}

// A value is one unit of it.
type value struct {
	compare.Summary
	unit string // tidied
}

func newView(s *Subject) *view {
	v := &view{Subject: s, rows: map[rowKey]*compare.Row{}, figures: map[*record.Run][]inference.Figures{}, trees: map[*record.Run][]*tree.Tree{}}
	if s.Compared != nil {
		for r := range s.Compared.Rows() {
			v.rows[rowKey{r.Target, r.BenchmarkID, r.Unit}] = r
		}
		v.diffs = profiles.Of(s.Compared)
	}
	seen := map[rowKey]bool{}
	for _, run := range s.Current {
		for i := range run.Benchmarks {
			b := &run.Benchmarks[i]
			key := rowKey{target: run.Target, BenchmarkID: b.BenchmarkID}
			if seen[key] {
				continue // a newer run has it
			}
			seen[key] = true
			v.readings = append(v.readings, read(run, b))
		}
		v.figures[run] = inference.Of(run)
		v.trees[run] = tree.Of(run)
	}
	v.courses = courses(s)
	v.limits = v.nowLimits()
	return v
}

func read(run *record.Run, b *record.Benchmark) reading {
	out := reading{run: run, BenchmarkID: b.BenchmarkID}
	for _, s := range b.Samples {
		exact := slices.ContainsFunc(run.Units, func(u record.Unit) bool { return u.Name == s.Unit && u.Exact })
		sum, unit := compare.Summarize(s, exact, reports.Confidence)
		out.values = append(out.values, value{sum, unit})
	}
	return out
}

// get returns what was measured in a tidied unit.
func (r reading) get(unit string) compare.Summary {
	for _, v := range r.values {
		if v.unit == unit {
			return v.Summary
		}
	}
	return compare.Summary{Center: math.NaN()}
}

// center is the middle of what was measured, NaN where nothing was.
func (r reading) center(unit string) float64 {
	if s := r.get(unit); s.N > 0 {
		return s.Center
	}
	return math.NaN()
}

// changeColumns are those of [view.change].
func (v *view) changeColumns() []reports.Column {
	return []reports.Column{{Title: "change", Right: true}, {Title: "verdict"}}
}

// change is what the comparison says of a unit of a benchmark: its change with the interval,
// and the verdict. Both are empty where the run is not the head of the comparison.
func (v *view) change(run *record.Run, id record.BenchmarkID, unit string) []reports.Cell {
	row := v.rows[rowKey{run.Target, id, unit}]
	if row == nil || !row.Compared() || !v.isHead(run) {
		return []reports.Cell{{}, {}}
	}
	return []reports.Cell{rowChange(row), verdictCell(row.Verdict)}
}

// rowChange is the change of a row: in a trial with its interval; what was measured apart has none.
func rowChange(row *compare.Row) reports.Cell {
	if row.Rounds > 0 && !math.IsNaN(row.Shift.Center) {
		c := reports.EstimateCell(row.Unit, row.Shift, row.Exact)
		c.Value = row.Change()
		return c
	}
	c := relative(row.Delta)
	if c.Text != "" {
		c.Range = "(apart)"
	}
	return c
}

func (v *view) isHead(run *record.Run) bool {
	return v.Compared != nil && slices.ContainsFunc(v.Compared.Head.Runs, func(h *record.Run) bool {
		return h.Target == run.Target && h.Commit.SHA == run.Commit.SHA && h.Commit.Dirty == run.Commit.Dirty
	})
}

// peak is what the machine of a run can do at most in a unit.
func (v *view) peak(run *record.Run, unit string) (Peak, bool) {
	for _, p := range v.Peaks {
		if p.Unit == unit && p.Value > 0 && sameMachine(p.Machine, run) {
			return p, true
		}
	}
	return Peak{}, false
}

// sameMachine reports whether a run was measured on the machine: by its label, or else by the
// model of its processor. A machine without a name is no machine of ours.
func sameMachine(machine string, run *record.Run) bool {
	return machine != "" && (machine == run.Env.Get(record.KeyMachine) || machine == run.Env.Get(record.KeyCPU))
}

// when is the time of the commit of a run, of its measurement where that is unknown.
func when(r *record.Run) time.Time {
	if r.Commit.Time.IsZero() {
		return r.Start
	}
	return r.Commit.Time
}

// modelCount is how many models the current runs have.
func (v *view) modelCount() (n int) {
	names := map[string]bool{}
	for f := range v.currentFigures() {
		for _, m := range f.Models {
			names[m.Name] = true
		}
	}
	return len(names)
}

// currentFigures are the figures of all runs that are described.
func (v *view) currentFigures() iter.Seq[inference.Figures] {
	return func(yield func(inference.Figures) bool) {
		for _, run := range v.Current {
			for _, f := range v.figures[run] {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// facts say what all reports are about.
func (v *view) facts() []reports.Fact {
	var facts []reports.Fact
	if v.Branch != "" {
		branch := v.Branch
		if v.Merged > 0 {
			branch += ", by the commits of merged branches"
		}
		facts = append(facts, reports.Fact{Key: "branch", Value: branch})
	}
	if v.Base != "" {
		facts = append(facts, reports.Fact{Key: "base", Value: v.Base})
	}
	var first, last time.Time
	for i := range v.Runs {
		t := when(&v.Runs[i].Run)
		if t.IsZero() {
			continue
		}
		if first.IsZero() || t.Before(first) {
			first = t
		}
		if t.After(last) {
			last = t
		}
	}
	runs := reports.Plural(len(v.Runs), "run")
	if !first.IsZero() {
		runs += " of commits from " + reports.Day(first) + " to " + reports.Day(last)
	}
	return append(facts, reports.Fact{Key: "stored", Value: runs})
}

// isBenchmark sorts benchmarks before scopes, and both by name.
func byName(a, b reading) int {
	return cmp.Or(cmp.Compare(a.run.Target, b.run.Target), a.BenchmarkID.Compare(b.BenchmarkID))
}

// tooShort counts the lines of the histories that have too few runs for a step to be found, of all
// that were searched, so that each report, the page and `perftrack history --steps` say the same number.
func (v *view) tooShort() (short, all int) {
	for _, l := range v.Regressions.Lines {
		if !l.Enough {
			short++
		}
	}
	return short, len(v.Regressions.Lines)
}
