package check

import (
	"context"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
)

// A tree is the state of the work tree if the work tree is the head.
type tree struct {
	commit string // "" if the head is a commit
	gitrepo.Differences
}

// readTree reads the state of the work tree before anything in it is built.
func (c *check) readTree(ctx context.Context) (t tree, err error) {
	if c.opt.Head != "" || c.where.Repo == nil {
		return t, nil
	}
	state, err := c.where.Repo.WorkTree(ctx, c.where.Own(c.database))
	if err != nil {
		return t, fault.Git(err)
	}
	if state.Unborn {
		return t, nil // the checkout reports this
	}
	t.commit = state.Commit.SHA
	if t.Differences, err = c.where.Repo.Differences(ctx, t.commit, c.where.Own(c.database)); err != nil {
		return t, fault.Git(err)
	}
	return t, nil
}

// noteEdits reports files edited in the work tree during the check. The verdict applies to the
// files at the start of the check.
func (c *check) noteEdits(ctx context.Context, since tree, targets []config.Target) error {
	if since.commit == "" {
		return nil
	}
	now, err := c.where.Repo.Differences(context.WithoutCancel(ctx), since.commit, c.where.Own(c.database))
	if err != nil {
		return fault.Git(err)
	}
	files := now.Changed(since.Differences)
	if len(files) == 0 {
		return nil
	}
	of := "the verdict applies to the files as they were at the start"
	if slices.ContainsFunc(targets, func(t config.Target) bool { return t.Kind == config.Command }) {
		of = "the target's command may have used the changed files, so check again"
	}
	c.session.Noticef("the work tree was changed during the check (%s): %s", fault.SomeOf(files, ", "), of)
	return nil
}
