package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// Line returns the commits after good up to and including bad, oldest first, along
// first parents: what a branch got one after the other, whatever was merged into it.
// Good must be an ancestor of bad.
func (r *Repo) Line(ctx context.Context, good, bad Commit) ([]Commit, error) {
	if _, err := r.git(ctx, "merge-base", "--is-ancestor", good.SHA, bad.SHA); err != nil {
		if git.ExitCode(err) == 1 {
			return nil, fmt.Errorf("%.12s is no ancestor of %.12s: begin at their merge base (git merge-base %.12s %.12s)", good.SHA, bad.SHA, good.SHA, bad.SHA)
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

// ErrNotBisecting says that no git bisect is going on that knows both ends.
var ErrNotBisecting = errors.New("no git bisect is going on: start one with git bisect start BAD GOOD")

// Bisecting is the state of a git bisect.
type Bisecting struct {
	Good, Bad Commit // the ends that it was started with; of several good ones the first
	Next      Commit // the commit that git wants to know about
}

var bisectLine = regexp.MustCompile(`^# ([^:\[\]]+): \[([0-9a-f]{40}|[0-9a-f]{64})\]`)

// Bisecting reads the state of the git bisect that is going on in this work tree, or
// ErrNotBisecting. The references that git keeps of it move with each step; its log
// says where it began.
func (r *Repo) Bisecting(ctx context.Context) (Bisecting, error) {
	var b Bisecting
	text, err := r.git(ctx, "bisect", "log")
	if err != nil {
		return b, fmt.Errorf("%w (%w)", ErrNotBisecting, err)
	}
	term := func(flag, standard string) string {
		if out, err := r.git(ctx, "bisect", "terms", flag); err == nil {
			return strings.TrimSpace(string(out))
		}
		return standard
	}
	first := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if m := bisectLine.FindStringSubmatch(line); m != nil && first[m[1]] == "" {
			first[m[1]] = m[2]
		}
	}
	good, bad := first[term("--term-good", "good")], first[term("--term-bad", "bad")]
	if good == "" || bad == "" {
		return b, ErrNotBisecting
	}
	// With --no-checkout, git names the commit there and leaves HEAD alone.
	next, err := r.lookup(ctx, "BISECT_HEAD")
	if err == nil && next == "" {
		next, err = r.lookup(ctx, "HEAD")
	}
	if err != nil {
		return b, fmt.Errorf("read state of git bisect: %w", err)
	}
	for _, c := range []struct {
		sha string
		to  *Commit
	}{{good, &b.Good}, {bad, &b.Bad}, {next, &b.Next}} {
		if *c.to, err = r.commit(ctx, c.sha); err != nil {
			return b, fmt.Errorf("read state of git bisect: %w", err)
		}
	}
	return b, nil
}

// Count returns how many commits are in bad and not in good.
func (r *Repo) Count(ctx context.Context, good, bad Commit) (int, error) {
	out, err := r.git(ctx, "rev-list", good.SHA+".."+bad.SHA)
	if err != nil {
		return 0, fmt.Errorf("count commits: %w", err)
	}
	return slices.Max([]int{1, strings.Count(string(out), "\n")}), nil
}
