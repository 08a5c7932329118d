package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// ErrNoDefaultBranch means that a repository has no recognizable default branch.
var ErrNoDefaultBranch = errors.New("find the default branch: found neither origin/HEAD nor a branch named main or master")

// DefaultBranch returns the branch that pull requests are merged into, as a revision. It is the
// HEAD of the remote origin, or else the first of origin/main, origin/master, main and master that
// exists.
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

// MergeBase returns the best common ancestor of two revisions.
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

// unrelated explains why two commits have no common ancestor.
func (r *Repo) unrelated(ctx context.Context) string {
	if cut, err := r.boundary(); err == nil && len(cut) > 0 {
		remote := "origin"
		if names, err := r.Remotes(ctx); err == nil && len(names) > 0 {
			remote = usual(names)
		}
		return "the clone is shallow and lacks it; fetch it with `git fetch --unshallow " + remote + "`, or set fetch-depth: 0 in the workflow"
	}
	return "they have no commit in common"
}

// HeadBranch returns the checked-out branch without refs/heads/, or "" if HEAD is detached.
func (r *Repo) HeadBranch(ctx context.Context) (string, error) {
	out, err := r.git(ctx, "symbolic-ref", "--quiet", "HEAD")
	if err != nil && git.ExitCode(err) != 1 {
		return "", fmt.Errorf("read HEAD: %w", err)
	}
	return strings.TrimPrefix(strings.TrimSpace(string(out)), "refs/heads/"), nil
}

// Branches returns the names of the branches and remote-tracking branches of this clone. Names are
// untrusted text from the repository.
func (r *Repo) Branches(ctx context.Context) (map[string]bool, error) {
	names := map[string]bool{}
	for folder, strip := range map[string]string{"refs/heads": "2", "refs/remotes": "3"} {
		out, err := r.git(ctx, "for-each-ref", "--format=%(refname:lstrip="+strip+")", folder)
		if err != nil {
			return nil, fmt.Errorf("list branches: %w", err)
		}
		for name := range strings.Lines(string(out)) {
			names[strings.TrimSuffix(name, "\n")] = true
		}
	}
	return names, nil
}
