// Package postgres stores perftrack's runs in a PostgreSQL database, which a team shares.
//
// In the flow engine -> runner -> store -> compare -> reports it is the layer below store: [Open]
// returns a [store.DB]. Its queries are in package store. Several repositories may share a
// database; each connection uses the runs of one of them. Writers of a repository take turns, wait
// for a replica to replace a lost primary, and repeat transactions that may not have been
// committed. It is the only package that uses the driver.
//
// Start with postgres.go. address.go parses URLs, which may contain a password, and errors.go
// decides whether to repeat a failed transaction.
package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/perftrack/perftrack/migrations"
	"github.com/perftrack/perftrack/store"
)

// maxReaders is the maximum number of concurrent queries in one process.
const maxReaders = 4

// oldest is the oldest supported version of PostgreSQL, as in server_version_num.
const oldest = 140000

// errNoTables means the database has no tables of perftrack.
var errNoTables = fmt.Errorf("%w here: run `perftrack db migrate` or `perftrack run` first", store.ErrNoDatabase)

// options holds settings that tests change, for example to show that they are needed.
type options struct {
	migrations migrations.Set
	again      func(context.Context, error, int) bool
	unlocked   bool // writers of a repository do not take turns
}

func defaults() options { return options{migrations: migrations.Postgres(), again: again} }

// Open opens the database at an address for reading and writing the runs of a repository. If
// necessary, it creates the tables or migrates them to the latest schema: see [store.DB.Migration].
// The error is [store.ErrForeign] or a [*store.SchemaError] if the database cannot be used; it is
// then left untouched. If the address names several hosts, Open waits up to a minute for one that
// accepts writes.
func Open(ctx context.Context, a Address, repository string) (*store.DB, error) {
	return openWith(ctx, a, repository, defaults())
}

// OpenReadOnly opens the database at an address for reading. It may be a replica. The error is
// [store.ErrNoDatabase] if there is no database or it has no tables.
func OpenReadOnly(ctx context.Context, a Address, repository string) (*store.DB, error) {
	b := opened{address: a, repository: repository, options: defaults()}
	err := b.openReader(ctx, false)
	if err == nil {
		err = b.checkSchema(ctx)
	}
	return b.db(ctx, err)
}

func openWith(ctx context.Context, a Address, repository string, o options) (*store.DB, error) {
	b := opened{address: a, repository: repository, options: o}
	err := b.open(ctx)
	for failed := 0; err != nil && b.hosts > 1 && o.again(ctx, err, failed); failed++ {
		_ = b.close()
		err = b.open(ctx)
	}
	return b.db(ctx, err)
}

// opened is an open database.
type opened struct {
	address        Address
	repository     string
	options        options
	hosts          int // number of hosts in the address
	writer, reader *sql.DB
	migration      store.Migration
}

func (b *opened) open(ctx context.Context) error {
	config, err := b.address.forWriting()
	if err != nil {
		return err
	}
	b.hosts = hosts(config)
	b.writer = pool(config, 1)
	if err := checkServer(ctx, b.writer); err != nil {
		return err
	}
	have, latest, err := b.schema(ctx, b.writer)
	switch {
	case err != nil:
		return err
	case have > latest:
		return &store.SchemaError{Have: have, Want: latest}
	case have < latest:
		if err := b.options.migrations.Up(ctx, b.writer); err != nil {
			return err
		}
	}
	b.migration = store.Migration{From: have, To: latest}
	return b.openReader(ctx, true)
}

// schema returns the schema version of the database, or 0 if it has no tables, and the latest
// version.
func (b *opened) schema(ctx context.Context, db *sql.DB) (have, latest int, err error) {
	if latest, err = b.options.migrations.Latest(); err == nil {
		have, err = b.options.migrations.Newest(ctx, db)
	}
	return have, latest, err
}

// hosts returns the number of hosts. The driver lists a host twice if it may be tried without
// encryption.
func hosts(c *pgx.ConnConfig) int {
	all := map[string]bool{fmt.Sprint(c.Host, c.Port): true}
	for _, f := range c.Fallbacks {
		all[fmt.Sprint(f.Host, f.Port)] = true
	}
	return len(all)
}

func (b *opened) openReader(ctx context.Context, primary bool) error {
	config, err := b.address.forReading(primary)
	if err != nil {
		return err
	}
	b.reader = pool(config, maxReaders)
	return b.reader.PingContext(ctx)
}

// pool returns a pool of at most n connections. It does not open any of them.
func pool(config *pgx.ConnConfig, n int) *sql.DB {
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db
}

// checkServer returns an error if perftrack cannot use the server.
func checkServer(ctx context.Context, db *sql.DB) error {
	var version int
	var name, encoding string
	err := db.QueryRowContext(ctx, `SELECT current_setting('server_version_num')::int, current_setting('server_version'), current_setting('server_encoding')`).
		Scan(&version, &name, &encoding)
	switch {
	case err != nil:
		return err
	case version < oldest:
		return fmt.Errorf("the server is PostgreSQL %s and perftrack needs %d or newer: upgrade it", name, oldest/10000)
	case encoding != "UTF8":
		return fmt.Errorf("the encoding of the database is %s: create one with `createdb --encoding UTF8 --template template0`", encoding)
	}
	return nil
}

// checkSchema returns an error unless the database has the latest schema.
func (b *opened) checkSchema(ctx context.Context) error {
	have, latest, err := b.schema(ctx, b.reader)
	switch {
	case err != nil:
		return err
	case have == 0:
		return errNoTables
	case have != latest:
		return &store.SchemaError{Have: have, Want: latest}
	}
	b.migration = store.Migration{From: have, To: have}
	return nil
}

// db returns the open database. If err is not nil, db closes the pools and returns an error
// wrapping err.
func (b *opened) db(ctx context.Context, err error) (*store.DB, error) {
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open store %s: %w", b.address.Name, explain(err)), b.close())
	}
	db, err := store.New(ctx, store.Backend{
		Path:       b.address.Name,
		Repository: b.repository,
		Writer:     b.writer,
		Reader:     b.reader,
		Migration:  b.migration,
		Explain:    explain,
		Check:      func(ctx context.Context) ([]string, error) { return check(ctx, b.reader, b.repository) },
		// A transaction that has read the version blocks migrations until it ends.
		Version: `SELECT coalesce(max(version_id), 0) FROM perftrack_db_version`,
		Size:    `SELECT pg_database_size(current_database())`, // including the runs of other repositories
		Exists:  `SELECT to_regclass($1) IS NOT NULL`,
		Insert:  insert,
		Update:  update,
		Turn:    func(context.Context) (func(), error) { return func() {}, nil }, // Begin waits instead
		Begin:   b.begin,
		Again:   b.options.again,
		Close:   b.close,
	})
	if err != nil {
		return nil, errors.Join(err, b.close())
	}
	return db, nil
}

// begin waits until no other transaction writes to the repository. The server releases the lock
// after the transaction has become visible, so row ids become visible in their order. begin also
// makes the commit wait for the disk: otherwise a crash of the server could lose a run already
// reported as stored.
func (b *opened) begin(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'
		UNION ALL SELECT pg_advisory_xact_lock($1)::text WHERE NOT $2`, lockOf(b.repository), b.options.unlocked)
	return err
}

// lockOf returns the number of the advisory lock for a repository. Two repositories with the same
// number would only wait for each other.
func lockOf(repository string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte("perftrack\x00" + repository)) // it never fails
	return int64(h.Sum64())
}

func (b *opened) close() error {
	var errs []error
	for _, db := range []*sql.DB{b.writer, b.reader} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}
