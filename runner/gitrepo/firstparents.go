package gitrepo

import (
	"context"
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// FirstParents returns rev and its ancestors along first parents: the line of
// development that a branch has, without what was merged into it. It is empty
// where there is no such revision.
func (r *Repo) FirstParents(ctx context.Context, rev string) (map[string]bool, error) {
	tip, err := r.lookup(ctx, rev)
	if err != nil || tip == "" {
		return nil, err
	}
	out, err := r.git(ctx, "rev-list", "--first-parent", tip)
	if err != nil {
		return nil, fmt.Errorf("list the first parents of %s: %w", rev, err)
	}
	line := map[string]bool{}
	for sha := range strings.Lines(string(out)) {
		line[strings.TrimSuffix(sha, "\n")] = true
	}
	return line, nil
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
