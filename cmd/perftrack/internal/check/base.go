package check

import (
	"context"
	"errors"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
)

// needBase returns an error for a folder without commits, because it has no base.
func needBase(p workspace.Place) error { return p.NeedRepo("there is no base to check against") }

// defaultBase returns the merge base of head and the default branch.
func defaultBase(ctx context.Context, p workspace.Place, head string) (string, error) {
	if err := needBase(p); err != nil {
		return "", err
	}
	branch, err := p.Repo.DefaultBranch(ctx)
	if errors.Is(err, gitrepo.ErrNoDefaultBranch) {
		return "", fault.Usagef("%w: name the base with --base", err)
	}
	if err != nil {
		return "", fault.Git(err)
	}
	rev := head
	if rev == "" {
		rev = "HEAD"
	}
	base, err := p.Repo.MergeBase(ctx, branch, rev)
	if err != nil {
		return "", fault.Git(err)
	}
	tip, err := p.Repo.Resolve(ctx, rev)
	if err != nil {
		return "", fault.Git(err)
	}
	if tip.SHA == base.SHA {
		state, err := p.Repo.WorkTree(ctx, p.Own(""))
		if err != nil {
			return "", fault.Git(err)
		}
		if head != "" || !state.Dirty {
			if shallow, err := p.Repo.Shallow(); err == nil && shallow {
				return "", fault.Usagef("%s seems to be in %s already, but this clone is shallow: fetch the whole history with `git fetch --unshallow`, or in a workflow with fetch-depth: 0, or name another base with --base", rev, branch)
			}
			return "", fault.Usagef("%s is already in %s: name another base, such as --base %s~1", rev, branch, rev)
		}
	}
	return base.SHA, nil
}

// commits returns the hashes of both sides. head is "" for a work tree with changes.
func (c *check) commits(ctx context.Context) (base, head string, err error) {
	if c.where.Repo == nil {
		return "", "", nil // the checkout reports this
	}
	b, err := c.where.Repo.Resolve(ctx, c.opt.Base)
	if err != nil {
		return "", "", fault.Git(err)
	}
	if c.opt.Head != "" {
		h, err := c.where.Repo.Resolve(ctx, c.opt.Head)
		if err != nil {
			return "", "", fault.Git(err)
		}
		return b.SHA, h.SHA, nil
	}
	state, err := c.where.Repo.WorkTree(ctx, c.where.Own(c.database))
	if err != nil {
		return "", "", fault.Git(err)
	}
	if state.Dirty || state.Unborn {
		return b.SHA, "", nil
	}
	return b.SHA, state.Commit.SHA, nil
}

// noteLayouts reports the targets measured with the base's layout mode.
func (c *check) noteLayouts(asked, kept []config.Target) {
	for i, t := range kept {
		if t.Layout != asked[i].Layout {
			c.session.Noticef("target %s is measured with layout = %q, as the base declares", t.Name, t.Layout)
		}
	}
}
