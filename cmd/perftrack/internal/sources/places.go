package sources

import (
	"context"
	"os"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/modules"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// PlacesIn returns a function that finds the declaration of a benchmark in the current files of the
// repository or module. It returns nil outside repositories and modules.
func PlacesIn(ctx context.Context, a *workspace.Session) func(target string, id record.BenchmarkID) reports.Place {
	where, _ := a.LocateUnconfigured(ctx)
	root := modules.FindRoot(where.Dir)
	if where.Repo != nil {
		root = where.Repo.Root()
	}
	if root == "" {
		return nil
	}
	return Open(os.DirFS(root)).Place
}
