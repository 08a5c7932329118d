package gitrepo

import (
	"context"
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// shortestPrefix is the least number of hex digits that git takes for the beginning of a hash.
const shortestPrefix = 4

// CommitsOf returns the commits whose hashes begin with the given prefixes, keyed by prefix. It omits
// prefixes that no commit in this clone has, or several. Unlike [Repo.Resolve], it never takes a
// prefix for the name of a branch or a tag. It looks up all of them together.
func (r *Repo) CommitsOf(ctx context.Context, prefixes []string) (map[string]Commit, error) {
	var asked []string
	for _, p := range prefixes {
		if len(p) >= shortestPrefix && git.IsHex(p) {
			asked = append(asked, p)
		}
	}
	shas := make(map[string]string, len(asked))
	if len(asked) > 0 {
		var names strings.Builder
		for _, p := range asked {
			names.WriteString(p + "^{commit}\n")
		}
		out, err := git.Output(ctx, git.Call{Dir: r.root, Stdin: strings.NewReader(names.String()),
			Args: []string{"cat-file", "--batch-check=%(objectname)"}})
		if err != nil {
			return nil, fmt.Errorf("find commits: %w", err)
		}
		answers := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
		if len(answers) != len(asked) {
			return nil, fmt.Errorf("find commits: git answered %d of %d questions", len(answers), len(asked))
		}
		for i, p := range asked {
			// A tag's object has another hash than its commit, and a branch may be called like a hash.
			if git.IsObjectName(answers[i]) && strings.HasPrefix(answers[i], p) {
				shas[p] = answers[i]
			}
		}
	}
	full := make([]string, 0, len(shas))
	for _, sha := range shas {
		full = append(full, sha)
	}
	known, err := r.Commits(ctx, full)
	if err != nil {
		return nil, err
	}
	commits := make(map[string]Commit, len(shas))
	for p, sha := range shas {
		if c, ok := known[sha]; ok {
			commits[p] = c
		}
	}
	return commits, nil
}
