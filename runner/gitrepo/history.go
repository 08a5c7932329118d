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

// Between returns the commits that head has in its history, itself included, and base
// has not: what a pull request adds. Both are full object names.
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

// Line returns the commits after good up to and including bad, oldest first, along
// first parents: what a branch got one after the other, whatever was merged into it.
// Good must be an ancestor of bad.
func (r *Repo) Line(ctx context.Context, good, bad Commit) ([]Commit, error) {
	if _, err := r.git(ctx, "merge-base", "--is-ancestor", good.SHA, bad.SHA); err != nil {
		if git.ExitCode(err) == 1 {
			return nil, fmt.Errorf("%s is no ancestor of %s: begin at their merge base (git merge-base %s %s)", record.ShortHash(good.SHA), record.ShortHash(bad.SHA), record.ShortHash(good.SHA), record.ShortHash(bad.SHA))
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

// ChangedFiles returns, for each pair of commits, the files that differ between the
// first and the second, relative to the root with slashes. Paths are free text.
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

// Count returns how many commits are in bad and not in good.
func (r *Repo) Count(ctx context.Context, good, bad Commit) (int, error) {
	out, err := r.git(ctx, "rev-list", good.SHA+".."+bad.SHA)
	if err != nil {
		return 0, fmt.Errorf("count commits: %w", err)
	}
	return slices.Max([]int{1, strings.Count(string(out), "\n")}), nil
}

// FirstParents returns rev and its ancestors along first parents: the line of
// development that a branch has, without what was merged into it. It is empty
// where there is no such revision.
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

// Ancestors lists the commits that rev reaches, itself and those of merged branches included, each
// before its parents. There are none where the repository has no commit.
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

// FirstParentLine is [Repo.FirstParents] as a list, the newest first.
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

// pullOfSubject is what a forge writes into the subject of the commit by which it merges
// a pull request.
var pullOfSubject = regexp.MustCompile(`\(#([1-9][0-9]{0,8})\)$|^Merge pull request #([1-9][0-9]{0,8}) from `)

// Landed returns the commits by which pull requests came into the first-parent history of
// tip, a full object name, by their numbers; of several of one number the oldest. Those
// that were rebased name none.
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
				landed[n] = sha // the newest come first
			}
		}
	}
	return landed, nil
}
