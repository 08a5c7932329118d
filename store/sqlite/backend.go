package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/store"
)

// insert implements Insert of [store.Backend]. SQLite runs in this process, so one statement for
// each row is as fast as a batch.
func insert(ctx context.Context, tx *sql.Tx, table string, columns []store.Column) error {
	var names, values []string
	for i, c := range columns {
		names, values = append(names, c.Name), append(values, fmt.Sprintf("$%d", i+1))
	}
	return execEach(ctx, tx, fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, strings.Join(names, ", "), strings.Join(values, ", ")), columns)
}

// update implements Update of [store.Backend].
func update(ctx context.Context, tx *sql.Tx, table string, columns []store.Column) error {
	var sets []string
	for i, c := range columns[1:] {
		sets = append(sets, fmt.Sprintf("%s = $%d", c.Name, i+1))
	}
	query := fmt.Sprintf("UPDATE %s SET %s WHERE %s = $%d", table, strings.Join(sets, ", "), columns[0].Name, len(columns))
	return execEach(ctx, tx, query, append(columns[1:len(columns):len(columns)], columns[0]))
}

// execEach executes a statement for each row, with its columns as the arguments.
func execEach(ctx context.Context, tx *sql.Tx, query string, columns []store.Column) error {
	s, err := tx.PrepareContext(ctx, query)
	if err != nil {
		return err
	}
	defer s.Close()
	args := make([]any, len(columns))
	for i := range columns[0].Len() {
		for k := range columns {
			args[k] = columns[k].At(i)
		}
		if _, err := s.ExecContext(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}

// check returns the faults that SQLite finds in the database's structure (at most a hundred) and in
// its references.
func check(ctx context.Context, db *sql.DB) (problems []string, err error) {
	for _, query := range []string{`PRAGMA integrity_check`,
		`SELECT count(*) || ' rows of ' || "table" || ' refer to missing rows of ' || "parent" FROM pragma_foreign_key_check GROUP BY "table", "parent"`} {
		rows, err := db.QueryContext(ctx, query)
		if err != nil {
			return problems, err
		}
		defer rows.Close()
		for rows.Next() {
			var problem string
			if err := rows.Scan(&problem); err != nil {
				return problems, err
			}
			if problem != "ok" {
				problems = append(problems, problem)
			}
		}
		if err := rows.Err(); err != nil {
			return problems, err
		}
	}
	return problems, nil
}

// indexed lists the indexes, with their columns, of all tables that are small compared with the
// samples.
var indexed = []struct{ table, index, columns string }{
	{"runs", "sqlite_autoindex_runs_1", "uid"},
	{"runs", "runs_target", "target"},
	{"runs", "runs_commit", "commit_sha"},
	{"runs", "runs_environment", "environment_id"},
	{"runs", "runs_trial", "trial_id"},
	{"environments", "sqlite_autoindex_environments_1", "key"},
	{"trials", "sqlite_autoindex_trials_1", "name"},
	{"benchmarks", "sqlite_autoindex_benchmarks_1", "target, name, package, suite, kind"},
	{"acceptances", "sqlite_autoindex_acceptances_1", "uid"},
	{"acceptances", "acceptances_target", "target"},
	{"deletions", "sqlite_autoindex_deletions_1", "uid"},
}

// checkIndexes returns an error if an index lacks rows of its table or has additional ones. With
// such an index, SQLite itself would return wrong results without an error. checkIndexes reads no
// samples and only a small part of each run.
func checkIndexes(ctx context.Context, tx *sql.Tx) error {
	for _, x := range indexed {
		var rows, entries, lost int
		err := tx.QueryRowContext(ctx, fmt.Sprintf(`SELECT
			(SELECT count(*) FROM %[1]s NOT INDEXED),
			(SELECT count(*) FROM %[1]s INDEXED BY %[2]s),
			(SELECT count(*) FROM %[1]s t NOT INDEXED WHERE NOT EXISTS (
				SELECT 1 FROM %[1]s i INDEXED BY %[2]s WHERE (%[3]s) IS (%[4]s) AND i.id = t.id))`,
			x.table, x.index, prefixed("i.", x.columns), prefixed("t.", x.columns))).Scan(&rows, &entries, &lost)
		if err != nil {
			return fmt.Errorf("read the index %s: %w", x.index, err)
		}
		if entries != rows || lost > 0 {
			return fmt.Errorf("index %s has %d entries and misses %d of %d rows: %w: `perftrack db rebuild` saves the good runs in a new one",
				x.index, entries, lost, rows, store.ErrDamaged)
		}
	}
	return checkRepositories(ctx, tx)
}

// checkRepositories returns an error if a row names another repository than the only one, because
// readers would silently skip the row.
func checkRepositories(ctx context.Context, tx *sql.Tx) error {
	for _, table := range []string{"runs", "benchmarks", "acceptances", "deletions"} {
		var lost int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM `+table+` WHERE repository_id <> (SELECT id FROM repositories)`).Scan(&lost); err != nil {
			return fmt.Errorf("read the table %s: %w", table, err)
		}
		if lost > 0 {
			return fmt.Errorf("%d rows of %s are of another repository: %w: `perftrack db rebuild` saves the good runs in a new one", lost, table, store.ErrDamaged)
		}
	}
	return nil
}

// prefixed puts a table's alias in front of each column.
func prefixed(alias, columns string) string {
	return alias + strings.ReplaceAll(columns, ", ", ", "+alias)
}
