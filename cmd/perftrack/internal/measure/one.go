package measure

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// ProcsOf returns the GOMAXPROCS at which to measure the named benchmark. If the benchmark is
// measured at several values, ProcsOf returns the -N suffix of the name, or 1 without a suffix.
// Otherwise it returns 0, for the environment's value. The newest run of the benchmark shows which
// case applies. If there is no run, a -N suffix of the function's name counts, because Go names
// contain no -, and otherwise the configuration decides.
func ProcsOf(ctx context.Context, a *workspace.Session, db *store.DB, t config.Target, name string) (int, error) {
	if t.Kind != config.GoTest {
		return 0, nil
	}
	run, err := newestOf(ctx, db, t.Name, name)
	if err != nil {
		return 0, err
	}
	procs := t.Procs
	if run != nil {
		if run.Env.Get(record.KeyGOMAXPROCS) != record.ProcsInNames {
			return 0, nil
		}
		if procs, err = config.ParseProcs(run.Facts.Get(record.KeyProcs)); err != nil {
			procs = nil // the list may be from another version of perftrack
		}
	}
	_, n := record.ProcsOfName(name)
	function, _, _ := strings.Cut(name, "/")
	switch {
	case n > 1 && (slices.Contains(procs, n) || record.WithoutProcs(function) != function):
		return n, nil
	case run == nil && len(procs) == 0:
		return 0, nil
	case run == nil && !slices.Contains(procs, 1):
		return 0, fault.Usagef("%s is measured at GOMAXPROCS %s: choose one by adding a suffix to the name, as in %s", name, procs, record.WithProcs(name, procs[0]))
	}
	a.Noticef("measuring %s at GOMAXPROCS 1, because its name has no suffix -N", name)
	return 1, nil
}

// StoredName returns the stored name of a benchmark. For a benchmark measured at the environment's
// GOMAXPROCS, reports show the name with a -N suffix, and StoredName removes it.
func StoredName(ctx context.Context, db *store.DB, target, name string) (string, error) {
	short, n := record.ProcsOfName(name)
	if n == 1 {
		return name, nil
	}
	if run, err := newestOf(ctx, db, target, name); err != nil || run != nil {
		return name, err
	}
	run, err := newestOf(ctx, db, target, short)
	if err != nil || run == nil || run.Env.Get(record.KeyGOMAXPROCS) != strconv.Itoa(n) {
		return name, err
	}
	return short, nil
}

// newestOf returns the newest run of target with a benchmark of this name, or nil.
func newestOf(ctx context.Context, db *store.DB, target, name string) (*record.Run, error) {
	stored, err := db.Benchmarks(ctx, store.Filter{Target: target})
	if err != nil {
		return nil, fault.IO(err)
	}
	var newest *record.Run
	for _, b := range stored {
		if b.Kind != record.Bench || b.Name != name {
			continue
		}
		run, err := db.Get(ctx, b.Last)
		if errors.Is(err, store.ErrDamaged) {
			continue
		}
		if err != nil {
			return nil, fault.IO(err)
		}
		if newest == nil || run.Start.After(newest.Start) {
			newest = run
		}
	}
	return newest, nil
}

// AtProcs returns the target set to the GOMAXPROCS from ProcsOf, and the name of the benchmark in
// the source.
func AtProcs(t config.Target, name string, procs int) (config.Target, string) {
	t.Procs = nil
	if procs > 0 {
		t.Procs = config.Procs{procs}
	}
	if procs > 1 {
		name = record.WithoutProcs(name)
	}
	return t, name
}
