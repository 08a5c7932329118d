package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/store"
)

// HistoryOptions narrow a history.
type HistoryOptions struct {
	Target string
	Suite  string
	All    bool // also partial, failed and dirty runs
	Limit  int  // newest commits; 0 is all
}

// A Series is one benchmark's runs in commit order, oldest first.
type Series struct {
	Target string
	store.BenchmarkID
	Points []store.HistoryPoint
	Hidden int // runs left out because they may not stand in a history
}

// Series returns the history of the benchmark that name means.
func (a *App) Series(ctx context.Context, name string, opt HistoryOptions) (s Series, err error) {
	where, err := a.place(ctx)
	if err != nil {
		return s, err
	}
	db, err := a.OpenForReading(ctx)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	all, err := db.Benchmarks(ctx, store.Filter{Target: opt.Target})
	if err != nil {
		return s, err
	}
	if len(all) == 0 && opt.Target != "" {
		return s, dataError(fmt.Errorf("no run of target %s is stored: see `perftrack list runs`", opt.Target))
	}
	if opt.Suite != "" {
		all = slices.DeleteFunc(all, func(b store.BenchmarkInfo) bool { return b.Suite != opt.Suite })
	}
	b, err := FindBenchmark(all, name)
	if err != nil {
		return s, dataError(err)
	}
	s.Target, s.BenchmarkID = b.Target, b.BenchmarkID
	if s.Points, err = db.History(ctx, b.Target, b.BenchmarkID); err != nil {
		return s, err
	}
	if !opt.All {
		total := len(s.Points)
		s.Points = slices.DeleteFunc(s.Points, func(p store.HistoryPoint) bool { return !p.Run.Baseline() })
		s.Hidden = total - len(s.Points)
	}
	if err := where.sortByCommit(ctx, s.Points); err != nil {
		return s, err
	}
	s.Points = newestCommits(s.Points, opt.Limit)
	if len(s.Points) == 0 {
		return s, dataError(fmt.Errorf("%s has no complete run of a clean commit, only %d others: show them with --all", b.Name, s.Hidden))
	}
	return s, nil
}

// sortByCommit puts points in the order of the git history: parents before
// children. Clocks do not decide it: commits that this repository does not
// have come first, by their commit time and then as they were stored.
func (p place) sortByCommit(ctx context.Context, points []store.HistoryPoint) error {
	position := map[string]int{}
	if p.repo != nil {
		var shas []string
		for _, pt := range points {
			if pt.Run.Commit.SHA != "" {
				shas = append(shas, pt.Run.Commit.SHA)
			}
		}
		var err error
		if position, err = p.repo.Order(ctx, shas); err != nil {
			return &Error{Kind: "git", Err: err}
		}
	}
	slices.SortStableFunc(points, func(x, y store.HistoryPoint) int {
		i, xKnown := position[x.Run.Commit.SHA]
		j, yKnown := position[y.Run.Commit.SHA]
		switch {
		case xKnown && yKnown:
			return cmp.Or(cmp.Compare(i, j), cmp.Compare(x.Run.Seq, y.Run.Seq))
		case xKnown != yKnown && yKnown:
			return -1
		case xKnown != yKnown:
			return 1
		}
		return cmp.Or(x.Run.Commit.Time.Compare(y.Run.Commit.Time), cmp.Compare(x.Run.Seq, y.Run.Seq))
	})
	return nil
}

// newestCommits returns the points of the last limit commits.
func newestCommits(points []store.HistoryPoint, limit int) []store.HistoryPoint {
	if limit == 0 {
		return points
	}
	seen := map[string]bool{}
	for i := len(points) - 1; i >= 0; i-- {
		seen[points[i].Run.Commit.SHA] = true
		if len(seen) > limit {
			return points[i+1:]
		}
	}
	return points
}

// FindBenchmark returns the one benchmark that name means: its exact name, or
// package.name, else the unique end of one.
func FindBenchmark(all []store.BenchmarkInfo, name string) (store.BenchmarkInfo, error) {
	matches := func(match func(full, short string) bool) (found []store.BenchmarkInfo) {
		for _, b := range all {
			if match(fullName(b), b.Name) {
				found = append(found, b)
			}
		}
		return found
	}
	found := matches(func(full, short string) bool { return short == name || full == name })
	if len(found) == 0 {
		found = matches(func(full, _ string) bool { return strings.HasSuffix(full, name) })
	}
	if benches := onlyBenches(found); len(found) > 1 && len(benches) > 0 {
		found = benches // a scope of the same name is a part of it
	}
	if len(found) == 1 {
		return found[0], nil
	}
	if len(found) > 1 {
		return store.BenchmarkInfo{}, fmt.Errorf("%q means %d benchmarks: add the package, --suite or --target:%s", name, len(found), candidates(found))
	}
	near := matches(func(full, _ string) bool {
		return strings.Contains(strings.ToLower(full), strings.ToLower(name))
	})
	if len(near) == 0 {
		return store.BenchmarkInfo{}, fmt.Errorf("no benchmark %q is stored: see `perftrack list benchmarks`", name)
	}
	return store.BenchmarkInfo{}, fmt.Errorf("no benchmark %q is stored; close to it are:%s", name, candidates(near))
}

func onlyBenches(list []store.BenchmarkInfo) []store.BenchmarkInfo {
	return slices.DeleteFunc(slices.Clone(list), func(b store.BenchmarkInfo) bool { return b.Kind != store.Bench })
}

func fullName(b store.BenchmarkInfo) string {
	if b.Package == "" {
		return b.Name
	}
	return b.Package + "." + b.Name
}

func candidates(list []store.BenchmarkInfo) string {
	const shown = 20
	var s strings.Builder
	for i, b := range list {
		if i == shown {
			fmt.Fprintf(&s, "\n  and %d more", len(list)-shown)
			break
		}
		fmt.Fprintf(&s, "\n  %s  (target %s", fullName(b), b.Target)
		if b.Suite != "" {
			fmt.Fprintf(&s, ", suite %s", b.Suite)
		}
		s.WriteString(")")
	}
	return s.String()
}
