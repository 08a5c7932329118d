package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/runner/record"
)

// A Verification is the result of [DB.Verify].
type Verification struct {
	Runs     int      // number of runs read
	Samples  int      // number of samples read, over all runs
	Problems []string // faults of the database's structure and of records other than runs
	Bad      []BadRun // damaged runs
	// Summaries holds the faults in the summaries of benchmarks, compared with the runs. They are
	// compared only if no run is damaged. [DB.Repair] removes these faults.
	Summaries []string

	did func(done, of int)
}

// OK reports whether no faults were found.
func (v Verification) OK() bool {
	return len(v.Problems) == 0 && len(v.Bad) == 0 && len(v.Summaries) == 0
}

// Repairable reports whether there are faults and [DB.Repair] removes all of them.
func (v Verification) Repairable() bool {
	return len(v.Problems) == 0 && len(v.Bad) == 0 && len(v.Summaries) > 0
}

// Verify reads and checks the entire database. It first lets the database system check the
// structure and the references. It then compares the hash of the canonical text of every run,
// acceptance and deletion with its id, and each run with the summary stored for quick listing. The
// error is non-nil only if the verification could not be completed; faults are listed in the
// Verification.
func (db *DB) Verify(ctx context.Context) (Verification, error) {
	return db.VerifyReporting(ctx, func(done, of int) {})
}

// VerifyReporting is like [DB.Verify] and calls did after each run.
func (db *DB) VerifyReporting(ctx context.Context, did func(done, of int)) (Verification, error) {
	v := Verification{did: did}
	problems, err := db.backend.Check(ctx)
	v.Problems = problems
	if err != nil && !v.damage(db.backend.Explain(err)) {
		return v, db.fail("verify", err)
	}
	err = db.readUnchecked(ctx, func(tx *sql.Tx) error {
		answers, err := db.badAnswers(ctx, tx)
		for _, name := range answers {
			v.Summaries = append(v.Summaries, fmt.Sprintf("the kept answer %s does not match its digest", name))
		}
		return errors.Join(err, v.runs(ctx, tx, db))
	})
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

// damage reports whether err means the database is damaged, and if so, records err as a problem.
func (v *Verification) damage(err error) bool {
	if !errors.Is(err, ErrDamaged) {
		return false
	}
	v.Problems = append(v.Problems, err.Error())
	return true
}

func (v *Verification) runs(ctx context.Context, tx *sql.Tx, db *DB) error {
	type row struct {
		seq int64
		uid string
	}
	var all []row
	err := each(ctx, tx, `SELECT id, uid FROM runs WHERE repository_id = $1 ORDER BY id`, []any{db.repository}, func(rows *sql.Rows) error {
		var r row
		err := rows.Scan(&r.seq, &r.uid)
		all = append(all, r)
		return err
	})
	if err != nil {
		return err
	}
	counts := counts{}
	var infos []record.RunInfo
	for i, r := range all {
		info, err := selectRun(ctx, tx, db.where("r.id = $", r.seq))
		if err != nil {
			v.bad(r.uid, r.seq, err)
			v.done(len(all))
		} else {
			infos = append(infos, info)
		}
		for n := batch(infos); n > 0 && (n < len(infos) || i+1 == len(all)); n = batch(infos) {
			v.batch(ctx, tx, db, infos[:n], counts)
			for range n {
				v.done(len(all))
			}
			infos = infos[n:]
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	slices.SortStableFunc(v.Bad, func(a, b BadRun) int { return cmp.Compare(a.Seq, b.Seq) })
	return v.summaries(ctx, tx, db, counts)
}

func (v *Verification) bad(id string, seq int64, err error) {
	v.Bad = append(v.Bad, BadRun{id, seq, err})
}

func (v *Verification) done(of int) {
	v.Runs++
	v.did(v.Runs, of)
}

// batch checks runs together, or one by one if any of them is damaged.
func (v *Verification) batch(ctx context.Context, tx *sql.Tx, db *DB, infos []record.RunInfo, counts counts) {
	together := v.check(ctx, tx, db, infos, counts)
	if together == nil {
		return
	}
	bad := len(v.Bad)
	for i, info := range infos {
		if err := v.check(ctx, tx, db, infos[i:i+1], counts); err != nil {
			v.bad(info.ID, info.Seq, err)
		}
	}
	if len(v.Bad) == bad {
		v.Problems = append(v.Problems, together.Error())
	}
}

// check reads runs and compares them with their ids.
func (v *Verification) check(ctx context.Context, tx *sql.Tx, db *DB, infos []record.RunInfo, counts counts) error {
	runs, err := db.readRuns(ctx, tx, infos, counts.add)
	for i := 0; i < len(runs) && err == nil; i++ {
		err = checkRun(runs[i], infos[i])
	}
	if err != nil {
		return err
	}
	for _, run := range runs {
		for _, b := range run.Benchmarks {
			v.Samples += len(b.Rounds) * len(b.Samples)
		}
	}
	return nil
}

// checkRun compares a run with its id and with the summary stored for quick listing.
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

// summaries compares the summaries of the benchmarks with the results of the sound runs.
func (v *Verification) summaries(ctx context.Context, tx *sql.Tx, db *DB, counts counts) error {
	return db.eachBenchmark(ctx, tx, func(r *benchmarkRow, err error) error {
		if err != nil {
			v.Summaries = append(v.Summaries, err.Error())
		} else if wrong := counts.wrong(r); wrong != "" && len(v.Bad) == 0 {
			v.Summaries = append(v.Summaries, wrong)
		}
		return nil
	})
}
