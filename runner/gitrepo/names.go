package gitrepo

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// A Name is a name that a user may type for a commit, together with the commit's subject. Both are
// untrusted text from the repository.
type Name struct{ Name, Subject string }

// Names returns the newest branches, tags and remote branches, at most refs of them, followed by
// the short ids of the newest commits in the history of HEAD, at most commits of them.
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
