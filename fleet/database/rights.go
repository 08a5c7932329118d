package database

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// grants are the rights of a worker that claims jobs and inserts results, and nothing else. River
// writes the columns of river_job when it claims a job, and reads all of them.
const grants = `GRANT SELECT ON river_job, fleet_trials, fleet_schema TO ROLE;
GRANT UPDATE (state, attempt, attempted_at, attempted_by, errors, finalized_at, metadata, scheduled_at) ON river_job TO ROLE;
GRANT SELECT, INSERT, UPDATE (updated_at) ON river_queue TO ROLE;
GRANT SELECT, INSERT, UPDATE, DELETE ON fleet_workers TO ROLE;
GRANT INSERT, SELECT (id) ON fleet_parts TO ROLE;
GRANT INSERT ON fleet_rounds, fleet_failures TO ROLE;
`

var roleName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,62}$`)

// Rights returns the SQL that gives a PostgreSQL role the rights of a worker.
func Rights(role string) (string, error) {
	if !roleName.MatchString(role) {
		return "", fmt.Errorf("the name of the role %q is not valid: use letters, digits, - and _", role)
	}
	return strings.ReplaceAll(grants, "ROLE", `"`+role+`"`), nil
}

// Maintains reports whether this process may do River's maintenance.
func (d *DB) Maintains(ctx context.Context) (ok bool, err error) {
	if !d.Postgres {
		return true, nil
	}
	err = d.Retry(ctx, func(ctx context.Context) error {
		return d.QueryRowContext(ctx, `SELECT has_table_privilege('river_leader', 'INSERT')
			AND has_table_privilege('river_job', 'DELETE')`).Scan(&ok)
	})
	if err != nil {
		err = errors.Join(errors.New("read the rights of the role"), err)
	}
	return ok, err
}
