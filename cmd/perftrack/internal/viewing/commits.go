package viewing

import (
	"context"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/record"
)

// A CommitWords holds the author and the subject of a commit.
type CommitWords struct{ Author, Subject string }

// Commits returns the authors and subjects of the runs' commits in this repository. For other
// commits, reports show only the hash.
func Commits(ctx context.Context, a *workspace.Session, runs []*record.Run) map[string]CommitWords {
	known := map[string]CommitWords{}
	where, _ := a.LocateUnconfigured(ctx)
	if where.Repo == nil {
		return known
	}
	var shas []string
	for _, r := range runs {
		if r.Commit.SHA != "" && !slices.Contains(shas, r.Commit.SHA) {
			shas = append(shas, r.Commit.SHA)
		}
	}
	commits, err := where.Repo.Commits(ctx, shas)
	if err != nil {
		return known // the report works without them
	}
	for sha, c := range commits {
		known[sha] = CommitWords{c.Author, c.Subject}
	}
	return known
}
