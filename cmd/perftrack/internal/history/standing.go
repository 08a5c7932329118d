package history

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
)

// A Standing is the current state of one unit of a benchmark in one environment. It is derived from
// all runs on the branch.
type Standing struct {
	Target string
	record.BenchmarkID
	Environment  string
	Unit, Tidied string       // as stored and as shown
	Threshold    float64      // threshold of the benchmark, as a fraction
	Unresolved   []steps.Step // regressions neither accepted nor recovered from, oldest first
	Accepted     *steps.Step  // the newest regression, if it was accepted
	Value        float64      // value of the newest level
	Enough       bool         // whether there are enough runs to find a step

	runs []steps.Point   // runs used for the standing
	line map[string]bool // commits on the branch, if known
}

// Has reports whether a commit is on the branch or was measured. It returns true for "", an unknown
// commit.
func (s Standing) Has(commit string) bool {
	return commit == "" || s.line[commit] || slices.ContainsFunc(s.runs, func(p steps.Point) bool { return p.Commit == commit })
}

// NewStanding returns the current state of l, the line of one unit of a benchmark.
func NewStanding(target string, id record.BenchmarkID, l steps.UnitLine, threshold float64) Standing {
	s := Standing{Target: target, BenchmarkID: id, Environment: l.Environment, Unit: l.Unit, Tidied: l.Tidied, Threshold: threshold, Enough: l.Enough, runs: l.Runs}
	for i := range l.Steps {
		switch step := &l.Steps[i]; {
		case step.Unresolved:
			s.Unresolved, s.Accepted = append(s.Unresolved, *step), nil
		case step.Verdict == compare.Regressed && step.Accepted:
			s.Accepted = step
		case step.Verdict == compare.Regressed: // recovered from
			s.Accepted = nil
		}
	}
	switch n := len(l.Levels); {
	case n > 0 && l.Levels[n-1].End == len(l.Runs):
		s.Value = l.Levels[n-1].Center
	case len(l.Steps) > 0:
		s.Value = l.Steps[len(l.Steps)-1].To
	case len(l.Runs) > 0:
		s.Value = l.Runs[len(l.Runs)-1].Value
	}
	return s
}

// Standings returns the current state of all benchmarks, and the coverage of the newest runs on
// HEAD's line or the chosen branch. It leaves out scopes of profiles, because their benchmarks show
// the same changes.
func Standings(ctx context.Context, a *workspace.Session, opt Options) (all []Standing, c Coverage, err error) {
	r, err := openReader(ctx, a, opt)
	if err != nil {
		return nil, c, err
	}
	defer func() { err = errors.Join(err, r.db.Close()) }()
	var measured []MeasuredIn
	for _, b := range r.all {
		if b.Kind != record.Bench {
			continue
		}
		series, err := r.series(ctx, b)
		if err != nil {
			return nil, c, err
		}
		for _, s := range series {
			in := MeasuredIn{Target: b.Target, BenchmarkID: b.BenchmarkID}
			for _, p := range s.Points {
				if r.main[p.Run.Commit.SHA] {
					in.Runs = append(in.Runs, *p.Run)
				}
			}
			if len(in.Runs) > 0 {
				measured = append(measured, in)
			}
			for _, l := range s.Lines {
				standing := NewStanding(s.Target, s.BenchmarkID, l, r.where.Config.Threshold(b.Name))
				standing.line = r.main
				all = append(all, standing)
			}
		}
	}
	c = NewCoverage(measured, r.failed(), r.along)
	c.Behind = r.behind()
	return all, c, nil
}

// behind reports whether the newest run on the branch is for a commit not on the branch in this
// clone.
func (r *reader) behind() bool {
	var here, elsewhere time.Time
	for _, run := range r.runs {
		at, known := run.Measured()
		switch {
		case !known || !run.Baseline():
		case r.main[run.Commit.SHA] && at.After(here):
			here = at
		case !r.main[run.Commit.SHA] && run.Commit.Branch == strings.TrimPrefix(r.branch, "origin/") && at.After(elsewhere):
			elsewhere = at
		}
	}
	return elsewhere.After(here)
}

// failed returns the failed runs on the branch.
func (r *reader) failed() []record.RunInfo {
	return slices.DeleteFunc(slices.Clone(r.runs), func(run record.RunInfo) bool {
		return run.Status != record.Failed || !r.main[run.Commit.SHA] || run.Commit.Dirty || anchors.Is(&run.Run) || workspace.IsBisectTrial(run.Trial)
	})
}

// CommitsBetween returns the number of commits that may have caused a step, or 0 if this repository
// lacks the commit before or after the step.
func CommitsBetween(ctx context.Context, a *workspace.Session, s steps.Step) (int, error) {
	where, err := a.Locate(ctx)
	if err != nil || where.Repo == nil {
		return 0, err
	}
	known, err := where.Repo.Order(ctx, []string{s.Last.Commit, s.First.Commit})
	if err != nil {
		return 0, fault.Git(err)
	}
	if len(known) < 2 {
		return 0, nil
	}
	between, err := where.Repo.Between(ctx, s.Last.Commit, s.First.Commit)
	if err != nil {
		return 0, fault.Git(err)
	}
	return len(slices.Compact(between)), nil
}
