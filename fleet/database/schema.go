package database

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/riverqueue/river/rivermigrate"
)

// version increases with every change of the tables, River's included.
const version = 1

// tables are the tables and views of the queue. River may rebuild river_job, so the index on it is
// created after River's migrations. Times are microseconds since 1970.
const tables = `
CREATE TABLE IF NOT EXISTS fleet_workers (
	id TEXT PRIMARY KEY, client TEXT NOT NULL, class TEXT NOT NULL, procedure TEXT NOT NULL, version TEXT NOT NULL,
	host TEXT NOT NULL, cpu TEXT NOT NULL, cpus INT NOT NULL, decides INT NOT NULL,
	started_us BIGINT NOT NULL, seen_us BIGINT NOT NULL, job BIGINT);
CREATE TABLE IF NOT EXISTS fleet_trials (
	id TEXT PRIMARY KEY, repository TEXT NOT NULL, url TEXT NOT NULL, dir TEXT NOT NULL,
	base_sha TEXT NOT NULL, head_sha TEXT NOT NULL, class TEXT NOT NULL, procedure TEXT NOT NULL, priority INT NOT NULL,
	pull_request TEXT NOT NULL, optional INT NOT NULL, state TEXT NOT NULL, superseded_by TEXT, flags TEXT NOT NULL,
	created_us BIGINT NOT NULL, ended_us BIGINT);
CREATE INDEX IF NOT EXISTS fleet_trials_pull_request ON fleet_trials (repository, pull_request);
CREATE TABLE IF NOT EXISTS fleet_parts (
	id {id}, trial TEXT NOT NULL, target TEXT NOT NULL, shard TEXT NOT NULL, first_round INT NOT NULL, last_round INT NOT NULL,
	job BIGINT NOT NULL, attempt INT NOT NULL, worker TEXT NOT NULL, stored_us BIGINT NOT NULL, body TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS fleet_parts_trial ON fleet_parts (trial, id);
CREATE TABLE IF NOT EXISTS fleet_rounds (
	trial TEXT NOT NULL, target TEXT NOT NULL, shard TEXT NOT NULL, round INT NOT NULL, part BIGINT NOT NULL,
	UNIQUE (trial, target, shard, round));
CREATE TABLE IF NOT EXISTS fleet_failures (
	job BIGINT PRIMARY KEY, attempt INT NOT NULL, worker TEXT NOT NULL, stored_us BIGINT NOT NULL,
	kind TEXT NOT NULL, message TEXT NOT NULL, body TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS fleet_jobs_trial ON river_job ((args {text}trial{/text}));
DROP VIEW IF EXISTS fleet_classes;
DROP VIEW IF EXISTS fleet_queue;
CREATE VIEW fleet_queue AS SELECT
	id AS job, kind, args {text}class{/text} AS class, coalesce(args {text}procedure{/text}, '') AS procedure,
	CAST(priority AS INT) AS priority,
	CASE CAST(state AS TEXT) WHEN 'running' THEN 'running' WHEN 'completed' THEN 'completed' WHEN 'cancelled' THEN 'cancelled'
		WHEN 'discarded' THEN 'failed' ELSE 'waiting' END AS state,
	args {text}repository{/text} AS repository, coalesce(args {text}trial{/text}, '') AS trial,
	coalesce(args {text}target{/text}, '') AS target, coalesce(args {text}shard{/text}, '') AS shard,
	CAST(coalesce(args {text}first{/text}, '0') AS INT) AS first_round, CAST(coalesce(args {text}last{/text}, '0') AS INT) AS last_round,
	CAST(attempt AS INT) AS attempt,
	coalesce(substr({claimed_by}, 1, length({claimed_by}) - 17), '') AS worker,
	{us}created_at{/us} AS created_us, {us}attempted_at{/us} AS started_us, {us}finalized_at{/us} AS ended_us
	FROM river_job;
CREATE VIEW fleet_classes AS SELECT
	class, procedure, CAST(sum(workers) AS INT) AS workers, CAST(sum(waiting) AS INT) AS waiting, CAST(sum(running) AS INT) AS running,
	min(waiting_us) AS oldest_waiting_us, max(seen_us) AS newest_seen_us
	FROM (
		SELECT class, procedure, 1 AS workers, 0 AS waiting, 0 AS running, CAST(NULL AS BIGINT) AS waiting_us, seen_us FROM fleet_workers
		UNION ALL
		SELECT class, procedure, 0, CASE state WHEN 'waiting' THEN 1 ELSE 0 END, CASE state WHEN 'running' THEN 1 ELSE 0 END,
			CASE state WHEN 'waiting' THEN created_us END, NULL
		FROM fleet_queue WHERE kind = 'rounds' AND state IN ('waiting', 'running')
	) AS counted GROUP BY class, procedure;
CREATE TABLE IF NOT EXISTS fleet_schema (version INT NOT NULL);
DELETE FROM fleet_schema;
INSERT INTO fleet_schema (version) VALUES (%d)`

// migrate creates the tables unless they have the current version. A role without rights to create
// tables finds them created by another one.
func (d *DB) migrate(ctx context.Context) error {
	if d.current(ctx, d.DB) {
		return nil
	}
	if d.Postgres {
		return d.migratePostgres(ctx)
	}
	return d.Do(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if d.current(ctx, tx) {
			return nil
		}
		m, err := d.migrator()
		if err != nil {
			return err
		}
		if _, err := m.MigrateTx(ctx, tx, rivermigrate.DirectionUp, nil); err != nil { //nolint:staticcheck // SQLite can run all of them in one
			return err
		}
		return d.createTables(ctx, tx)
	})
}

// migratePostgres holds a lock of the session, because River's migrations cannot run in one
// transaction on PostgreSQL: one of them adds a value to an enumeration and another one uses it.
func (d *DB) migratePostgres(ctx context.Context) error {
	const lock = 0x70657266 // any number that nobody else is likely to use
	conn, err := d.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", lock); err != nil {
		return err
	}
	defer func() { _, _ = conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", lock) }()
	if d.current(ctx, d.DB) {
		return nil
	}
	m, err := d.migrator()
	if err != nil {
		return err
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return err
	}
	return d.Do(ctx, d.createTables)
}

func (d *DB) migrator() (*rivermigrate.Migrator[*sql.Tx], error) {
	return rivermigrate.New(d.Driver(), &rivermigrate.Config{Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
}

func (d *DB) createTables(ctx context.Context, tx *sql.Tx) error {
	for statement := range strings.SplitSeq(d.SQL(fmt.Sprintf(tables, version)), ";\n") {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%w in %s", err, strings.TrimSpace(statement))
		}
	}
	return nil
}

type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// current reports whether the tables have this program's version. Any error means that they do not
// exist yet, or that creating them will return the error, too.
func (d *DB) current(ctx context.Context, q queryer) bool {
	name := "SELECT count(*) FROM sqlite_master WHERE name = 'fleet_schema'"
	if d.Postgres {
		name = "SELECT count(to_regclass('fleet_schema'))"
	}
	var found int
	if err := q.QueryRowContext(ctx, name).Scan(&found); err != nil || found == 0 {
		return false
	}
	return q.QueryRowContext(ctx, "SELECT version FROM fleet_schema").Scan(&found) == nil && found >= version
}
