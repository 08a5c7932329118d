// Package database opens the database that holds the queue: the SQLite file or the PostgreSQL
// database in which perftrack stores its runs. It creates the tables of the queue.
//
// Everything in the fleet builds on it: database -> jobs -> lease -> queue and worker. Begin with
// [Open]; [DB.Do] runs a transaction that survives the death of a server.
package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	_ "modernc.org/sqlite" // the driver
)

// A DB is an open database.
type DB struct {
	*sql.DB
	Postgres bool
	Address  string // without perftrack's own settings

	listeners *pgxpool.Pool
}

// Open opens the database at an address: a path, sqlite:PATH, or postgres://... It creates missing
// tables.
func Open(ctx context.Context, address string) (*DB, error) {
	var d *DB
	var err error
	if isPostgres(address) {
		d, err = openPostgres(ctx, address)
	} else {
		d, err = openSQLite(strings.TrimPrefix(address, "sqlite:"))
	}
	if err != nil {
		return nil, err
	}
	err = d.Retry(ctx, d.PingContext) // a primary may be about to return
	if err == nil {
		err = d.migrate(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the queue: %w", err), d.Close())
	}
	return d, nil
}

// openSQLite opens an existing file. perftrack creates it, because the journal mode depends on the
// file system.
func openSQLite(path string) (*DB, error) {
	if path == "" {
		return nil, errors.New("no database: set PERFTRACK_DB")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("open store %s: %w; create it with `perftrack run`", path, err)
	}
	// Every transaction takes the write lock at its beginning: one that reads first and then writes
	// could not wait for others.
	q := url.Values{"_txlock": {"immediate"}, "_pragma": {"busy_timeout(30000)", "synchronous(FULL)", "foreign_keys(ON)"}}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}).String())
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, err)
	}
	db.SetMaxOpenConns(4)
	return &DB{DB: db, Address: path}, nil
}

func openPostgres(ctx context.Context, address string) (*DB, error) {
	address, err := settings(address, func(q url.Values) {
		q.Del("repository")
		if !q.Has("connect_timeout") {
			q.Set("connect_timeout", "5") // a dead host must not hide a living one for long
		}
	})
	if err != nil {
		return nil, err
	}
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err) // pgx hides the password
	}
	listeners, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	pool, err := pgxpool.NewWithConfig(ctx, listeners)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(8)
	db.SetMaxIdleConns(4)
	return &DB{DB: db, Postgres: true, Address: address, listeners: pool}, nil
}

// settings changes the settings in the address of a PostgreSQL database. package url refuses
// addresses of several hosts with ports.
func settings(address string, change func(q url.Values)) (string, error) {
	rest, query, _ := strings.Cut(address, "?")
	q, err := url.ParseQuery(query)
	if err != nil {
		return "", errors.New("open store: the settings in PERFTRACK_DB are not valid") // err may contain a password
	}
	change(q)
	return rest + "?" + q.Encode(), nil
}

// WithRepository returns the address of a PostgreSQL database in which perftrack uses a repository.
// It returns other addresses as they are, because a file holds one repository.
func WithRepository(address, name string) (string, error) {
	if !isPostgres(address) {
		return address, nil
	}
	return settings(address, func(q url.Values) { q.Set("repository", name) })
}

func isPostgres(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// Close closes all connections.
func (d *DB) Close() error {
	if d.listeners != nil {
		d.listeners.Close()
	}
	return d.DB.Close()
}

// Driver returns River's driver for the database.
func (d *DB) Driver() riverdriver.Driver[*sql.Tx] {
	if d.Postgres {
		return riverdatabasesql.NewWithPgxListener(d.DB, d.listeners)
	}
	return riversqlite.New(d.DB)
}

// Listener returns a connection that is not part of the pool, or nil for SQLite.
func (d *DB) Listener(ctx context.Context) (*pgx.Conn, error) {
	if !d.Postgres {
		return nil, nil
	}
	return pgx.Connect(ctx, d.Address)
}

// Channel is the channel on which PostgreSQL announces that a trial has something new.
const Channel = "perftrack_fleet"

// Announce wakes the process that waits for news of a trial when tx is committed. On SQLite that
// process polls.
func (d *DB) Announce(ctx context.Context, tx *sql.Tx, trial string) error {
	if !d.Postgres {
		return nil
	}
	_, err := tx.ExecContext(ctx, "SELECT pg_notify($1, $2)", Channel, trial)
	return err
}

// dialects are the expressions that differ: {now_us} is the database's clock, because the clocks of
// the machines differ; {now} is a time as River stores it, {later} the same a moment later.
var dialects = map[bool]*strings.Replacer{
	false: strings.NewReplacer(
		"{now_us}", "CAST(unixepoch('now', 'subsec') * 1000000 AS INTEGER)",
		"{now}", "datetime('now', 'subsec')",
		"{later}", "datetime('now', 'subsec', '+0.2 seconds')",
		"{claimed_by}", "attempted_by ->> '$[#-1]'",
		"{text}", "->> '$.", "{/text}", "'",
		"{us}", "CAST(unixepoch(", "{/us}", ", 'subsec') * 1000000 AS INTEGER)",
		"{id}", "INTEGER PRIMARY KEY AUTOINCREMENT",
		"{args}", "json(args)", "{lock}", "", "{skip}", "",
	),
	true: strings.NewReplacer(
		"{now_us}", "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint",
		"{now}", "now()",
		"{later}", "now() + interval '0.2 seconds'",
		"{claimed_by}", "attempted_by[array_upper(attempted_by, 1)]",
		"{text}", "->> '", "{/text}", "'",
		"{us}", "(extract(epoch FROM ", "{/us}", ") * 1000000)::bigint",
		"{id}", "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
		"{args}", "args::text", "{lock}", "FOR UPDATE", "{skip}", "FOR UPDATE SKIP LOCKED",
	),
}

// SQL returns a statement in the dialect of the database. Arguments are question marks.
func (d *DB) SQL(statement string) string {
	statement = dialects[d.Postgres].Replace(statement)
	if !d.Postgres {
		return statement
	}
	var b strings.Builder
	n := 0
	for part := range strings.SplitSeq(statement, "?") {
		if n > 0 {
			b.WriteString("$" + strconv.Itoa(n))
		}
		b.WriteString(part)
		n++
	}
	return b.String()
}

// scale shortens the leases and timeouts in tests.
var scale = func() float64 {
	f, err := strconv.ParseFloat(os.Getenv("PERFTRACK_FLEET_SCALE"), 64)
	if err != nil || f <= 0 {
		return 1
	}
	return f
}()

// Scaled returns a lease or timeout multiplied by PERFTRACK_FLEET_SCALE.
func Scaled(d time.Duration) time.Duration { return time.Duration(float64(d) * scale) }
