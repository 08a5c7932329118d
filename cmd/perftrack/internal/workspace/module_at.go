package workspace

import (
	"context"
	"path"
	"path/filepath"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/modules"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
)

// FirstModule returns the index of the first commit in line with a go.mod for the targets; earlier
// commits cannot be built. line begins with the oldest commit. FirstModule returns 0 if no target
// needs a module, and len(line) if no commit has a go.mod. It uses binary search, so it may return
// the index of a later commit if the project once removed its go.mod.
func (p Place) FirstModule(ctx context.Context, targets []config.Target, line []gitrepo.Commit) (int, error) {
	root := modules.FindRoot(p.ModuleDir())
	if root == "" || !slices.ContainsFunc(targets, func(t config.Target) bool { return t.Kind == config.GoTest }) {
		return 0, nil
	}
	dir, err := p.InRepo(root)
	if err != nil {
		return 0, err
	}
	name := path.Join(filepath.ToSlash(dir), "go.mod")
	const most = 1 << 20
	has := func(i int) (bool, error) {
		_, ok, err := p.Repo.File(ctx, line[i], name, most)
		return ok, err
	}
	without, with := -1, len(line) // the index is greater than without and at most with
	if ok, err := has(0); err != nil {
		return 0, fault.Git(err)
	} else if ok {
		return 0, nil
	}
	for without++; with-without > 1; {
		middle := (without + with) / 2
		ok, err := has(middle)
		if err != nil {
			return 0, fault.Git(err)
		}
		if ok {
			with = middle
		} else {
			without = middle
		}
	}
	return with, nil
}
