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

// OneBenchmark returns the name of the one benchmark that --bench selects, which is a name or, as for the other
// commands, an expression. Names are known from the sources and from db, which may be nil.
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

// isName reports whether a text that is no expression is a name: one of these or below one of them, or of
// another commit, as none of these matches it either.
func isName(plain string, pattern naming.Pattern, names []string) bool {
	function, _, _ := strings.Cut(plain, "/")
	return slices.Contains(names, plain) || slices.Contains(names, function) || slices.Contains(names, record.WithoutProcs(plain)) ||
		!slices.ContainsFunc(names, pattern.Matches)
}

// benchmarkNames are the benchmarks that are stored and those that the sources of Go targets declare.
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
		return names, nil //nolint:nilerr // whoever chooses one says what is wrong
	}
	for _, t := range targets {
		if t.Kind != config.GoTest {
			continue
		}
		pkgs, err := gotool.BenchmarkPackages(ctx, where.ModuleDir(), gotool.PackagePatterns(t.Packages), t.Only)
		if err != nil {
			continue // what does not list may be stored
		}
		for _, p := range pkgs {
			names = append(names, p.Declared()...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// selectedOne is the one name that the pattern matches. A function of which benchmarks are known is none itself.
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
	return "", fault.Usagef("%d benchmarks match %q and this is of one: %s", len(matching), bench, fault.SomeOf(matching, ", "))
}

// literal is the one name that an expression as ^BenchmarkSort$/^n=10$ can match.
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
