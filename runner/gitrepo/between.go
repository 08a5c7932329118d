package gitrepo

import (
	"bytes"
	"context"
	"fmt"
	"strings"
)

// Between returns the commits that head has in its history, itself included, and base
// has not: what a pull request adds. Both are full object names.
func (r *Repo) Between(ctx context.Context, base, head string) ([]string, error) {
	if !isObjectName(base) || !isObjectName(head) {
		return nil, fmt.Errorf("list commits between %q and %q: not two object names", base, head)
	}
	out, err := r.git(ctx, "rev-list", head, "^"+base)
	if err != nil {
		return nil, fmt.Errorf("list commits between %s and %s: %w", base, head, err)
	}
	return strings.Fields(string(out)), nil
}

// Message returns the whole message of a commit: free text, which every writer must
// escape.
func (r *Repo) Message(ctx context.Context, sha string) (string, error) {
	if !isObjectName(sha) {
		return "", fmt.Errorf("read message of %q: not an object name", sha)
	}
	out, err := r.git(ctx, "cat-file", "commit", sha)
	if err != nil {
		return "", fmt.Errorf("read message of %s: %w", sha, err)
	}
	_, message, _ := bytes.Cut(out, []byte("\n\n"))
	return strings.ToValidUTF8(string(message), "\uFFFD"), nil
}
