package bisect

import (
	"context"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gotool"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// owner returns the name of the one target that has the benchmark, as its sources declare it or as
// it is stored; "" where that is not known, or there is only one target.
func (b *bisection) owner(ctx context.Context) (string, error) {
	targets, err := b.Session.AllTargets(ctx, b.ground)
	if err != nil || len(targets) < 2 {
		return "", nil // whoever chooses says what is wrong
	}
	name := strings.TrimPrefix(b.Opt.Flags.Bench, "Benchmark")
	stored, err := b.DB.Benchmarks(ctx, store.Filter{})
	if err != nil {
		return "", fault.IO(err)
	}
	var have []string
	for _, t := range targets {
		has := slices.ContainsFunc(stored, func(i store.BenchmarkInfo) bool { return i.Target == t.Name && i.Name == name })
		if !has && t.Kind == config.GoTest {
			function, _, _ := strings.Cut(name, "/")
			function = record.WithoutProcs(function)
			pkgs, err := gotool.PackagesDeclaring(ctx, b.ground.ModuleDir(), t.Packages, function)
			has = err == nil && len(pkgs) > 0
		}
		if has {
			have = append(have, t.Name)
		}
	}
	switch len(have) {
	case 0:
		return "", nil
	case 1:
		return have[0], nil
	}
	return "", fault.Usagef("%d targets have %s: choose one with --target: %s", len(have), name, strings.Join(have, ", "))
}
