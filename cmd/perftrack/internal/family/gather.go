// Package family gathers the inputs of package reports/family: the history, the newest runs, the
// comparison and the calibrations from a database, and the references from the repository.
//
// Start with [Gather] in gather.go. current.go finds the newest runs, kept.go finds the profiles
// kept by perftrack explain, and noise.go finds the calibrations.
package family

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/compare/steps"
	familyreport "github.com/perftrack/perftrack/reports/family"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Options select a part of a repository's history.
type Options struct {
	Branch string // line of development; "" means HEAD's
	Base   string // revision, trial or run to compare with; "" means the base of the newest comparison
	Head   string // revision to describe; "" means the newest run of each benchmark
}

// Gather reads the inputs for the reports.
func Gather(ctx context.Context, a *workspace.Session, opt Options) (s *familyreport.Subject, err error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return nil, err
	}
	lines, err := history.Open(ctx, a, history.Options{Branch: opt.Branch})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lines.Close()) }()
	db := lines.DB()
	s = &familyreport.Subject{Base: opt.Base, Opaque: where.Config.Opaque(), Merged: lines.Merged(), Limits: compare.Limits{
		List: slices.Concat(where.Config.Limits(), where.Config.ProfileLimits()), Alpha: where.Config.Defaults.Alpha,
	}}
	if where.Repo != nil {
		if opt.Base == "" && opt.Head == "" {
			if tip, err := where.Repo.Resolve(ctx, cmp.Or(opt.Branch, "HEAD")); err == nil { // an error means that there is no commit yet
				s.Head = tip.SHA
			}
		}
		s.Title = filepath.Base(where.Repo.Root())
		if s.Branch = opt.Branch; s.Branch == "" {
			s.Branch, err = where.Repo.HeadBranch(ctx)
		} else if _, unknown := where.Repo.Resolve(ctx, opt.Branch); unknown != nil {
			err = unknown
		}
		if err != nil {
			return nil, fault.Git(err)
		}
		if line, err := where.Repo.FirstParents(ctx, cmp.Or(opt.Branch, "HEAD")); err == nil { // an error means that there is no commit yet
			s.Depth = len(line)
		}
	}
	if s.Runs, err = db.Runs(ctx, store.Filter{}); err == nil {
		err = dateRuns(ctx, where, s.Runs)
	}
	if err != nil || len(s.Runs) == 0 {
		return s, errors.Join(err, readReferences(where, s))
	}
	if s.Series, s.Regressions, err = lines.All(ctx, a); err != nil {
		return nil, err
	}
	s.Series = slices.DeleteFunc(s.Series, func(one steps.Series) bool { return len(one.Lines) == 0 })
	return s, errors.Join(
		readCurrent(ctx, where, db, opt, s), compareSides(ctx, a, lines, opt, s), readKept(ctx, a, where, s), readRelease(ctx, where, opt, s),
		readCommits(ctx, a, s), readCalibrations(ctx, db, s), readReferences(where, s))
}

// dateRuns sets missing commit times of runs, such as imports, from git.
func dateRuns(ctx context.Context, where workspace.Place, runs []record.RunInfo) error {
	if where.Repo == nil {
		return nil
	}
	var undated []string
	for i := range runs {
		if c := runs[i].Commit; c.Time.IsZero() && c.SHA != "" {
			undated = append(undated, c.SHA)
		}
	}
	times, err := where.Repo.Times(ctx, undated)
	if err != nil {
		return fault.Git(err)
	}
	for i := range runs {
		if c := &runs[i].Commit; c.Time.IsZero() {
			c.Time = times[c.SHA]
		}
	}
	return nil
}

// compareSides compares the sides named by the user or else reads the newest comparison on the
// branch. Missing runs are an error only if the user named the sides.
func compareSides(ctx context.Context, a *workspace.Session, lines *history.Lines, opt Options, s *familyreport.Subject) (err error) {
	var c *compare.Comparison
	switch {
	case opt.Base == "" && opt.Head != "":
		s.NotCompared = "no base was named; use --base REV"
		return nil
	case opt.Base == "":
		if c, err = compareNewest(ctx, a, lines, s); c == nil && err == nil {
			return nil
		}
	default:
		words := []string{opt.Base}
		if opt.Head != "" {
			words = append(words, opt.Head)
		}
		c, err = comparison.Compare(ctx, a, words)
	}
	if err != nil {
		var known *fault.Error
		if errors.As(err, &known) && known.Kind == "data" && opt.Base == "" {
			s.NotCompared = "there is no trial, and there are no two commits with complete runs"
			return nil
		}
		return err
	}
	comparable := 0
	for r := range c.Rows() {
		if r.HasDelta() {
			comparable++
		}
	}
	if comparable == 0 && opt.Base == "" && !c.Trial() {
		s.NotCompared = "the two newest commits have no comparable benchmark in common"
		return nil
	}
	s.Compared = c
	return nil
}

// compareNewest returns the newest comparison on HEAD's line of development, or nil.
func compareNewest(ctx context.Context, a *workspace.Session, lines *history.Lines, s *familyreport.Subject) (c *compare.Comparison, err error) {
	s.Elsewhere = map[string]bool{}
	for _, r := range s.Runs {
		if !lines.First(r.Commit) {
			s.Elsewhere[r.Commit.SHA] = true
		}
	}
	all := comparison.List(s.Runs, lines.Commits())
	if newest, ok := lines.Newest(all); ok {
		return (&comparison.Resolver{Session: a, Where: lines.Place(), DB: lines.DB()}).CompareListed(ctx, newest)
	}
	if len(all) > 0 {
		s.NotCompared = fmt.Sprintf("the last comparison, %s against %s, is on another branch", record.ShortHash(all[0].Head.SHA), record.ShortHash(all[0].Base.SHA))
		return nil, nil
	}
	c, err = comparison.Compare(ctx, a, nil)
	if err == nil && !slices.ContainsFunc(c.Head.Runs, func(r *record.Run) bool { return lines.First(r.Commit) }) {
		s.NotCompared = "no two commits on this branch have complete runs"
		return nil, nil
	}
	return c, err
}

// readRelease determines the release for trends: opt.Base if it is given, and otherwise the newest
// tagged and measured commit.
func readRelease(ctx context.Context, where workspace.Place, opt Options, s *familyreport.Subject) error {
	if where.Repo == nil {
		return nil
	}
	if opt.Base != "" {
		if c, err := where.Repo.Resolve(ctx, opt.Base); err == nil { // otherwise it is a run or a trial
			s.Release = &familyreport.Release{Name: opt.Base, Commit: c.SHA}
		}
		return nil
	}
	tags, err := where.Repo.Tags(ctx)
	if err != nil {
		return fault.Git(err)
	}
	var newest *record.RunInfo
	for i := range s.Runs {
		r := &s.Runs[i]
		if len(tags[r.Commit.SHA]) > 0 && r.Baseline() && (newest == nil || !r.Commit.Time.Before(newest.Commit.Time)) {
			newest = r
		}
	}
	if newest != nil {
		s.Release = &familyreport.Release{Name: tags[newest.Commit.SHA][0], Commit: newest.Commit.SHA}
	}
	return nil
}

// maxCounted is the maximum number of steps for which commits are counted. No report shows more
// steps.
const maxCounted = 50

// readCommits counts the commits in each range with the cause of a regression.
func readCommits(ctx context.Context, a *workspace.Session, s *familyreport.Subject) error {
	s.Commits = map[[2]string]int{}
	for _, r := range s.Regressions.List {
		key := [2]string{r.Step.Last.Commit, r.Step.First.Commit}
		if _, known := s.Commits[key]; known || len(s.Commits) == maxCounted {
			continue
		}
		n, err := history.CommitsBetween(ctx, a, r.Step)
		if err != nil {
			return err
		}
		s.Commits[key] = n
	}
	return nil
}

// readReferences reads the published results of other projects.
func readReferences(where workspace.Place, s *familyreport.Subject) error {
	all, ok, err := config.ReadReferences(where.ConfigDir())
	if err != nil {
		return fault.Config(err)
	}
	s.ReferenceFile = ok
	for _, r := range all.List {
		s.References = append(s.References, familyreport.Reference(r))
	}
	for _, p := range all.Peaks {
		s.Peaks = append(s.Peaks, familyreport.Peak(p))
	}
	return nil
}

// isCalibration reports whether a run measured the same source against itself.
func isCalibration(r *record.Run) bool {
	return r.Protocol.Procedure == pairs.ProcedureCalibrate
}
