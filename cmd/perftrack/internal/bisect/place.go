package bisect

import (
	"context"
	"errors"
	"os"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/gitrepo/worktree"
	"github.com/perftrack/perftrack/runner/record"
)

// atBadEnd returns the user's place with the configuration at the bad end of a bisection, and the
// same place in a checkout of the bad end, deleted by remove. At each step, git moves the work tree
// to a commit that may lack the configuration, the module or the benchmark, but the subject must
// stay the same.
func atBadEnd(ctx context.Context, a *workspace.Session, where workspace.Place, bad gitrepo.Commit) (_, ground workspace.Place, remove func() error, err error) {
	if err := worktree.Prune(ctx, where.Repo); err != nil {
		a.Noticef("%v", err)
	}
	w, err := worktree.Add(ctx, where.Repo, bad)
	if err != nil {
		return where, ground, nil, fault.Git(err)
	}
	remove = func() error { return w.Remove(ctx) }
	if err = workspace.ConfigureAt(ctx, &where, bad); err == nil {
		ground, err = where.In(w.Dir)
	}
	if err == nil {
		if _, err = os.Stat(ground.ModuleDir()); err != nil {
			err = fault.Usagef("the bad end %s has no directory %s: run perftrack in a directory that exists there", record.ShortHash(bad.SHA), where.ModuleDir())
		}
	}
	if err != nil {
		return where, ground, nil, errors.Join(err, remove())
	}
	return where, ground, remove, nil
}
