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
	"github.com/perftrack/perftrack/reports/family/cells"
	"github.com/perftrack/perftrack/reports/family/histories"
	"github.com/perftrack/perftrack/reports/inference"
	"github.com/perftrack/perftrack/runner/record"
)

// A view is a subject with the derived data that all reports share.
type view struct {
	*Subject
	readings  []reading
	rows      map[rowKey]*compare.Row
	diffs     []*profiles.Diff // from the comparison
	figures   map[*record.Run][]inference.Figures
	trees     map[*record.Run][]*tree.Tree
	histories []histories.History
	limits    []compare.RunLimit // as returned by [view.nowLimits]
}

// A rowKey identifies a row of the comparison: a benchmark in one unit.
type rowKey struct {
	target string
	record.BenchmarkID
	unit string
}

// A reading holds the values of a benchmark in its newest run.
type reading struct {
	run *record.Run
	record.BenchmarkID
	values []value
}

// A value summarizes the samples of a reading in one unit.
type value struct {
	compare.Summary
	unit string // tidied, as in sec/op
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
	v.histories = histories.Of(s.Runs, s.Series)
	v.limits = v.nowLimits()
	return v
}

func read(run *record.Run, b *record.Benchmark) reading {
	out := reading{run: run, BenchmarkID: b.BenchmarkID}
	for _, s := range b.Series() {
		exact := slices.ContainsFunc(run.Units, func(u record.Unit) bool { return u.Name == s.Unit && u.Exact })
		sum, unit := compare.Summarize(s, exact, reports.Confidence)
		out.values = append(out.values, value{sum, unit})
	}
	return out
}

// get returns the summary of the samples in a tidied unit. Its center is NaN if there are none.
func (r reading) get(unit string) compare.Summary {
	for _, v := range r.values {
		if v.unit == unit {
			return v.Summary
		}
	}
	return compare.Summary{Center: math.NaN()}
}

// center returns the center of the samples in a tidied unit, or NaN if there are none.
func (r reading) center(unit string) float64 {
	if s := r.get(unit); s.N > 0 {
		return s.Center
	}
	return math.NaN()
}

// changeColumns returns the columns for the cells of [view.change].
func (v *view) changeColumns() []reports.Column {
	return []reports.Column{{Title: "change", Right: true}, {Title: "verdict"}}
}

// change returns two cells: the change, with its interval, that the comparison shows for a
// benchmark in a unit, and its verdict. Both cells are empty unless run is the head of the
// comparison.
func (v *view) change(run *record.Run, id record.BenchmarkID, unit string) []reports.Cell {
	row := v.rows[rowKey{run.Target, id, unit}]
	if row == nil || !row.HasDelta() || !v.isHead(run) {
		return []reports.Cell{{}, {}}
	}
	return []reports.Cell{rowChange(row), cells.Verdict(row.Verdict)}
}

// rowChange returns the change of a row. It has an interval in a trial, but not between unpaired
// runs.
func rowChange(row *compare.Row) reports.Cell {
	if row.Rounds > 0 && !math.IsNaN(row.Shift.Center) {
		c := reports.EstimateCell(row.Unit, row.Shift, row.Exact)
		c.Value = row.Change()
		return c
	}
	c := cells.Relative(row.Delta)
	if c.Text != "" {
		c.Range = "(unpaired)"
	}
	return c
}

func (v *view) isHead(run *record.Run) bool {
	return v.Compared != nil && slices.ContainsFunc(v.Compared.Head.Runs, func(h *record.Run) bool {
		return h.Target == run.Target && h.Commit.SHA == run.Commit.SHA && h.Commit.Dirty == run.Commit.Dirty
	})
}

// peak returns the peak, in a unit, of the machine that measured a run. It returns false if the
// peak is unknown.
func (v *view) peak(run *record.Run, unit string) (Peak, bool) {
	for _, p := range v.Peaks {
		if p.Unit == unit && p.Value > 0 && sameMachine(p.Machine, run) {
			return p, true
		}
	}
	return Peak{}, false
}

// sameMachine reports whether a run was measured on the named machine, according to the run's
// machine label or the model of its processor. An empty name matches no machine.
func sameMachine(machine string, run *record.Run) bool {
	return machine != "" && (machine == run.Env.Get(record.KeyMachine) || machine == run.Env.Get(record.KeyCPU))
}

// modelCount returns the number of different models in the current runs.
func (v *view) modelCount() (n int) {
	names := map[string]bool{}
	for f := range v.currentFigures() {
		for _, m := range f.Models {
			names[m.Name] = true
		}
	}
	return len(names)
}

// currentFigures iterates over the figures of all current runs.
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

// facts returns the facts common to all reports.
func (v *view) facts() []reports.Fact {
	var facts []reports.Fact
	if v.Branch != "" {
		branch := v.Branch
		if v.Merged > 0 {
			branch += ", including the commits of merged branches"
		}
		facts = append(facts, reports.Fact{Key: "branch", Value: branch})
	}
	if v.Base != "" {
		facts = append(facts, reports.Fact{Key: "base", Value: v.Base})
	}
	var first, last time.Time
	for i := range v.Runs {
		t := cells.When(&v.Runs[i].Run)
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
		runs += " at commits from " + reports.Day(first) + " to " + reports.Day(last)
	}
	return append(facts, reports.Fact{Key: "stored", Value: runs})
}

// byName orders readings by target and then by benchmark.
func byName(a, b reading) int {
	return cmp.Or(cmp.Compare(a.run.Target, b.run.Target), a.BenchmarkID.Compare(b.BenchmarkID))
}

// tooShort returns the number of lines with too few runs to find a step, and the number of all
// lines searched for steps. All reports use these numbers, so they agree with the web page and with
// `perftrack history --steps`.
func (v *view) tooShort() (short, all int) {
	for _, l := range v.Regressions.Lines {
		if !l.Enough {
			short++
		}
	}
	return short, len(v.Regressions.Lines)
}
