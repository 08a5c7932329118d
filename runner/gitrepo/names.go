package gitrepo

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// A Name is a word that a user may type for a commit, and the commit's subject, both free text
// from the repository.
type Name struct{ Name, Subject string }

// Names returns the branches, tags and branches of remotes, the newest first, and then the ids of
// the newest commits of HEAD; at most so many of either.
func (r *Repo) Names(ctx context.Context, refs, commits int) (names []Name, err error) {
	out, err := r.git(ctx, "for-each-ref", "--count="+strconv.Itoa(refs), "--sort=-creatordate",
		"--format=%(refname:lstrip=2)%00%(contents:subject)", "refs/heads", "refs/tags", "refs/remotes")
	if err != nil {
		return nil, fmt.Errorf("list branches and tags: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		name, subject, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\x00")
		names = append(names, Name{name, subject})
	}
	head, err := r.lookup(ctx, "HEAD")
	if err != nil || head == "" {
		return names, err
	}
	if out, err = r.git(ctx, "rev-list", "--max-count="+strconv.Itoa(commits), head); err != nil {
		return nil, fmt.Errorf("list commits: %w", err)
	}
	newest, err := r.commits(ctx, strings.Fields(string(out)))
	for _, c := range newest {
		names = append(names, Name{c.SHA[:12], c.Subject})
	}
	return names, err
}
