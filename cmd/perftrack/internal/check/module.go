package check

import (
	"cmp"
	"context"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
)

// needModule returns an error if the base is older than the go.mod of the module here, because the
// go command could not build the base. The error names the first later commit with a go.mod.
func needModule(ctx context.Context, where workspace.Place, targets []config.Target, opt Options) error {
	if where.Repo == nil || slices.ContainsFunc(targets, func(t config.Target) bool { return t.Kind != config.GoTest }) {
		return nil
	}
	base, err := where.Repo.Resolve(ctx, opt.Base)
	if err != nil {
		return fault.Git(err)
	}
	if first, err := where.FirstModule(ctx, targets, []gitrepo.Commit{base}); first == 0 || err != nil {
		return err
	}
	head, err := where.Repo.Resolve(ctx, cmp.Or(opt.Head, "HEAD"))
	if err != nil {
		return fault.Git(err)
	}
	line, err := where.Repo.Line(ctx, base, head)
	if err != nil {
		return fault.Git(err)
	}
	remedy := "use --base to name a base that has one"
	if first, err := where.FirstModule(ctx, targets, line); err != nil {
		return err
	} else if first < len(line)-1 {
		remedy = "the first commit that has one is " + record.ShortHash(line[first].SHA) + ": use --base " + record.ShortHash(line[first].SHA)
	}
	return fault.Usagef("the base %s lacks this module's go.mod and cannot be built; %s", record.ShortHash(base.SHA), remedy)
}
