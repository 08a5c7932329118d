package gitrepo

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// Order returns the position of each commit in the history: a commit comes after all
// its ancestors. Dates play no part, so a wrong clock cannot change the order. The
// positions count every commit of the history up to the given ones and HEAD, so their
// distance on one line of development is a number of commits; commits on separate
// branches have a fixed order, which means nothing. Commits that this clone does not
// have, and names that are no full ids, are absent.
func (r *Repo) Order(ctx context.Context, shas []string) (map[string]int, error) {
	positions, err := r.order(ctx, shas)
	if err != nil {
		return nil, fmt.Errorf("order commits: %w", err)
	}
	return positions, nil
}

func (r *Repo) order(ctx context.Context, shas []string) (map[string]int, error) {
	known, err := r.known(ctx, shas)
	if err != nil || len(known) == 0 {
		return map[string]int{}, err
	}
	wanted := make(map[string]bool, len(known))
	for _, sha := range known {
		wanted[sha] = true
	}
	// HEAD first: the position of a commit on its line then does not depend on what
	// else is asked for.
	head, err := r.lookup(ctx, "HEAD")
	if err != nil {
		return nil, err
	}
	tips := known
	if head != "" {
		tips = append([]string{head}, known...)
	}
	positions, n := make(map[string]int, len(known)), 0
	c := git.Call{Dir: r.root, Stdin: strings.NewReader(strings.Join(tips, "\n") + "\n"),
		Args: []string{"rev-list", "--topo-order", "--reverse", "--stdin"}}
	err = git.Records(ctx, c, '\n', func(sha string) error {
		if wanted[sha] {
			positions[sha] = n
		}
		n++
		return nil
	})
	return positions, err
}

// Times returns when each commit was made, by the committer's clock. Commits that this
// clone does not have, and names that are no full ids, are absent.
func (r *Repo) Times(ctx context.Context, shas []string) (map[string]time.Time, error) {
	commits, err := r.Commits(ctx, shas)
	if err != nil {
		return nil, err
	}
	times := make(map[string]time.Time, len(commits))
	for sha, c := range commits {
		times[sha] = c.Time
	}
	return times, nil
}

// known returns those of shas that are commits of this clone, sorted.
func (r *Repo) known(ctx context.Context, shas []string) ([]string, error) {
	var names bytes.Buffer
	for _, sha := range shas {
		if git.IsObjectName(sha) {
			names.WriteString(sha + "\n")
		}
	}
	if names.Len() == 0 {
		return nil, nil
	}
	out, err := git.Output(ctx, git.Call{Dir: r.root, Stdin: &names,
		Args: []string{"cat-file", "--batch-check=%(objectname) %(objecttype)"}})
	if err != nil {
		return nil, err
	}
	var known []string
	for line := range strings.Lines(string(out)) {
		if sha, ok := strings.CutSuffix(line, " commit\n"); ok {
			known = append(known, sha)
		}
	}
	slices.Sort(known)
	return slices.Compact(known), nil
}
