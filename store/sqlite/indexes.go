package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/store"
)

// indexed are the tables that are small beside the samples, each with the columns of its indexes.
var indexed = []struct{ table, index, columns string }{
	{"runs", "sqlite_autoindex_runs_1", "uid"},
	{"runs", "runs_target", "target"},
	{"runs", "runs_commit", "commit_sha"},
	{"runs", "runs_environment", "environment_id"},
	{"runs", "runs_trial", "trial_id"},
	{"environments", "sqlite_autoindex_environments_1", "key"},
	{"trials", "sqlite_autoindex_trials_1", "name"},
	{"benchmarks", "sqlite_autoindex_benchmarks_1", "target, name, package, suite, kind"},
	{"series", "sqlite_autoindex_series_1", "benchmark_id, unit"},
	{"acceptances", "sqlite_autoindex_acceptances_1", "uid"},
	{"acceptances", "acceptances_target", "target"},
	{"deletions", "sqlite_autoindex_deletions_1", "uid"},
}

// checkIndexes reports an index that does not find every row of its table, or finds others: SQLite
// itself answers from it without a word. It reads no sample, and little of each run.
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
			return fmt.Errorf("index %s has %d entries and misses %d of %d rows: %w: `perftrack db rebuild` stores what is good in a new one",
				x.index, entries, lost, rows, store.ErrDamaged)
		}
	}
	return nil
}

// countRounds returns in how many runs each benchmark was measured, as the index of the rounds has
// it, once that agrees with the number of benchmarks that stands beside each run.
func countRounds(ctx context.Context, tx *sql.Tx) (map[int64]int, error) {
	var wrong int
	err := tx.QueryRowContext(ctx, `SELECT count(*) FROM runs r
		WHERE r.benchmarks <> (SELECT count(*) FROM rounds n INDEXED BY rounds_run WHERE n.run_id = r.id)`).Scan(&wrong)
	if err != nil {
		return nil, fmt.Errorf("read the index rounds_run: %w", err)
	}
	if wrong > 0 {
		return nil, fmt.Errorf("%d runs have another number of benchmarks than stands beside them: %w: see `perftrack db verify`", wrong, store.ErrDamaged)
	}
	rows, err := tx.QueryContext(ctx, `SELECT benchmark_id, count(*) FROM rounds INDEXED BY rounds_run GROUP BY benchmark_id`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	counts := map[int64]int{}
	for rows.Next() {
		var benchmark int64
		var n int
		if err := rows.Scan(&benchmark, &n); err != nil {
			return nil, err
		}
		counts[benchmark] = n
	}
	return counts, rows.Err()
}

// prefixed puts a table's alias before each of the columns.
func prefixed(alias, columns string) string {
	return alias + strings.ReplaceAll(columns, ", ", ", "+alias)
}
