package gitrepo

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
	"github.com/perftrack/perftrack/runner/record"
)

// Between returns the commits in the history of head, including head, but not in the history of
// base. These are the commits of a pull request. Both arguments must be full object names.
func (r *Repo) Between(ctx context.Context, base, head string) ([]string, error) {
	if !git.IsObjectName(base) || !git.IsObjectName(head) {
		return nil, fmt.Errorf("list commits between %q and %q: not two object names", base, head)
	}
	out, err := r.git(ctx, "rev-list", head, "^"+base)
	if err != nil {
		return nil, fmt.Errorf("list commits between %s and %s: %w", base, head, err)
	}
	return strings.Fields(string(out)), nil
}

// Line returns the commits after good up to and including bad, oldest first, along first parents.
// These are the successive states of a branch, without the commits of branches merged into it. good
// must be an ancestor of bad.
func (r *Repo) Line(ctx context.Context, good, bad Commit) ([]Commit, error) {
	if _, err := r.git(ctx, "merge-base", "--is-ancestor", good.SHA, bad.SHA); err != nil {
		if git.ExitCode(err) == 1 {
			return nil, fmt.Errorf("%s is not an ancestor of %s: start from their merge base (git merge-base %s %s)", record.ShortHash(good.SHA), record.ShortHash(bad.SHA), record.ShortHash(good.SHA), record.ShortHash(bad.SHA))
		}
		return nil, fmt.Errorf("list commits: %w", err)
	}
	out, err := r.git(ctx, "rev-list", "--first-parent", "--reverse", good.SHA+".."+bad.SHA)
	if err != nil {
		return nil, fmt.Errorf("list commits: %w", err)
	}
	commits, err := r.commits(ctx, strings.Fields(string(out)))
	if err != nil {
		return nil, fmt.Errorf("list commits: %w", err)
	}
	return commits, nil
}

// ChangedFiles returns, for each pair of commits, the files differing between the first and the
// second commit. Paths are relative to the root, with slashes; they are untrusted text.
func (r *Repo) ChangedFiles(ctx context.Context, pairs [][2]string) ([][]string, error) {
	files := make([][]string, len(pairs))
	for i, p := range pairs {
		if !git.IsObjectName(p[0]) || !git.IsObjectName(p[1]) {
			return nil, fmt.Errorf("list changed files: %q..%q are not full object names", p[0], p[1])
		}
		c := git.Call{Dir: r.root, Args: []string{"diff-tree", "-r", "-z", "--name-only", "--no-renames", p[0], p[1]}}
		err := git.Records(ctx, c, 0, func(name string) error {
			files[i] = append(files[i], name)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("list changed files: %w", err)
		}
	}
	return files, nil
}

// Count returns the number of commits in the history of bad but not of good, and at least 1.
func (r *Repo) Count(ctx context.Context, good, bad Commit) (int, error) {
	out, err := r.git(ctx, "rev-list", good.SHA+".."+bad.SHA)
	if err != nil {
		return 0, fmt.Errorf("count commits: %w", err)
	}
	return slices.Max([]int{1, strings.Count(string(out), "\n")}), nil
}

// FirstParents returns the set of rev and its ancestors along first parents: the history of a
// branch without the commits merged into it. It is empty if there is no such revision.
func (r *Repo) FirstParents(ctx context.Context, rev string) (map[string]bool, error) {
	commits, err := r.FirstParentLine(ctx, rev)
	if err != nil || len(commits) == 0 {
		return nil, err
	}
	line := map[string]bool{}
	for _, sha := range commits {
		line[sha] = true
	}
	return line, nil
}

// Ancestors returns the commits reachable from rev, including rev and merged branches, each before
// its parents. It is empty if there is no such revision.
func (r *Repo) Ancestors(ctx context.Context, rev string) ([]string, error) {
	tip, err := r.lookup(ctx, rev)
	if err != nil || tip == "" {
		return nil, err
	}
	out, err := r.git(ctx, "rev-list", "--topo-order", tip)
	if err != nil {
		return nil, fmt.Errorf("list the ancestors of %s: %w", rev, err)
	}
	return strings.Fields(string(out)), nil
}

// FirstParentLine returns the commits of [Repo.FirstParents] as a list, newest first.
func (r *Repo) FirstParentLine(ctx context.Context, rev string) ([]string, error) {
	tip, err := r.lookup(ctx, rev)
	if err != nil || tip == "" {
		return nil, err
	}
	out, err := r.git(ctx, "rev-list", "--first-parent", tip)
	if err != nil {
		return nil, fmt.Errorf("list the first parents of %s: %w", rev, err)
	}
	return strings.Fields(string(out)), nil
}

// pullOfSubject matches the subject that GitHub and similar sites give the merge commit of a pull
// request.
var pullOfSubject = regexp.MustCompile(`\(#([1-9][0-9]{0,8})\)$|^Merge pull request #([1-9][0-9]{0,8}) from `)

// Landed returns the commits that brought pull requests into the first-parent history of tip, keyed
// by pull request number. tip must be a full object name. If several commits have the same number,
// the oldest wins. Rebased pull requests are not found, because their commits have no number.
func (r *Repo) Landed(ctx context.Context, tip string) (map[int]string, error) {
	if !git.IsObjectName(tip) {
		return nil, fmt.Errorf("list merged pull requests of %q: not an object name", tip)
	}
	out, err := r.git(ctx, "log", "--first-parent", "--no-show-signature", "--format=%H %s", "-E", "--grep=#[1-9][0-9]*", tip, "--")
	if err != nil {
		return nil, fmt.Errorf("list merged pull requests of %s: %w", tip, err)
	}
	landed := map[int]string{}
	for line := range strings.Lines(string(out)) {
		sha, subject, _ := strings.Cut(strings.TrimSpace(line), " ")
		if m := pullOfSubject.FindStringSubmatch(subject); m != nil {
			if n, err := strconv.Atoi(m[1] + m[2]); err == nil {
				landed[n] = sha // newer commits come first, so an older one replaces them
			}
		}
	}
	return landed, nil
}
