package measure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/modules"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/gitrepo/worktree"
	"github.com/perftrack/perftrack/runner/record"
)

// CheckTargets refuses before anything is measured what could not be.
func CheckTargets(targets []config.Target, opt Options) error {
	for _, t := range targets {
		if t.Kind == config.Engine && (opt.Rev != "" || opt.beside() != "") {
			return fault.Usagef("target %s is the engine inside this perftrack binary and has no other revision: "+
				"stand in a Go module, or give perftrack.toml a target of kind gotest", t.Name)
		}
	}
	return nil
}

// Checkout finds the source of each side: the user's work tree as it is, or a
// throw-away checkout of a revision.
func (m *Measurement) Checkout(ctx context.Context) error {
	base := m.Where.ModuleDir()
	if m.Target.Kind == config.Engine {
		m.Sides = []Side{{Side: runner.Side{Dir: base}, Commit: record.Commit{SHA: m.Session.Commit, Dirty: m.Session.CommitDirty}}}
		return nil
	}
	if m.Where.RepoErr != nil {
		return m.Where.RepoErr
	}
	if m.Where.Repo == nil && (m.Opt.Rev != "" || m.Opt.beside() != "") {
		return fault.Git(fmt.Errorf("%s is not in a git repository: there are no revisions to measure", m.Where.Dir))
	}
	if m.Opt.Rev != "" || m.Opt.beside() != "" {
		// What a perftrack left that was killed together with its guard.
		if err := worktree.Prune(ctx, m.Where.Repo); err != nil {
			m.Session.Noticef("%v", err)
		}
	}
	name := ""
	if other := m.Opt.beside(); other != "" {
		name = string(record.Base)
		if err := m.CheckoutRev(ctx, name, other, base); err != nil {
			return err
		}
		name = string(record.Head)
	}
	if m.Opt.Rev != "" {
		return m.CheckoutRev(ctx, name, m.Opt.Rev, base)
	}
	s := Side{Side: runner.Side{Name: name, Dir: base}}
	if m.Where.Repo != nil {
		state, err := m.Where.Repo.WorkTree(ctx, m.Database)
		if err != nil {
			return fault.Git(err)
		}
		s.Commit = CommitOf(state.Commit)
		s.Commit.Branch, s.Commit.Dirty = state.Branch, state.Dirty
		switch {
		case state.Unborn:
			m.Session.Noticef("the repository has no commit yet: this run belongs to none")
		case state.Dirty:
			m.Session.Noticef("the work tree differs from its commit (%s): this run will be no baseline and no point of the history; "+
				"commit the changes, or name files that do not matter in .gitignore", modules.SomeOf(state.Changed))
		}
	}
	m.Sides = append(m.Sides, s)
	return nil
}

func (m *Measurement) CheckoutRev(ctx context.Context, name, rev, dir string) error {
	c, err := m.Where.Repo.Resolve(ctx, rev)
	if err != nil {
		return fault.Git(err)
	}
	rel, err := m.Where.InRepo(dir)
	if err != nil {
		return err
	}
	w, err := worktree.Add(ctx, m.Where.Repo, c)
	if err != nil {
		return fault.Git(err)
	}
	s := Side{Side: runner.Side{Name: name, Dir: filepath.Join(w.Dir, rel)}, Commit: CommitOf(c), Worktree: w}
	m.Sides = append(m.Sides, s)
	if _, err := os.Stat(s.Dir); err != nil {
		return fault.Build(&build.Error{What: m.Target.Name, Err: fmt.Errorf("%s has no directory %s", rev, rel)})
	}
	return nil
}

func CommitOf(c gitrepo.Commit) record.Commit {
	return record.Commit{SHA: c.SHA, Tree: c.Tree, Time: c.Time}
}

func (m *Measurement) RemoveWorktrees(ctx context.Context) error {
	var errs []error
	for _, s := range m.Sides {
		if s.Worktree != nil {
			errs = append(errs, s.Worktree.Remove(ctx))
		}
	}
	return errors.Join(errs...)
}
