package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/gitrepo/worktree"
	"github.com/perftrack/perftrack/runner/record"
)

// checkTargets refuses before anything is measured what could not be.
func checkTargets(targets []config.Target, opt RunOptions) error {
	for _, t := range targets {
		if t.Kind == config.Engine && (opt.Rev != "" || opt.beside() != "") {
			return usagef("target %s is the engine inside this perftrack binary and has no other revision: "+
				"stand in a Go module, or give perftrack.toml a target of kind gotest", t.Name)
		}
	}
	return nil
}

// checkout finds the source of each side: the user's work tree as it is, or a
// throw-away checkout of a revision.
func (m *measuring) checkout(ctx context.Context) error {
	base := m.where.moduleDir()
	if m.target.Kind == config.Engine {
		m.sides = []side{{Side: runner.Side{Dir: base}, commit: record.Commit{SHA: m.session.Commit, Dirty: m.session.CommitDirty}}}
		return nil
	}
	if m.where.repoErr != nil {
		return m.where.repoErr
	}
	if m.where.repo == nil && (m.opt.Rev != "" || m.opt.beside() != "") {
		return &Error{Kind: "git", Err: fmt.Errorf("%s is not in a git repository: there are no revisions to measure", m.where.dir)}
	}
	if m.opt.Rev != "" || m.opt.beside() != "" {
		// What a perftrack left that was killed together with its guard.
		if err := worktree.Prune(ctx, m.where.repo); err != nil {
			m.session.notice("%v", err)
		}
	}
	name := ""
	if other := m.opt.beside(); other != "" {
		name = string(record.Base)
		if err := m.checkoutRev(ctx, name, other, base); err != nil {
			return err
		}
		name = string(record.Head)
	}
	if m.opt.Rev != "" {
		return m.checkoutRev(ctx, name, m.opt.Rev, base)
	}
	s := side{Side: runner.Side{Name: name, Dir: base}}
	if m.where.repo != nil {
		state, err := m.where.repo.WorkTree(ctx, m.database)
		if err != nil {
			return &Error{Kind: "git", Err: err}
		}
		s.commit = commitOf(state.Commit)
		s.commit.Branch, s.commit.Dirty = state.Branch, state.Dirty
		switch {
		case state.Unborn:
			m.session.notice("the repository has no commit yet: this run belongs to none")
		case state.Dirty:
			m.session.notice("the work tree differs from its commit (%s): this run will be no baseline and no point of the history; "+
				"commit the changes, or name files that do not matter in .gitignore", someOf(state.Changed))
		}
	}
	m.sides = append(m.sides, s)
	return nil
}

func (m *measuring) checkoutRev(ctx context.Context, name, rev, dir string) error {
	c, err := m.where.repo.Resolve(ctx, rev)
	if err != nil {
		return &Error{Kind: "git", Err: err}
	}
	rel, err := m.where.inRepo(dir)
	if err != nil {
		return err
	}
	w, err := worktree.Add(ctx, m.where.repo, c)
	if err != nil {
		return &Error{Kind: "git", Err: err}
	}
	s := side{Side: runner.Side{Name: name, Dir: filepath.Join(w.Dir, rel)}, commit: commitOf(c), worktree: w}
	m.sides = append(m.sides, s)
	if _, err := os.Stat(s.Dir); err != nil {
		return &Error{Kind: "build", Err: &runner.BuildError{What: m.target.Name, Err: fmt.Errorf("%s has no directory %s", rev, rel)}}
	}
	return nil
}

// someOf names the first few of a list.
func someOf(names []string) string {
	const shown = 3
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}

func commitOf(c gitrepo.Commit) record.Commit {
	return record.Commit{SHA: c.SHA, Tree: c.Tree, Time: c.Time}
}

func (m *measuring) removeWorktrees(ctx context.Context) error {
	var errs []error
	for _, s := range m.sides {
		if s.worktree != nil {
			errs = append(errs, s.worktree.Remove(ctx))
		}
	}
	return errors.Join(errs...)
}
