package profiling

import (
	"cmp"
	"context"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/profiles"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports/functions"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// Kept returns the stored function profiles at a commit for the benchmarks matching the pattern.
func Kept(ctx context.Context, a *workspace.Session, commit string, pattern naming.Pattern) (res Result, err error) {
	database, err := a.DatabasePath(ctx)
	if err != nil {
		return res, err
	}
	all, err := profiles.ListOf(profiles.Folder(database), commit, func(err error) { a.Noticef("skipped: %v", err) })
	if err != nil {
		return res, fault.IO(err)
	}
	of := map[profiles.Meta][]profiles.Profile{}
	for _, p := range all {
		if !pattern.Matches(p.Benchmark) {
			continue
		}
		key := profiles.Meta{Target: p.Target, Package: p.Package, Benchmark: p.Benchmark, Commit: p.Commit}
		if len(of[key]) == 0 {
			b := &functions.Benchmark{Target: p.Target, BenchmarkID: record.BenchmarkID{Kind: record.Bench, Package: p.Package, Name: p.Benchmark}, Commits: []record.Commit{{SHA: p.Commit}}}
			res.Benchmarks = append(res.Benchmarks, b)
		}
		p.Base = "" // the profile is shown alone
		of[key] = append(of[key], p)
	}
	for _, b := range res.Benchmarks {
		kept := of[profiles.Meta{Target: b.Target, Package: b.Package, Benchmark: b.Name, Commit: b.Commits[0].SHA}]
		Fill(b, kept)
		res.Profiles = append(res.Profiles, kept...)
	}
	slices.SortStableFunc(res.Benchmarks, func(a, b *functions.Benchmark) int {
		return cmp.Or(cmp.Compare(a.Target, b.Target), cmp.Compare(a.Package, b.Package), cmp.Compare(a.Name, b.Name))
	})
	return res, nil
}
