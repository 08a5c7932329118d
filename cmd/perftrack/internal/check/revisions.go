package check

import (
	"context"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/config"
)

// TakeArgs sorts the arguments of a command line into base, head (in this order) and targets. A
// name of both a target and a revision means the target. An argument that begins with a dot or
// contains "..." is a package pattern. Any other unknown argument counts as a target.
func (o *Options) TakeArgs(ctx context.Context, a *workspace.Session, args []string) error {
	where, err := a.Locate(ctx)
	if err != nil || where.Repo == nil || len(args) == 0 {
		o.Targets = args
		return nil //nolint:nilerr // the measurement reports it
	}
	known, _ := a.AllTargets(ctx, where) // without known targets, each argument may be a revision
	isRevision := func(word string) bool {
		_, err := where.Repo.Resolve(ctx, word)
		return err == nil
	}
	revs, targets := sortArgs(args, known, isRevision)
	for _, name := range targets {
		if _, ok := workspace.FindTarget(known, name); ok && isRevision(name) {
			a.Noticef("%[1]s is taken as a target, not as a revision: for the revision, use --base %[1]s or --head %[1]s", name)
		}
	}
	o.Targets = targets
	switch {
	case len(revs) > 2:
		return fault.Usagef("%s are %d revisions, but a check has only a base and a head", strings.Join(revs, ", "), len(revs))
	case len(revs) > 0 && o.Base != "":
		return fault.Usagef("both %s and --base %s name the base: use one", revs[0], o.Base)
	case len(revs) > 1 && o.Head != "":
		return fault.Usagef("both %s and --head %s name the head: use one", revs[1], o.Head)
	}
	if len(revs) > 0 {
		o.Base = revs[0]
	}
	if len(revs) > 1 {
		o.Head = revs[1]
	}
	return nil
}

// sortArgs separates revisions, including BASE..HEAD, from targets and package patterns.
func sortArgs(args []string, known []config.Target, isRevision func(string) bool) (revs, targets []string) {
	for _, word := range args {
		_, isTarget := workspace.FindTarget(known, word)
		if isTarget || strings.HasPrefix(word, ".") || strings.Contains(word, "...") {
			targets = append(targets, word)
			continue
		}
		ends := comparison.SplitRange([]string{word})
		for _, rev := range ends {
			if !isRevision(rev) {
				ends = nil
				break
			}
		}
		if ends == nil {
			targets = append(targets, word)
		}
		revs = append(revs, ends...)
	}
	return revs, targets
}
