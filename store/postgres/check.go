package postgres

import (
	"context"
	"database/sql"
	"fmt"
)

// checks count rows that should not exist. They do not rely on the server's foreign keys, because
// an administrator can turn them off and a damaged disk does not respect them.
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
