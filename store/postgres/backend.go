package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/store"
)

// insert implements Insert of [store.Backend] in one statement, because each statement costs a
// round trip to the server.
func insert(ctx context.Context, tx *sql.Tx, table string, columns []store.Column) error {
	names, lists, args := unnest(columns)
	_, err := tx.ExecContext(ctx, fmt.Sprintf("INSERT INTO %s (%s) SELECT * FROM unnest(%s)", table, strings.Join(names, ", "), lists), args...)
	return err
}

// update implements Update of [store.Backend] in one statement.
func update(ctx context.Context, tx *sql.Tx, table string, columns []store.Column) error {
	names, lists, args := unnest(columns)
	var sets []string
	for _, name := range names[1:] {
		sets = append(sets, fmt.Sprintf("%s = v.%[1]s", name))
	}
	_, err := tx.ExecContext(ctx, fmt.Sprintf("UPDATE %s t SET %s FROM unnest(%s) v (%s) WHERE t.%s = v.%[5]s",
		table, strings.Join(sets, ", "), lists, strings.Join(names, ", "), names[0]), args...)
	return err
}

// unnest returns the names of the columns, and the arguments of the SQL function unnest, which
// turns their values into rows.
func unnest(columns []store.Column) (names []string, lists string, args []any) {
	var parameters []string
	for i, c := range columns {
		of := "bytea"
		switch c.Values.(type) {
		case []int64:
			of = "bigint"
		case []string:
			of = "text"
		}
		names, args = append(names, c.Name), append(args, c.Values)
		parameters = append(parameters, fmt.Sprintf("$%d::%s[]", i+1, of))
	}
	return names, strings.Join(parameters, ", "), args
}

// checks count rows that should not exist. They do not rely on the server's foreign keys, which an
// administrator can turn off and which a damaged disk does not respect.
var checks = []struct{ problem, query string }{
	{"rows of results refer to a missing run, or to one of another repository",
		`FROM results n LEFT JOIN runs r ON r.id = n.run_id WHERE n.repository_id = $1 AND r.repository_id IS DISTINCT FROM n.repository_id`},
	{"rows of results refer to a missing benchmark, or to one of another repository",
		`FROM results n LEFT JOIN benchmarks b ON b.id = n.benchmark_id WHERE n.repository_id = $1 AND b.repository_id IS DISTINCT FROM n.repository_id`},
	{"runs have another number of results than their headers say",
		`FROM runs r LEFT JOIN (SELECT run_id, count(*) AS n FROM results WHERE repository_id = $1 GROUP BY run_id) c ON c.run_id = r.id
			WHERE r.repository_id = $1 AND coalesce(c.n, 0) <> r.benchmarks`},
	{"runs refer to a missing environment", `FROM runs r WHERE r.repository_id = $1 AND NOT EXISTS (SELECT 1 FROM environments e WHERE e.id = r.environment_id)`},
	{"runs refer to a missing trial", `FROM runs r WHERE r.repository_id = $1 AND r.trial_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM trials t WHERE t.id = r.trial_id)`},
	{"deletions name no run", `FROM deletions d WHERE d.repository_id = $1 AND NOT EXISTS (SELECT 1 FROM deleted_runs r WHERE r.deletion_id = d.id)`},
}

// check returns the faults found by the server in the references and counts of a repository. The
// server checks its own pages when it reads them, if it was created with checksums.
func check(ctx context.Context, db *sql.DB, repository string) (problems []string, err error) {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() // there is nothing to undo
	var id int64
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) FROM repositories WHERE name = $1`, repository).Scan(&id); err != nil {
		return nil, err
	}
	for _, c := range checks {
		var n int
		err := tx.QueryRowContext(ctx, "SELECT count(*) "+c.query, id).Scan(&n)
		if err != nil {
			return problems, err
		}
		if n > 0 {
			problems = append(problems, fmt.Sprintf("%d %s", n, c.problem))
		}
	}
	return problems, nil
}
