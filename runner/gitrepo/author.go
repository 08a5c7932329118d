package gitrepo

import (
	"context"
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// Author returns whom a commit made here now would name as its author, Name <email>; "" where git is not
// told a name: it would make one of the machine's.
func (r *Repo) Author(ctx context.Context) (string, error) {
	out, err := r.git(ctx, "-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT")
	if err != nil && git.ExitCode(err) > 0 {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("ask git who the author is: %w", err)
	}
	name, _, ok := strings.Cut(string(out), ">") // the time follows
	if !ok {
		return "", nil
	}
	return name + ">", nil
}
