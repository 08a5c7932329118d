package gitrepo

import (
	"context"
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
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
