package history

import (
	"cmp"
	"context"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/runner/record"
)

// readLine finds the commits on the line of HEAD or of the chosen branch, and their order. The line
// consists of first parents. If a target has fewer than two measured commits on that line because
// the commits of merged pull requests were measured or imported instead, its history consists of
// the merged commits.
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

// besideLine returns the commits measured outside of trials and not on the line, and the targets
// measured there. It considers only targets with runs for fewer than two commits on the line,
// because a single commit is not a history.
func besideLine(runs []record.RunInfo, line map[string]bool) (commits, targets map[string]bool) {
	on := map[string]map[string]bool{} // commits on the line, by target
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

// isPoint reports whether a run qualifies as a point of a history.
func isPoint(run record.RunInfo) bool {
	return run.Baseline() && !anchors.Is(&run.Run) && !workspace.IsBisectTrial(run.Trial) && !ofAnyMachine(&run.Run)
}
