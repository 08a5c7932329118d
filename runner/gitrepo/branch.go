package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// ErrNoDefaultBranch says that a repository does not tell its default branch.
var ErrNoDefaultBranch = errors.New("find the default branch: there is neither origin/HEAD nor a branch main or master")

// DefaultBranch returns the branch that pull requests go into, as a revision: what
// the remote's HEAD says, else the first of origin/main, origin/master, main and
// master that exists.
func (r *Repo) DefaultBranch(ctx context.Context) (string, error) {
	out, err := r.git(ctx, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD")
	if name := strings.TrimSpace(string(out)); err == nil && name != "" {
		if sha, err := r.lookup(ctx, name); err == nil && sha != "" {
			return name, nil
		}
	}
	for _, name := range []string{"origin/main", "origin/master", "main", "master"} {
		sha, err := r.lookup(ctx, name)
		if err != nil {
			return "", fmt.Errorf("find the default branch: %w", err)
		}
		if sha != "" {
			return name, nil
		}
	}
	return "", ErrNoDefaultBranch
}

// MergeBase returns the newest commit that both revisions have in their history.
func (r *Repo) MergeBase(ctx context.Context, a, b string) (Commit, error) {
	first, err := r.Resolve(ctx, a)
	if err != nil {
		return Commit{}, err
	}
	second, err := r.Resolve(ctx, b)
	if err != nil {
		return Commit{}, err
	}
	out, err := r.git(ctx, "merge-base", first.SHA, second.SHA)
	sha := strings.TrimSpace(string(out))
	switch {
	case err == nil && git.IsObjectName(sha):
		return r.commit(ctx, sha)
	case err == nil || git.ExitCode(err) == 1:
		return Commit{}, fmt.Errorf("find the merge base of %s and %s: %s", a, b, r.unrelated(ctx))
	}
	return Commit{}, fmt.Errorf("find the merge base of %s and %s: %w", a, b, err)
}

// unrelated says why two commits have none in common.
func (r *Repo) unrelated(ctx context.Context) string {
	if cut, err := r.boundary(); err == nil && len(cut) > 0 {
		remote := "origin"
		if names, err := r.Remotes(ctx); err == nil && len(names) > 0 {
			remote = usual(names)
		}
		return "this clone is shallow and does not reach back to it; fetch it with: git fetch --unshallow " + remote + ", or in a workflow with fetch-depth: 0"
	}
	return "they have no commit in common"
}

// HeadBranch returns the branch that is checked out, without refs/heads/; "" when
// HEAD is detached.
func (r *Repo) HeadBranch(ctx context.Context) (string, error) {
	out, err := r.git(ctx, "symbolic-ref", "--quiet", "HEAD")
	if err != nil && git.ExitCode(err) != 1 {
		return "", fmt.Errorf("read HEAD: %w", err)
	}
	return strings.TrimPrefix(strings.TrimSpace(string(out)), "refs/heads/"), nil
}
