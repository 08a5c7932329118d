package queue

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/perftrack/perftrack/fleet/jobs"
	"github.com/perftrack/perftrack/fleet/lease"
)

// parts reports the parts that were stored since the last call.
func (s *session) parts(ctx context.Context) error {
	// PostgreSQL may commit a smaller id after a larger one, so the ids that were seen are a set.
	// SQLite has one writer at a time, and its polls must be cheap.
	var ids []int64
	after := int64(0)
	if !s.db.Postgres {
		after = s.newest
	}
	err := s.db.Retry(ctx, func(ctx context.Context) error {
		ids = nil
		query := s.db.SQL(`SELECT id FROM fleet_parts WHERE trial = ? AND id > ? ORDER BY id`)
		return each(ctx, s.db, query, []any{s.trial.ID, after}, func(rows *sql.Rows) error {
			var id int64
			if err := rows.Scan(&id); err != nil {
				return err
			}
			if !s.seen[id] {
				ids = append(ids, id)
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.part(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// part reports a part. If its worker ran out of time, part queues the rest of the rounds.
func (s *session) part(ctx context.Context, id int64) error {
	var p Part
	var asked jobs.Rounds
	err := s.db.Retry(ctx, func(ctx context.Context) error {
		err := s.db.QueryRowContext(ctx, s.db.SQL(`SELECT job, attempt, worker, target, shard, first_round, last_round, body
			FROM fleet_parts WHERE id = ?`), id).
			Scan(&p.Job, &p.Attempt, &p.Worker, &p.Target, &p.Shard, &p.First, &p.Last, &p.Text)
		if err != nil || !s.opened {
			return err
		}
		var text []byte
		err = s.db.QueryRowContext(ctx, s.db.SQL(`SELECT {args} FROM river_job WHERE id = ?`), p.Job).Scan(&text)
		if errors.Is(err, sql.ErrNoRows) { // River removes old jobs
			return nil
		}
		return errors.Join(err, json.Unmarshal(text, &asked))
	})
	if err != nil {
		return err
	}
	s.seen[id] = true
	s.newest = max(s.newest, id)
	s.emit(Event{Part: &p})
	if asked.Last <= p.Last || s.cancelled {
		return nil
	}
	return s.add(ctx, []Range{{Target: p.Target, Shard: p.Shard, First: p.Last + 1, Last: asked.Last, Closed: asked.Closed, Only: asked.Only}})
}

// failures reports the jobs that were given up since the last call. Those of an earlier process are
// not reported, because their rounds may be added again.
func (s *session) failures(ctx context.Context) error {
	return s.db.Retry(ctx, func(ctx context.Context) error {
		query := s.db.SQL(`SELECT id, {args}, attempt, coalesce(worker_, ''), coalesce(kind_, ''), coalesce(message, ''), coalesce(body, '')
			FROM (SELECT id, args, attempt FROM river_job WHERE args {text}trial{/text} = ? AND kind = 'rounds' AND state = 'discarded') AS jobs
			LEFT JOIN (SELECT job, worker AS worker_, kind AS kind_, message, body FROM fleet_failures) AS failures ON job = id ORDER BY id`)
		return each(ctx, s.db, query, []any{s.trial.ID}, func(rows *sql.Rows) error {
			var f Failed
			var args jobs.Rounds
			var text []byte
			var attempt int
			if err := rows.Scan(&f.Job, &text, &attempt, &f.Worker, &f.Kind, &f.Message, &f.Text); err != nil {
				return err
			}
			if err := json.Unmarshal(text, &args); err != nil || s.failed[f.Job] {
				return err
			}
			s.failed[f.Job] = true
			if !s.opened {
				return nil
			}
			if f.Kind == "" { // River gave it up
				f.Kind, f.Message = "io", "given up after too many attempts"
			}
			f.Target, f.Shard, f.First, f.Last = args.Target, args.Shard, args.First, args.Last
			s.emit(Event{Failed: &f})
			return nil
		})
	})
}

// state reports that the trial was superseded.
func (s *session) state(ctx context.Context) error {
	var state string
	var by sql.NullString
	err := s.db.Retry(ctx, func(ctx context.Context) error {
		return s.db.QueryRowContext(ctx, s.db.SQL(`SELECT state, superseded_by FROM fleet_trials WHERE id = ?`), s.trial.ID).Scan(&state, &by)
	})
	if err == nil && state == "superseded" && by.Valid && !s.superseded {
		s.superseded = true
		s.emit(Event{Superseded: &Superseded{By: by.String}})
	}
	return err
}

// workers reports the number of living workers if it has changed, and puts the jobs of dead ones
// back.
func (s *session) workers(ctx context.Context) error {
	live, err := lease.Live(ctx, s.db, s.trial.Class, s.trial.Procedure)
	if err != nil {
		return err
	}
	s.watch.Seen()
	if live != s.live {
		s.live = live
		s.emit(Event{Workers: &Workers{Class: s.trial.Class, Live: live}})
	}
	if !s.watch.Steady() {
		return nil
	}
	_, err = lease.PutBack(ctx, s.db)
	return err
}
