package gitrepo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// A change is a file that differs between a commit and one of its parents.
type change struct {
	commit, path string
	mode, blob   string // mode and object name in the commit
	added        bool
}

// follow returns the changes to path in the history of the tips. If a commit renamed the file to
// path, follow also returns the changes under the former name up to that commit, and so on.
func (r *Repo) follow(ctx context.Context, tips []string, path string) (all []change, err error) {
	type name struct{ tip, path string } // tip "" stands for the tips passed to follow
	names := []name{{"", path}}
	for i := 0; i < len(names); i++ {
		n := names[i]
		from := tips
		if n.tip != "" {
			from = []string{n.tip}
		}
		changes, err := r.changes(ctx, from, literal(n.path))
		if err != nil {
			return nil, err
		}
		all = append(all, changes...)
		for _, c := range changes {
			if !c.added || c.path != n.path {
				continue
			}
			old, err := r.renamedFrom(ctx, c)
			if err != nil {
				return nil, err
			}
			if before := (name{c.commit + "^@", old}); old != "" && !slices.Contains(names, before) {
				names = append(names, before)
			}
		}
	}
	return all, nil
}

// literal returns a pathspec that matches path and everything below it, even if path contains
// special characters.
func literal(path string) string {
	if path == "." {
		return ":(top)"
	}
	return ":(top,literal)" + path
}

// changes returns the changes to files matching a pathspec, in the history of the tips.
func (r *Repo) changes(ctx context.Context, tips []string, pathspec string) ([]change, error) {
	// Without --full-history, git skips a merged branch if the merge did not take its changes.
	args := append([]string{"rev-list", "--full-history"}, tips...)
	commits, err := r.git(ctx, append(args, "--", pathspec)...)
	if err != nil || len(commits) == 0 {
		return nil, err
	}
	var all []change
	c := git.Call{Dir: r.root, Stdin: strings.NewReader(string(commits)),
		Args: []string{"diff-tree", "--stdin", "-r", "-z", "--root", "-m", "--raw", "--no-renames", "--", pathspec}}
	err = rawChanges(ctx, c, func(c change, _ string) { all = append(all, c) })
	return all, err
}

// renamedFrom returns the former path of the file added by c if the same commit renamed the file,
// possibly with a small change; otherwise it returns "".
func (r *Repo) renamedFrom(ctx context.Context, c change) (old string, err error) {
	err = rawChanges(ctx, git.Call{Dir: r.root, Stdin: strings.NewReader(c.commit + "\n"),
		Args: []string{"diff-tree", "--stdin", "-r", "-z", "-M", "--raw", "--diff-filter=R"}}, func(renamed change, from string) {
		if renamed.path == c.path {
			old = from
		}
	})
	return old, err
}

// rawChanges parses the output of git diff-tree --stdin -z --raw: the name of a commit, followed by
// entries ":mode mode blob blob status", each followed by the path or, for a rename, by the old and
// the new path.
func rawChanges(ctx context.Context, c git.Call, each func(c change, from string)) error {
	var commit, from string
	var entry *change // its path is the next record
	renamed := false  // the next record is the former path
	return git.Records(ctx, c, 0, func(s string) error {
		switch f := strings.Fields(s); {
		case renamed:
			from, renamed = s, false
		case entry != nil:
			entry.path = s
			each(*entry, from)
			entry, from = nil, ""
		case git.IsObjectName(s):
			commit = s
		case len(f) == 5 && strings.HasPrefix(s, ":") && commit != "":
			entry = &change{commit: commit, mode: f[1], blob: f[3], added: f[4] == "A"}
			renamed = f[4][0] == 'R'
		default:
			return fmt.Errorf("unexpected output from git diff-tree: %.200q", s)
		}
		return nil
	})
}
