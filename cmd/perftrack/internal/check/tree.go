package check

import (
	"context"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
)

// A tree is the state of the work tree, where that is the head.
type tree struct {
	commit string // "" where it is not the head
	gitrepo.Differences
}

// readTree reads the state of the work tree before anything of it is built.
func (c *check) readTree(ctx context.Context) (t tree, err error) {
	if c.opt.Head != "" || c.where.Repo == nil {
		return t, nil
	}
	state, err := c.where.Repo.WorkTree(ctx, c.database)
	if err != nil {
		return t, fault.Git(err)
	}
	if state.Unborn {
		return t, nil // checkout will say so
	}
	t.commit = state.Commit.SHA
	if t.Differences, err = c.where.Repo.Differences(ctx, t.commit, c.database); err != nil {
		return t, fault.Git(err)
	}
	return t, nil
}

// noteEdits says that the work tree was edited since, and of which files the verdict is: who edits
// on while a check runs must not take it for one of what the files are now.
func (c *check) noteEdits(ctx context.Context, since tree, targets []config.Target) error {
	if since.commit == "" {
		return nil
	}
	now, err := c.where.Repo.Differences(context.WithoutCancel(ctx), since.commit, c.database)
	if err != nil {
		return fault.Git(err)
	}
	files := now.Changed(since.Differences)
	if len(files) == 0 {
		return nil
	}
	of := "the verdict is of the files as they were at its start"
	if slices.ContainsFunc(targets, func(t config.Target) bool { return t.Kind == config.Command }) {
		of = "a command ran with them as they were in each round, so check again"
	}
	c.session.Noticef("the work tree was changed during the check (%s): %s", fault.SomeOf(files, ", "), of)
	return nil
}
