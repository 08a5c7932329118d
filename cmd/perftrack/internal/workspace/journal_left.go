package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/perftrack/perftrack/runner/flock"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// adopt locks a journal without a lock file, as may happen after a power failure. It returns nil if
// there is a lock file or no journal. The journal of a live owner always has a lock file, because
// the owner creates the journal after the lock and removes it before the lock.
func adopt(path string) (*Journal, error) {
	lock, err := os.OpenFile(path+lockEnding, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if free, _ := flock.Try(lock); !free || !isNamed(lock, path+lockEnding) {
		return nil, lock.Close() // another perftrack has locked it first
	}
	j := &Journal{Path: path, lock: lock}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, j.Close()
	}
	return j, nil
}

// isStored reports whether the database contains a run from the same measurement as r with all of
// r's samples.
func isStored(ctx context.Context, db *store.DB, r *record.Run) (bool, error) {
	infos, err := db.Runs(ctx, store.Filter{Target: r.Target, Commit: r.Commit.SHA, Trial: r.Trial})
	if err != nil {
		return false, err
	}
	for _, info := range infos {
		if info.Trial != r.Trial || info.Side != r.Side || !info.Start.Equal(r.Start.Truncate(time.Microsecond)) {
			continue
		}
		run, err := db.Get(ctx, info.ID)
		if errors.Is(err, store.ErrDamaged) {
			continue
		}
		if err != nil {
			return false, err
		}
		if hasRounds(run, r) {
			return true, nil
		}
	}
	return false, nil
}

// hasRounds reports whether run contains every sample in part.
func hasRounds(run, part *record.Run) bool {
	type sample struct {
		record.BenchmarkID
		round int
		seed  uint64
		unit  string
		value float64
	}
	samples := func(r *record.Run) map[sample]bool {
		all := map[sample]bool{}
		for _, b := range r.Benchmarks {
			for _, s := range b.Samples {
				for i, v := range s.Values {
					if v == v {
						all[sample{b.BenchmarkID, b.Rounds[i].N, b.Rounds[i].Seed, s.Unit, v}] = true
					}
				}
			}
		}
		return all
	}
	have := samples(run)
	for s := range samples(part) {
		if !have[s] {
			return false
		}
	}
	return true
}
