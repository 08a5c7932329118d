package workspace

import (
	"context"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gotool"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/spelling"
	"github.com/perftrack/perftrack/store"
)

// Owner returns the name of the benchmark's target, according to the sources and to db, which may
// be nil. If several targets contain it, Owner returns the first one and prints a notice. It
// returns "" if there is only one target, or if no target is known to contain the benchmark but a
// target with unknown benchmarks might.
func (a *Session) Owner(ctx context.Context, where Place, db *store.DB, bench string) (string, error) {
	targets, err := a.AllTargets(ctx, where)
	if err != nil || len(targets) < 2 {
		return "", nil // choosing the target reports the error
	}
	name := strings.TrimPrefix(bench, "Benchmark")
	var stored []store.BenchmarkInfo
	if db != nil {
		if stored, err = db.Benchmarks(ctx, store.Filter{}); err != nil {
			return "", fault.IO(err)
		}
	}
	function, _, _ := strings.Cut(name, "/")
	function = record.WithoutProcs(function) // names of Go functions contain no "-"
	var names, have, functions []string
	unknown := false
	for _, t := range targets {
		names = append(names, t.Name)
		has := slices.ContainsFunc(stored, func(i store.BenchmarkInfo) bool { return i.Target == t.Name && i.Name == name })
		if t.Kind == config.GoTest {
			pkgs, err := gotool.BenchmarkPackages(ctx, where.ModuleDir(), gotool.PackagePatterns(t.Packages), t.Only)
			unknown = unknown || err != nil
			for _, p := range pkgs {
				declared := p.Declared()
				functions = append(functions, declared...)
				has = has || slices.Contains(declared, function)
			}
		} else {
			unknown = true
		}
		if has {
			have = append(have, t.Name)
		}
	}
	switch {
	case len(have) == 1:
		return have[0], nil
	case len(have) > 1:
		a.Noticef("%d targets have %s: %s; using the first, %s; choose another one with --target", len(have), name, strings.Join(have, ", "), have[0])
		return have[0], nil
	case unknown:
		return "", nil
	}
	near := ""
	if word := spelling.Nearest(function, functions); word != "" {
		near = ": did you mean " + word + "?"
	}
	return "", fault.Usagef("none of the targets %s has a benchmark %s%s", strings.Join(names, ", "), name, near)
}
