package measure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/gitrepo/worktree"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
)

// Sources are the states of the source to measure.
type Sources struct {
	Rev    string                  // revision; "" means the user's work tree
	Beside string                  // revision to interleave with it, as its base; or ""
	Twice  bool                    // measure Rev as both sides, built once for each
	Keep   func(sha string) string // returns the folder that keeps the binaries of a commit; nil keeps nothing
}

// checkedOut reports whether anything other than the user's work tree is measured.
func (s Sources) checkedOut() bool { return s.Rev != "" || s.Beside != "" }

// CheckTargets returns an error if a target cannot be measured from these sources.
func (s Sources) CheckTargets(targets []config.Target) error {
	for _, t := range targets {
		if t.Kind == config.Engine && s.checkedOut() {
			return fault.Usagef("target %s is built into this perftrack binary and has no other revision: "+
				"run perftrack in a Go module, or add a target of kind gotest to perftrack.toml", t.Name)
		}
	}
	return nil
}

// A Side is one state of the source, with its commit.
type Side struct {
	Source   program.Side
	Commit   record.Commit
	checkout *worktree.Worktree // nil for the user's own work tree
}

// Root returns the root of the side's checkout, or "" for the user's own work tree.
func (s Side) Root() string {
	if s.checkout == nil {
		return ""
	}
	return s.checkout.Dir
}

// A NoDirectoryError reports a commit without the target's directory.
type NoDirectoryError struct {
	Rev    string
	Commit string // hash of the commit
	Dir    string
}

func (e *NoDirectoryError) Error() string { return fmt.Sprintf("%s has no directory %s", e.Rev, e.Dir) }

// Checkout checks out the sides and calls do with them, the base first. It removes the checkouts
// afterwards, even if ctx is canceled.
func (s Spec) Checkout(ctx context.Context, do func(sides []Side) error) error {
	sides, err := s.checkout(ctx)
	if err == nil {
		err = do(sides)
	}
	for _, side := range sides {
		if side.checkout != nil {
			err = errors.Join(err, side.checkout.Remove(ctx))
		}
	}
	return err
}

// checkout returns the source of each side: either the user's work tree as it is, or a temporary
// checkout of a revision. Sides returned with an error must still be removed.
func (s Spec) checkout(ctx context.Context) (sides []Side, err error) {
	if s.Target.Kind == config.Engine {
		own := Side{Source: program.Side{Dir: s.Where.ModuleDir()}, Commit: record.Commit{SHA: s.Session.Commit, Dirty: s.Session.CommitDirty}}
		return s.named(own), nil
	}
	if s.Where.RepoErr != nil {
		return nil, s.Where.RepoErr
	}
	if s.Sources.checkedOut() {
		if s.Where.Repo == nil {
			return nil, fault.Git(fmt.Errorf("%s is not in a git repository, so there are no revisions to measure", s.Where.Dir))
		}
		// A perftrack killed together with its guard may have left worktrees behind.
		if err := worktree.Prune(ctx, s.Where.Repo); err != nil {
			s.Session.Noticef("%v", err)
		}
	}
	if s.Sources.Beside != "" {
		base, err := s.checkoutRev(ctx, s.Sources.Beside)
		if sides = s.named(base); err != nil {
			return sides, err
		}
	}
	head, err := s.head(ctx)
	if s.Sources.Beside == "" {
		return s.named(head), err
	}
	head.Source.Name = string(record.Head)
	return append(sides, head), err
}

// named returns side under its name in the measurement: as the base if a head will follow, or as
// both sides if it is measured twice. A side measured alone has no name.
func (s Spec) named(side Side) []Side {
	if s.Sources.Beside == "" && !s.Sources.Twice {
		return []Side{side}
	}
	side.Source.Name = string(record.Base)
	if !s.Sources.Twice {
		return []Side{side}
	}
	second := side
	second.Source.Name = string(record.Head)
	return []Side{side, second}
}

// head returns the head side.
func (s Spec) head(ctx context.Context) (Side, error) {
	if s.Sources.Rev != "" {
		return s.checkoutRev(ctx, s.Sources.Rev)
	}
	return s.workTree(ctx)
}

// workTree returns the user's work tree as a side, and prints notices about its limitations.
func (s Spec) workTree(ctx context.Context) (Side, error) {
	side := Side{Source: program.Side{Dir: s.Where.ModuleDir()}}
	if s.Where.Repo == nil {
		return side, nil
	}
	state, err := s.Where.Repo.WorkTree(ctx, s.Where.Own(s.Database))
	if err != nil {
		return side, fault.Git(err)
	}
	side.Commit = CommitOf(state.Commit)
	side.Commit.Branch, side.Commit.Dirty = state.Branch, state.Dirty
	switch {
	case state.Unborn:
		s.Session.Noticef("this run belongs to no commit, because the repository has none yet")
	case state.Dirty && s.Sources.Beside != "":
		s.Session.Noticef("the work tree has uncommitted changes (%s): it is compared as it is and stays out of the history",
			fault.SomeOf(state.Changed, ", "))
	case state.Dirty:
		s.Session.Noticef("the work tree has uncommitted changes (%s), so this run stays out of the history; "+
			"commit the changes, or add irrelevant new files to .gitignore", fault.SomeOf(state.Changed, ", "))
	}
	return side, nil
}

// checkoutRev makes a temporary checkout of a revision. A side returned with an error must still be
// removed.
func (s Spec) checkoutRev(ctx context.Context, rev string) (side Side, err error) {
	c, err := s.Where.Repo.Resolve(ctx, rev)
	if err != nil {
		return side, fault.Git(err)
	}
	rel, err := s.Where.InRepo(s.Where.ModuleDir())
	if err != nil {
		return side, err
	}
	w, err := worktree.Add(ctx, s.Where.Repo, c)
	if err != nil {
		return side, fault.Git(err)
	}
	side = Side{Source: program.Side{Dir: filepath.Join(w.Dir, rel), Throwaway: true}, Commit: CommitOf(c), checkout: w}
	if s.Sources.Keep != nil {
		side.Source.Keep = s.Sources.Keep(c.SHA)
	}
	if _, err := os.Stat(side.Source.Dir); err != nil {
		return side, fault.Build(&build.Error{What: s.Target.Name, Err: &NoDirectoryError{rev, c.SHA, rel}})
	}
	return side, nil
}

// CommitOf returns a commit as recorded in runs.
func CommitOf(c gitrepo.Commit) record.Commit {
	return record.Commit{SHA: c.SHA, Tree: c.Tree, Time: c.Time}
}
