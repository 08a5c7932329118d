package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/perftrack/perftrack/runner/record"
)

// findings are what is known of the runs that were read since the database was
// opened. A run never changes, so one look at each is enough.
type findings struct {
	mu    sync.Mutex
	whole *verified
	infos map[int64]record.RunInfo // headers of runs that were part of a history, by number
	bad   []BadRun                 // runs that are not what was stored
}

// Learn takes over which runs another opening of the same database found to be what was stored,
// so that they need not be read whole again. It is called before anything is read.
func (db *DB) Learn(from *DB) { db.found.whole = from.found.whole }

// note notes what is wrong with a run.
func (f *findings) note(id string, seq int64, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.isBad(seq) {
		f.bad = append(f.bad, BadRun{id, seq, err})
	}
}

// noteOnce notes that a run cannot be read, where nothing is known of it yet: not even its number,
// perhaps. Id is the beginning of its own.
func (f *findings) noteOnce(id string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !slices.ContainsFunc(f.bad, func(b BadRun) bool { return strings.HasPrefix(b.ID, id) }) {
		f.bad = append(f.bad, BadRun{ID: id, Err: err})
	}
}

// keep keeps the headers of runs.
func (f *findings) keep(infos []record.RunInfo) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.infos == nil {
		f.infos = make(map[int64]record.RunInfo, len(infos))
	}
	for _, info := range infos {
		f.infos[info.Seq] = info
	}
}

// kept returns the headers of the runs of these numbers, without those known to be damaged; ok
// is false where one was not kept.
func (f *findings) kept(runs []int64) (infos []record.RunInfo, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	infos = make([]record.RunInfo, 0, len(runs))
	for _, run := range runs {
		if f.isBad(run) {
			continue
		}
		info, known := f.infos[run]
		if !known {
			return nil, false
		}
		infos = append(infos, info)
	}
	return infos, true
}

func (f *findings) isBad(seq int64) bool {
	return slices.ContainsFunc(f.bad, func(b BadRun) bool { return b.Seq == seq })
}

// known reports whether a run was looked at before, and whether it is sound.
func (f *findings) known(info record.RunInfo) (sound, known bool) {
	whole := f.whole.has(info)
	f.mu.Lock()
	defer f.mu.Unlock()
	bad := f.isBad(info.Seq)
	return whole && !bad, whole || bad
}

// Damaged returns the runs that were found not to be what was stored, since the
// database was opened. [DB.Get] refuses them, and every other method leaves out
// those that were known by then.
func (db *DB) Damaged() []BadRun {
	db.found.mu.Lock()
	defer db.found.mu.Unlock()
	return slices.Clone(db.found.bad)
}

// withoutBad adds to a query that it leaves out the runs known to be damaged.
func (db *DB) withoutBad(q query) query {
	bad := db.Damaged()
	if len(bad) == 0 {
		return q
	}
	numbers := make([]string, len(bad))
	for i, b := range bad {
		numbers[i] = fmt.Sprint(b.Seq)
	}
	q.conditions = append(slices.Clone(q.conditions), "r.id NOT IN ("+strings.Join(numbers, ", ")+")")
	return q
}

// headers returns the headers of the runs that match q. A run whose header
// cannot be read is left out, and known to be damaged from then on.
func (db *DB) headers(ctx context.Context, tx *sql.Tx, q query) ([]record.RunInfo, error) {
	infos, bad, err := selectRuns(ctx, tx, db.withoutBad(q))
	for _, b := range bad {
		db.found.note(b.ID, b.Seq, b.Err)
	}
	return infos, err
}

// chunk is how many runs one of those who read runs side by side takes at a time.
const chunk = 8

// Sound reads the runs whole and returns those that are what was stored, by the
// hash that is their id. What is wrong with the others, [DB.Damaged] says. Of many
// runs, several are read at once; did, which may be nil, is told of each that was read.
func (db *DB) Sound(ctx context.Context, infos []record.RunInfo, did func()) (sound []record.RunInfo, err error) {
	if did == nil {
		did = func() {}
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	parts := make(chan []record.RunInfo)
	var reading sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(infos)/chunk+1) {
		reading.Go(func() {
			for part := range parts {
				if err := db.read(ctx, func(tx *sql.Tx) error { return db.look(ctx, tx, part, did) }); err != nil {
					stop(err)
				}
			}
		})
	}
	for part := range slices.Chunk(infos, chunk) {
		if ctx.Err() != nil {
			break
		}
		parts <- part
	}
	close(parts)
	reading.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, db.fail("read runs of", err)
	}
	return db.found.soundOf(infos), nil
}

// soundOf is [DB.Sound] within a transaction, one run after the other.
func (db *DB) soundOf(ctx context.Context, tx *sql.Tx, infos []record.RunInfo) ([]record.RunInfo, error) {
	if err := db.look(ctx, tx, infos, func() {}); err != nil {
		return nil, err
	}
	return db.found.soundOf(infos), nil
}

// soundOf returns those of the runs, which were all looked at, that are sound.
func (f *findings) soundOf(infos []record.RunInfo) (sound []record.RunInfo) {
	for _, info := range infos {
		if ok, _ := f.known(info); ok {
			sound = append(sound, info)
		}
	}
	return sound
}

// look reads those of the runs that are not known yet. One run after the other is read;
// their hashes, which take as long, are computed beside that.
func (db *DB) look(ctx context.Context, tx *sql.Tx, infos []record.RunInfo, did func()) error {
	var hashing sync.WaitGroup
	defer hashing.Wait()
	free := make(chan struct{}, runtime.GOMAXPROCS(0)) // runs that are in memory at a time
	for _, info := range infos {
		if _, known := db.found.known(info); known {
			did()
			continue
		}
		run, err := readRun(ctx, tx, info, db.backend.Arrays)
		if err != nil {
			if err = db.unreadable(ctx, info, err); err != nil {
				return err
			}
			did()
			continue
		}
		free <- struct{}{}
		hashing.Go(func() {
			if wrong := checkRun(run, info); wrong != nil {
				db.found.note(info.ID, info.Seq, wrong)
			} else {
				db.found.whole.add(info, run)
			}
			<-free
			did()
		})
	}
	return nil
}

// unreadable notes that a run could not be read, unless err is that of something
// else than the run.
func (db *DB) unreadable(ctx context.Context, info record.RunInfo, err error) error {
	if err = db.backend.Explain(err); ctx.Err() != nil || !errors.Is(err, ErrDamaged) {
		return err
	}
	db.found.note(info.ID, info.Seq, err)
	return nil
}

// checkRun compares a run that was read with its id, and what stands beside it
// for quick lists.
func checkRun(run *record.Run, info record.RunInfo) error {
	switch id := run.ID(); {
	case id != info.ID:
		return fmt.Errorf("its content has the hash %s", id)
	case run.Env.EnvironmentID() != info.EnvironmentID:
		return fmt.Errorf("its environment is stored as %s and has the hash %s", info.EnvironmentID, run.Env.EnvironmentID())
	case len(run.Benchmarks) != info.Benchmarks || run.Rounds() != info.Rounds:
		return fmt.Errorf("it has %d benchmarks and %d rounds, not %d and %d as its header says",
			len(run.Benchmarks), run.Rounds(), info.Benchmarks, info.Rounds)
	}
	return nil
}
