package queue

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/riverqueue/river"

	"github.com/perftrack/perftrack/fleet/jobs"
)

// A shard is what rounds are numbered in.
type shard struct{ target, shard string }

// add queues those of the rounds that neither wait, nor run, nor were stored.
func (s *session) add(ctx context.Context, ranges []Range) error {
	for _, r := range ranges {
		if r.Target == "" || r.Shard == "" || r.First < 1 || r.Last < r.First {
			return fmt.Errorf("add rounds %d to %d of target %q, shard %q: the range is not valid", r.First, r.Last, r.Target, r.Shard)
		}
	}
	err := s.db.Do(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var state string
		if err := tx.QueryRowContext(ctx, s.db.SQL(`SELECT state FROM fleet_trials WHERE id = ? {lock}`), s.trial.ID).Scan(&state); err != nil {
			return err
		}
		if state != "open" { // superseded; the event says so
			return nil
		}
		known, err := s.known(ctx, tx)
		if err != nil {
			return err
		}
		var params []river.InsertManyParams
		for _, r := range ranges {
			for _, missing := range gaps(r, known) {
				params = append(params, river.InsertManyParams{
					Args:       s.args(missing),
					InsertOpts: jobs.Options(jobs.Queue(s.trial.Class, s.trial.Procedure), s.priority),
				})
			}
		}
		if len(params) == 0 {
			return nil
		}
		_, err = s.client.InsertManyTx(ctx, tx, params)
		return err
	})
	if err != nil {
		return fmt.Errorf("add rounds of trial %s: %w", s.trial.ID, err)
	}
	return nil
}

func (s *session) args(r Range) jobs.Rounds {
	return jobs.Rounds{
		Trial: s.trial.ID, Target: r.Target, Shard: r.Shard, First: r.First, Last: r.Last, Closed: r.Closed, Only: r.Only,
		Repository: s.trial.Repository, Class: s.trial.Class, Procedure: s.trial.Procedure,
	}
}

// gaps returns the parts of a range that are not known, and makes them known.
func gaps(r Range, known map[shard]map[int]bool) (missing []Range) {
	key := shard{r.Target, r.Shard}
	if known[key] == nil {
		known[key] = map[int]bool{}
	}
	for round := r.First; round <= r.Last; round++ {
		if known[key][round] {
			continue
		}
		known[key][round] = true
		if n := len(missing); n > 0 && missing[n-1].Last == round-1 {
			missing[n-1].Last = round
			continue
		}
		gap := r
		gap.First, gap.Last = round, round
		missing = append(missing, gap)
	}
	return missing
}

// known returns the rounds of the trial that wait, run or are stored.
func (s *session) known(ctx context.Context, tx *sql.Tx) (map[shard]map[int]bool, error) {
	known := map[shard]map[int]bool{}
	mark := func(key shard, first, last int) {
		if known[key] == nil {
			known[key] = map[int]bool{}
		}
		for round := first; round <= last; round++ {
			known[key][round] = true
		}
	}
	err := each(ctx, tx, s.db.SQL(`SELECT {args} FROM river_job
		WHERE args {text}trial{/text} = ? AND kind = 'rounds' AND (state = 'running' OR `+waiting+`)`),
		[]any{s.trial.ID}, func(rows *sql.Rows) error {
			var text []byte
			var a jobs.Rounds
			if err := errors.Join(rows.Scan(&text), json.Unmarshal(text, &a)); err != nil {
				return err
			}
			mark(shard{a.Target, a.Shard}, a.First, a.Last)
			return nil
		})
	if err != nil {
		return nil, err
	}
	query := s.db.SQL(`SELECT target, shard, round FROM fleet_rounds WHERE trial = ?`)
	return known, each(ctx, tx, query, []any{s.trial.ID}, func(rows *sql.Rows) error {
		var key shard
		var round int
		if err := rows.Scan(&key.target, &key.shard, &round); err != nil {
			return err
		}
		mark(key, round, round)
		return nil
	})
}

type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// each calls f for each row of a query.
func each(ctx context.Context, q queryer, query string, args []any, f func(rows *sql.Rows) error) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
