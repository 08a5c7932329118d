package family

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/anchors"
	familyreport "github.com/perftrack/perftrack/reports/family"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// readCurrent reads the runs with the newest value of each benchmark in the order of the history.
// For benchmarks outside the history, it reads the runs stored last, but only if no branch is
// chosen. If opt.Head is set, it reads that revision's runs instead.
func readCurrent(ctx context.Context, where workspace.Place, db *store.DB, opt Options, s *familyreport.Subject) error {
	if opt.Head != "" {
		return readHead(ctx, where, db, opt.Head, s)
	}
	carried := map[string]bool{} // runs carried over, without samples of their own
	for i := range s.Runs {
		carried[s.Runs[i].ID] = s.Runs[i].CarriedFrom() != ""
	}
	newest := map[string]bool{}
	known := map[string]bool{}
	key := func(target string, id record.BenchmarkID) string {
		return fmt.Sprintf("%q %q %q %q %q", target, id.Kind, id.Suite, id.Package, id.Name)
	}
	for _, series := range s.Series {
		for _, line := range series.Lines {
			for _, p := range slices.Backward(line.Runs) {
				if !carried[p.Run] {
					newest[p.Run] = true
					known[key(series.Target, series.BenchmarkID)] = true
					break
				}
			}
		}
	}
	all, err := db.Benchmarks(ctx, store.Filter{})
	if err != nil {
		return err
	}
	for _, b := range all {
		if !known[key(b.Target, b.BenchmarkID)] && opt.Branch == "" {
			newest[b.Last] = true
		}
	}
	return read(ctx, db, s, func(r *record.RunInfo) bool { return newest[r.ID] })
}

// readHead reads the runs of a revision.
func readHead(ctx context.Context, where workspace.Place, db *store.DB, head string, s *familyreport.Subject) error {
	sha := head
	if where.Repo != nil {
		if c, err := where.Repo.Resolve(ctx, head); err == nil {
			sha = c.SHA
		}
	}
	err := read(ctx, db, s, func(r *record.RunInfo) bool {
		return r.Commit.SHA == sha || record.IsHashPrefix(sha) && len(r.Commit.SHA) > len(sha) && r.Commit.SHA[:len(sha)] == sha
	})
	if err == nil && len(s.Current) == 0 {
		err = fault.Data(fmt.Errorf("no run of %s is stored: measure it with `perftrack run --rev %s`", head, head))
	}
	return err
}

// read reads the runs for which keep returns true. Complete runs of clean commits come first, and
// otherwise newer commits come first. read skips damaged runs; the command reports them at the end.
func read(ctx context.Context, db *store.DB, s *familyreport.Subject, keep func(*record.RunInfo) bool) error {
	infos := slices.Clone(s.Runs)
	slices.Reverse(infos)
	slices.SortStableFunc(infos, func(a, b record.RunInfo) int {
		if a.Baseline() != b.Baseline() {
			if a.Baseline() {
				return -1
			}
			return 1
		}
		return b.Commit.Time.Compare(a.Commit.Time)
	})
	for i := range infos {
		info := &infos[i]
		if !keep(info) || anchors.Is(&info.Run) || workspace.IsBisectTrial(info.Trial) || info.Benchmarks == 0 {
			continue
		}
		run, err := db.Get(ctx, info.ID)
		switch {
		case errors.Is(err, store.ErrDamaged):
			continue
		case err != nil:
			return err
		}
		s.Current = append(s.Current, run)
	}
	return nil
}
