package measure

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/naming"
)

var (
	atProcs   = regexp.MustCompile(`-\d`)
	plainName = regexp.MustCompile(`^\w+$`)
)

// CheckBench returns an error if --bench matches no benchmark function in the sources of revs,
// where "" is the work tree. This finds mistakes before perftrack waits for its turn or for a
// build. If the sources do not show the benchmarks, CheckBench returns nil and the test binaries
// decide.
func (f Flags) CheckBench(ctx context.Context, where workspace.Place, targets []config.Target, revs ...string) error {
	bench := f.Bench
	pattern, err := naming.ParsePattern(bench)
	if bench == "" || err != nil || where.Repo == nil || atProcs.MatchString(bench) || slices.ContainsFunc(targets, func(t config.Target) bool { return t.Kind != config.GoTest }) {
		return nil
	}
	var names []string
	for _, rev := range revs {
		sha := ""
		if rev != "" {
			at, err := where.Repo.Resolve(ctx, rev)
			if err != nil {
				return fault.Git(err)
			}
			sha = at.SHA
		}
		of, err := where.Repo.Benchmarks(ctx, sha)
		if err != nil {
			return nil //nolint:nilerr // the measurement reports the error
		}
		names = append(names, of...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return selectedOf(pattern, bench, names, len(revs) > 1)
}

// selectedOf returns an error if names is not empty but the pattern matches none of its functions.
// trial reports whether names come from two revisions.
func selectedOf(pattern naming.Pattern, bench string, names []string, trial bool) error {
	matches := func(name string) bool { _, ok := pattern.ForFunction(name, 1); return ok }
	if len(names) == 0 || slices.ContainsFunc(names, matches) {
		return nil
	}
	none := fmt.Sprintf("no benchmark matches %q", bench)
	if trial {
		none = fmt.Sprintf("neither base nor head has a benchmark matching %q", bench)
	}
	if near := pattern.Nearest(names); near != "" {
		return fault.Usagef("%s%s", none, near)
	}
	hint := ""
	if plainName.MatchString(bench) {
		hint = "; for a sub-benchmark, name its function first, as in " + names[0] + "/" + bench
	}
	return fault.Usagef("%s: the benchmarks are %s%s", none, fault.SomeOf(names, ", "), hint)
}
