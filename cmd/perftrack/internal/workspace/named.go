package workspace

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gotool"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// OneBenchmark returns the name of the only benchmark selected by bench, the value of --bench,
// either a name or a regular expression. It looks for names in the sources and in db, which may be
// nil.
func (a *Session) OneBenchmark(ctx context.Context, where Place, db *store.DB, bench string) (string, error) {
	pattern, err := naming.ParsePattern(bench)
	if err != nil {
		return "", fault.Usagef("--bench: %w", err)
	}
	if name, ok := literal(bench); ok {
		return name, nil
	}
	names, err := a.benchmarkNames(ctx, where, db)
	if err != nil {
		return "", err
	}
	plain := strings.TrimPrefix(bench, "Benchmark")
	if regexp.QuoteMeta(plain) == plain && isName(plain, pattern, names) {
		return plain, nil
	}
	return selectedOne(pattern, bench, names)
}

// isName reports whether plain, a text without operators, is the name of a benchmark. It returns
// true if names contains plain or its function, or if the pattern matches none of names, because
// the benchmark may exist at another commit.
func isName(plain string, pattern naming.Pattern, names []string) bool {
	function, _, _ := strings.Cut(plain, "/")
	return slices.Contains(names, plain) || slices.Contains(names, function) || slices.Contains(names, record.WithoutProcs(plain)) ||
		!slices.ContainsFunc(names, pattern.Matches)
}

// benchmarkNames returns the names of benchmarks stored or declared in the sources of Go targets.
func (a *Session) benchmarkNames(ctx context.Context, where Place, db *store.DB) (names []string, err error) {
	if db != nil {
		stored, err := db.Benchmarks(ctx, store.Filter{})
		if err != nil {
			return nil, fault.IO(err)
		}
		for _, b := range stored {
			if b.Kind == record.Bench {
				names = append(names, b.Name)
			}
		}
	}
	targets, err := a.AllTargets(ctx, where)
	if err != nil {
		return names, nil //nolint:nilerr // choosing a target reports the error
	}
	for _, t := range targets {
		if t.Kind != config.GoTest {
			continue
		}
		pkgs, err := gotool.BenchmarkPackages(ctx, where.ModuleDir(), gotool.PackagePatterns(t.Packages), t.Only)
		if err != nil {
			continue // the benchmark may still be stored
		}
		for _, p := range pkgs {
			names = append(names, p.Declared()...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// selectedOne returns the only name matched by the pattern, or an error if there is not exactly
// one. A function with known sub-benchmarks does not itself count as a benchmark.
func selectedOne(pattern naming.Pattern, bench string, names []string) (string, error) {
	var matching []string
	for _, name := range names {
		below := func(other string) bool { return strings.HasPrefix(other, name+"/") }
		if pattern.Matches(name) && !slices.ContainsFunc(names, below) {
			matching = append(matching, name)
		}
	}
	switch len(matching) {
	case 0:
		return "", fault.Usagef("no benchmark matches %q%s", bench, pattern.Nearest(names))
	case 1:
		return matching[0], nil
	}
	return "", fault.Usagef("%d benchmarks match %q, but exactly one must: %s", len(matching), bench, fault.SomeOf(matching, ", "))
}

// literal returns the only name that an expression such as ^BenchmarkSort$/^n=10$ can match; ok is
// false if the expression may match several names.
func literal(bench string) (name string, ok bool) {
	levels := strings.Split(bench, "/")
	for i, level := range levels {
		level, begins := strings.CutPrefix(level, "^")
		level, ends := strings.CutSuffix(level, "$")
		if i == 0 {
			level = strings.TrimPrefix(level, "Benchmark")
		}
		unquoted := strings.ReplaceAll(level, `\`, "")
		if !begins || !ends || regexp.QuoteMeta(unquoted) != level && regexp.QuoteMeta(level) != level {
			return "", false
		}
		levels[i] = unquoted
	}
	return strings.Join(levels, "/"), true
}
