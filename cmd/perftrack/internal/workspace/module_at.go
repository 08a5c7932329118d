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

// FirstModule returns the position of the first commit of a line, the oldest first, from which on
// there is the go.mod of the targets' module: what is before it cannot be built. It is 0 where
// nothing needs one, and the length of the line where no commit has it. Should a project have given
// up its go.mod for a while, it may be a later commit than the very first.
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
	without, with := -1, len(line) // halving what is between them
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
