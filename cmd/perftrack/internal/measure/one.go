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

// ProcsOf says at which GOMAXPROCS the benchmark of one name is to be measured: 0 is that of the
// environment, and another one what the name ends in where the benchmarks of the target are
// measured at several, 1 if in nothing. Its newest run decides. Of one that is not stored it is what
// its function's name ends in, in which no - can be, or the configuration's list.
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
			procs = nil // of another perftrack, perhaps
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
		return 0, fault.Usagef("%s is measured at GOMAXPROCS %s: say at which with the end of its name, as in %s", name, procs, record.WithProcs(name, procs[0]))
	}
	a.Noticef("%s is measured at GOMAXPROCS 1, as a name without -N says where they are measured at several", name)
	return 1, nil
}

// StoredName is a benchmark's name without the -N with which reports show it, where it is stored at that
// GOMAXPROCS as the one of its environment and not under the whole name.
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

// newestOf is the newest run of a target that has a benchmark of this name, nil if none has.
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

// AtProcs is a target of which one benchmark is measured, at the GOMAXPROCS that ProcsOf has found, and
// the benchmark's name as the source has it.
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
