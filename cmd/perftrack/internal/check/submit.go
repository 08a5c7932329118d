package check

import (
	"context"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fleet"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
)

// Submit queues a check, with the given flags and targets, for a worker that decides. It returns
// the number of the job.
func Submit(ctx context.Context, a *workspace.Session, opt Options, args []string) (job string, err error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return "", err
	}
	if err := needBase(where); err != nil {
		return "", err
	}
	if opt.Head == "" {
		opt.Head = "HEAD"
	}
	if opt.Base == "" {
		if opt.Base, err = defaultBase(ctx, where, opt.Head); err != nil {
			return "", err
		}
	}
	c := &check{session: a, where: where, opt: opt}
	if c.database, err = a.DatabasePath(ctx); err != nil {
		return "", err
	}
	if c.opt.Base, c.opt.Head, err = c.commits(ctx); err != nil {
		return "", err
	}
	if c.opt.Base == c.opt.Head {
		return "", fault.Usagef("base and head are the same commit: there is nothing to compare")
	}
	trial, err := (&spreadCheck{check: c}).describe(ctx)
	if err != nil {
		return "", err
	}
	env, err := fleet.Prepare(ctx, a)
	if err != nil {
		return "", err
	}
	return fleet.Submit(ctx, a, env, trial, args)
}
