package check

import (
	"context"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/config"
)

// TakeArgs takes from the arguments of a command line the base and the head, in this order, and the
// targets. A word that is the name of a target is that, even where it is a revision, too; what begins
// with a dot or has "..." is a pattern of packages. What is neither a target nor a revision is left to
// the targets.
func (o *Options) TakeArgs(ctx context.Context, a *workspace.Session, args []string) error {
	where, err := a.Locate(ctx)
	if err != nil || where.Repo == nil || len(args) == 0 {
		o.Targets = args
		return nil //nolint:nilerr // whoever measures says so
	}
	known, _ := a.AllTargets(ctx, where) // without any each word may be a revision
	isRevision := func(word string) bool {
		_, err := where.Repo.Resolve(ctx, word)
		return err == nil
	}
	revs, targets := sortArgs(args, known, isRevision)
	for _, name := range targets {
		if _, ok := workspace.FindTarget(known, name); ok && isRevision(name) {
			a.Noticef("%[1]s is the target here, not the revision: that is --base %[1]s or --head %[1]s", name)
		}
	}
	o.Targets = targets
	switch {
	case len(revs) > 2:
		return fault.Usagef("%s are %d revisions: a check has a base and a head", strings.Join(revs, ", "), len(revs))
	case len(revs) > 0 && o.Base != "":
		return fault.Usagef("the base is %s or --base %s: give one", revs[0], o.Base)
	case len(revs) > 1 && o.Head != "":
		return fault.Usagef("the head is %s or --head %s: give one", revs[1], o.Head)
	}
	if len(revs) > 0 {
		o.Base = revs[0]
	}
	if len(revs) > 1 {
		o.Head = revs[1]
	}
	return nil
}

// sortArgs tells revisions, BASE..HEAD included, from targets and patterns of packages.
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
