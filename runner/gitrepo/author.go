package gitrepo

import (
	"context"
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// Author returns the author of a new commit, as Name <email>. It returns "" if no name is
// configured, in which case git would derive one from the user and host names.
func (r *Repo) Author(ctx context.Context) (string, error) {
	out, err := r.git(ctx, "-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT")
	if err != nil && git.ExitCode(err) > 0 {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("find the author in git's configuration: %w", err)
	}
	name, _, ok := strings.Cut(string(out), ">") // the time follows
	if !ok {
		return "", nil
	}
	return name + ">", nil
}
