package store

import (
	"context"
	"database/sql"
	"errors"
)

// A Verification is the outcome of [DB.Verify].
type Verification struct {
	Runs     int      // read
	Samples  int      // read, over all runs
	Problems []string // what the database finds wrong with itself
	Bad      []BadRun // runs that are not what was stored
}

// A BadRun is a run that is not what was stored.
type BadRun struct {
	ID  string
	Seq int64
	Err error // what is wrong with it
}

// OK reports whether nothing was found wrong.
func (v Verification) OK() bool { return len(v.Problems) == 0 && len(v.Bad) == 0 }

// Verify reads the whole database. It has the database check its own
// structure and references, reads every run, writes its canonical text and
// compares the hash with the run's id, as it does with acceptances and
// deletions, and compares what stands beside the run for quick lists. The error says that it could not be done; what is wrong
// with the database stands in the Verification.
func (db *DB) Verify(ctx context.Context) (Verification, error) {
	var v Verification
	problems, err := db.backend.Check(ctx)
	v.Problems = problems
	if err != nil && !v.damage(db.backend.Explain(err)) {
		return v, db.fail("verify", err)
	}
	err = db.readUnchecked(ctx, func(tx *sql.Tx) error { return v.runs(ctx, tx, db.backend.Arrays) })
	if err != nil && !v.damage(db.backend.Explain(err)) {
		return v, db.fail("verify", err)
	}
	for _, read := range []func(context.Context) error{
		func(ctx context.Context) error { _, err := db.AcceptanceRecords(ctx, ""); return err },
		func(ctx context.Context) error { _, err := db.Deletions(ctx); return err },
	} {
		if err := read(ctx); err != nil && !v.damage(err) {
			return v, err
		}
	}
	return v, nil
}

// damage notes err as a problem if it is damage, not a failure to look.
func (v *Verification) damage(err error) bool {
	if !errors.Is(err, ErrDamaged) {
		return false
	}
	v.Problems = append(v.Problems, err.Error())
	return true
}

func (v *Verification) runs(ctx context.Context, tx *sql.Tx, arrays ArrayText) error {
	type row struct {
		seq int64
		uid string
	}
	var all []row
	err := each(ctx, tx, `SELECT id, uid FROM runs ORDER BY id`, nil, func(rows *sql.Rows) error {
		var r row
		err := rows.Scan(&r.seq, &r.uid)
		all = append(all, r)
		return err
	})
	if err != nil {
		return err
	}
	for _, r := range all {
		v.Runs++
		samples, err := verifyRun(ctx, tx, r.seq, arrays)
		v.Samples += samples
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			v.Bad = append(v.Bad, BadRun{r.uid, r.seq, err})
		}
	}
	return nil
}

// verifyRun reads one run and returns the number of its samples.
func verifyRun(ctx context.Context, tx *sql.Tx, seq int64, arrays ArrayText) (samples int, err error) {
	info, err := selectRun(ctx, tx, where("r.id = $", seq))
	if err != nil {
		return 0, err
	}
	run, err := readRun(ctx, tx, info, arrays)
	if err != nil {
		return 0, err
	}
	for _, b := range run.Benchmarks {
		for _, s := range b.Samples {
			samples += len(s.Values)
		}
	}
	return samples, checkRun(run, info)
}
