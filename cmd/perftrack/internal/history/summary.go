package history

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A summary holds the data about one benchmark used by [Outline] and [Regressions]. Raise the
// number in keptForm whenever its fields change, because other processes read it.
type summary struct {
	Outline      steps.Outline // without Check; the zero value if the benchmark lacks the unit
	Measured     bool          // whether there is any series
	First        bool          // whether the outlined series is on HEAD's line or the chosen branch
	Newest       string        // newest measured commit of the outlined series, or ""
	Enough       bool          // whether it has enough runs to find a step
	NewestOnLine string        // newest measured commit on HEAD's line or the chosen branch, or ""
	List         []steps.Regression
	Lines        []steps.LineLength

	Hidden, Levelled []int64 // see notes
}

// notes holds facts about runs, by run number.
type notes struct {
	mu        sync.Mutex
	hidden    map[int64]bool // runs left out because they do not qualify for a history
	baselines bool           // whether any run qualifies for a history
	anchors   bool           // whether runs of anchors were left out
	levelled  map[int64]bool // runs that were scaled to the level of their anchor
}

func newNotes() *notes { return &notes{hidden: map[int64]bool{}, levelled: map[int64]bool{}} }

// add adds the notes about the runs of one benchmark.
func (n *notes) add(s *summary) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, run := range s.Hidden {
		n.hidden[run] = true
	}
	for _, run := range s.Levelled {
		n.levelled[run] = true
	}
}

// summarize returns the summary of a benchmark with the given series, except for the notes.
func summarize(b store.BenchmarkInfo, series []branchSeries) (s summary) {
	s.Outline = steps.Outline{Target: b.Target, BenchmarkID: b.BenchmarkID}
	for i, one := range series {
		if i == 0 {
			s.outline(one, len(series)-1)
		}
		if one.aside {
			continue
		}
		s.regressions(one.Series)
		if one.first && len(one.Points) > 0 {
			s.NewestOnLine = one.Points[len(one.Points)-1].Run.Commit.SHA
		}
	}
	return s
}

// outline adds the outline of the series to show. others is the number of other series.
func (s *summary) outline(shown branchSeries, others int) {
	o := &s.Outline
	o.Branch, s.First, s.Measured = shown.Branch, shown.first, true
	environment, environments := "", map[string]bool{}
	for _, p := range shown.Points {
		s.Newest = p.Run.Commit.SHA
		if environment = p.Run.EnvironmentID; !commitTime(p.Run).IsZero() {
			o.When = commitTime(p.Run)
		}
	}
	for _, l := range shown.Lines {
		environments[l.Environment] = true
	}
	for _, l := range shown.In(environment) {
		s.Enough = s.Enough || l.Enough || len(l.Steps) > 0
		o.Lines = append(o.Lines, l.Brief())
	}
	o.Others = others + max(0, len(environments)-1)
}

// regressions adds the unresolved regressions of a series.
func (s *summary) regressions(of steps.Series) {
	runs := make(map[string]*record.RunInfo, len(of.Points))
	for _, p := range of.Points {
		runs[p.Run.ID] = p.Run
	}
	for _, l := range of.Lines {
		s.Lines = append(s.Lines, steps.LineLength{Runs: len(l.Runs), Needs: l.Needs, Enough: l.Enough})
		for _, step := range l.Steps {
			if !step.Unresolved {
				continue
			}
			var since time.Time
			if step.Drift > 0 {
				since = commitTime(runs[step.Last.Run])
			}
			s.List = append(s.List, steps.Regression{
				Target: of.Target, BenchmarkID: of.BenchmarkID, Branch: of.Branch, Environment: l.Environment, Unit: l.Unit, Tidied: l.Tidied,
				When: commitTime(runs[step.First.Run]), Since: since, Step: step,
			})
		}
	}
}

// numbers returns the run numbers in a set, sorted.
func numbers(runs map[int64]bool) []int64 { return slices.Sorted(maps.Keys(runs)) }
