package history

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// BaseProfile returns the newest stored profile on the base branch that can be compared with head.
// It has the same target and environment, at least one suite in common with head, and a different
// commit unless head has uncommitted changes. words names the base branch or, if base is nil,
// explains why there is no profile.
func BaseProfile(ctx context.Context, a *workspace.Session, head *record.Run) (base *record.RunInfo, words string, err error) {
	branch, name, err := baseBranch(ctx, a)
	if err != nil {
		return nil, "", err
	}
	lines, err := Open(ctx, a, Options{Branch: branch})
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, lines.Close()) }()
	filter := store.Filter{Target: head.Target}.Baselines()
	infos, err := lines.DB().Runs(ctx, filter)
	if err != nil {
		return nil, "", fault.IO(err)
	}
	suites, err := lines.DB().Suites(ctx, filter)
	if err != nil {
		return nil, "", fault.IO(err)
	}
	elsewhere := 0
	for i := range infos {
		info := &infos[i]
		switch {
		case !slices.ContainsFunc(suites[info.ID], func(s store.Suite) bool { return profiles(head, s) }),
			info.ID == head.ID(), !lines.First(info.Commit), info.Commit.SHA == head.Commit.SHA && !head.Commit.Dirty && head.Commit.SHA != "":
		case info.EnvironmentID != head.Env.EnvironmentID():
			elsewhere++
		case base == nil || newer(lines, info, base):
			base = info
		}
	}
	switch {
	case base != nil:
		return base, name, nil
	case elsewhere > 0:
		return nil, fmt.Sprintf("the %d stored profiles of %s were measured in other environments", elsewhere, name), nil
	}
	return nil, "no profile of " + name + " is stored", nil
}

// baseBranch returns the branch of the history to read, or "" for HEAD's history, and a name for
// the branch in messages.
func baseBranch(ctx context.Context, a *workspace.Session) (branch, name string, err error) {
	where, err := a.Locate(ctx)
	if err != nil || where.Repo == nil {
		return "", "another commit", err
	}
	branch, err = where.Repo.DefaultBranch(ctx)
	if errors.Is(err, gitrepo.ErrNoDefaultBranch) {
		return "", "an earlier commit", nil
	}
	if err != nil {
		return "", "", fault.Git(err)
	}
	if here, err := where.Repo.HeadBranch(ctx); err == nil && here == path.Base(branch) {
		return "", "an earlier commit on " + here, nil // the local branch may be ahead of its remote
	}
	return branch, branch, nil
}

// profiles reports whether a run contains scopes from the suite.
func profiles(run *record.Run, s store.Suite) bool {
	return s.Kind == record.Scope && slices.ContainsFunc(run.Benchmarks, func(b record.Benchmark) bool { return store.SuiteOf(b.BenchmarkID) == s })
}

// newer reports whether run a comes after run b, in the order of their commits or, failing that, in
// the order they were stored.
func newer(lines *Lines, a, b *record.RunInfo) bool {
	x, known := lines.Position(a.Commit.SHA)
	y, also := lines.Position(b.Commit.SHA)
	if known && also && x != y {
		return x > y
	}
	return a.Seq > b.Seq
}
