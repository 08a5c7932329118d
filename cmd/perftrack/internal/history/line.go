package history

import (
	"cmp"
	"context"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// readLine finds the commits of the line of HEAD, or of the branch asked for, and their order. It is
// the line of first parents. Where pull requests are merged and their own commits were measured, or
// wrote the reports that were imported, that line has nothing of a target: the target's history is
// then made of the merged commits.
func (r *reader) readLine(ctx context.Context) error {
	rev := cmp.Or(r.opt.Branch, "HEAD")
	line, err := r.where.Repo.FirstParentLine(ctx, rev)
	if err != nil {
		return fault.Git(err)
	}
	r.main, r.merged = make(map[string]bool, len(line)), map[string]bool{}
	for _, sha := range line {
		r.main[sha] = true
	}
	aside, targets := besideLine(r.runs, r.main)
	if r.onMerged = targets; len(aside) > 0 {
		all, err := r.where.Repo.Ancestors(ctx, rev)
		if err != nil {
			return fault.Git(err)
		}
		for _, sha := range all {
			if aside[sha] {
				r.main[sha], r.merged[sha] = true, true
			}
		}
		if len(r.merged) > 0 {
			line = all
		}
	}
	r.along = make(map[string]int, len(line))
	for i, sha := range line {
		if r.main[sha] {
			r.along[sha] = len(line) - i
		}
	}
	return nil
}

// besideLine returns the commits off the line that were measured alone, and their targets, of the
// targets that fewer than two commits of the line have a run of: one makes no history.
func besideLine(runs []record.RunInfo, line map[string]bool) (commits, targets map[string]bool) {
	on := map[string]map[string]bool{} // commits of the line, by targets
	for _, run := range runs {
		if line[run.Commit.SHA] && isPoint(run) {
			if on[run.Target] == nil {
				on[run.Target] = map[string]bool{}
			}
			on[run.Target][run.Commit.SHA] = true
		}
	}
	commits, targets = map[string]bool{}, map[string]bool{}
	for _, run := range runs {
		if sha := run.Commit.SHA; sha != "" && !line[sha] && run.Trial == "" && isPoint(run) && len(on[run.Target]) < 2 {
			commits[sha], targets[run.Target] = true, true
		}
	}
	return commits, targets
}

// isPoint reports whether a run may stand in a history.
func isPoint(run record.RunInfo) bool {
	return run.Baseline() && !compare.IsAnchor(&run.Run) && !workspace.IsBisectTrial(run.Trial)
}
