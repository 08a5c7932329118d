package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// Order returns each commit's position in a topological order of the history, with every commit
// after all its ancestors. It ignores dates, so a wrong clock cannot affect the order. Positions
// count all commits in the history of HEAD and of the given commits, so on one line of development
// the difference between two positions is a number of commits. Commits on separate branches have a
// fixed but arbitrary order. Commits missing in this clone and names that are not full ids are
// omitted.
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
	// HEAD comes first so that the position of a commit in HEAD's history does not depend on the
	// other commits.
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

// Times returns the committer time of each commit. It omits commits missing in this clone and names
// that are not full ids.
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

// known returns the shas of commits that this clone has, sorted.
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

// Reachable returns the commits reachable from HEAD or any reference, such as a branch, a remote
// branch or a tag. It returns an error in a shallow clone, because most commits are missing there.
func (r *Repo) Reachable(ctx context.Context, shas []string) (map[string]bool, error) {
	shallow, err := r.Shallow()
	if err != nil {
		return nil, err
	}
	if shallow {
		return nil, errors.New("find reachable commits: the clone is shallow: run `git fetch --unshallow` first")
	}
	wanted, reachable := make(map[string]bool, len(shas)), map[string]bool{}
	for _, sha := range shas {
		wanted[sha] = true
	}
	err = git.Records(ctx, git.Call{Dir: r.root, Args: []string{"rev-list", "--all"}}, '\n', func(sha string) error {
		if wanted[sha] {
			reachable[sha] = true
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("find reachable commits: %w", err)
	}
	return reachable, nil
}
