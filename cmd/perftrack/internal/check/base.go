package check

import (
	"context"
	"errors"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
)

// needBase refuses a folder that has no commits, and so no base.
func needBase(p workspace.Place) error { return p.NeedRepo("there is no base to check against") }

// defaultBase returns the merge base of head with the default branch.
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
		state, err := p.Repo.WorkTree(ctx)
		if err != nil {
			return "", fault.Git(err)
		}
		if head != "" || !state.Dirty {
			if shallow, err := p.Repo.Shallow(); err == nil && shallow {
				return "", fault.Usagef("%s is in %s, as far as this shallow clone tells: fetch all with `git fetch --unshallow`, in a workflow with fetch-depth: 0, or name another base with --base", rev, branch)
			}
			return "", fault.Usagef("%s is in %s already: name another base, as in --base %s~1", rev, branch, rev)
		}
	}
	return base.SHA, nil
}

// commits returns the hashes of both sides; head is "" for changed work trees.
func (c *check) commits(ctx context.Context) (base, head string, err error) {
	if c.where.Repo == nil {
		return "", "", nil // checkout will say so
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
	state, err := c.where.Repo.WorkTree(ctx, c.database)
	if err != nil {
		return "", "", fault.Git(err)
	}
	if state.Dirty || state.Unborn {
		return b.SHA, "", nil
	}
	return b.SHA, state.Commit.SHA, nil
}

// baseLayouts returns the targets with the layouts of the base where those of head are none: a change
// cannot turn its own regressions into suspicions by giving up what the base declares.
func (c *check) baseLayouts(targets []config.Target) []config.Target {
	targets = slices.Clone(targets)
	for i, t := range targets {
		was, ok := workspace.FindTarget(c.rules.Targets, t.Name)
		if ok && was.Kind == t.Kind && t.LayoutMode() == config.LayoutDefault && was.LayoutMode() != config.LayoutDefault {
			targets[i].Layout = was.LayoutMode()
		}
	}
	return targets
}

// noteLayouts says of which targets the base's layouts are kept.
func (c *check) noteLayouts(asked, kept []config.Target) {
	for i, t := range kept {
		if t.Layout != asked[i].Layout {
			c.session.Noticef("target %s is measured with layout = %q, as the base declares", t.Name, t.Layout)
		}
	}
}
