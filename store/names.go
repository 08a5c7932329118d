package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"maps"
	"slices"
)

// Names lists the names that a user can select stored data by.
type Names struct {
	Targets, Suites, Units, Environments []string
	Benchmarks                           []string // only those with samples
}

// Names returns at most limit names of each kind, sorted. It does not read samples, so it is fast
// even for a large database.
func (db *DB) Names(ctx context.Context, limit int) (n Names, err error) {
	err = db.read(ctx, func(tx *sql.Tx) error {
		for _, q := range []struct {
			text string
			into *[]string
		}{
			{`SELECT DISTINCT target FROM benchmarks WHERE repository_id = $1 ORDER BY 1 LIMIT $2`, &n.Targets},
			{`SELECT DISTINCT suite FROM benchmarks WHERE repository_id = $1 AND suite <> '' ORDER BY 1 LIMIT $2`, &n.Suites},
			{`SELECT DISTINCT key FROM environments e JOIN runs r ON r.environment_id = e.id WHERE r.repository_id = $1 ORDER BY 1 LIMIT $2`, &n.Environments},
			{`SELECT DISTINCT name FROM benchmarks WHERE repository_id = $1 AND runs > 0 ORDER BY 1 LIMIT $2`, &n.Benchmarks},
		} {
			if err := each(ctx, tx, q.text, []any{db.repository, limit}, func(rows *sql.Rows) error {
				var name string
				err := rows.Scan(&name)
				*q.into = append(*q.into, name)
				return err
			}); err != nil {
				return err
			}
		}
		units := map[string]bool{}
		err := each(ctx, tx, `SELECT DISTINCT units FROM benchmarks WHERE repository_id = $1 AND runs > 0`, []any{db.repository}, func(rows *sql.Rows) error {
			var text string
			var list []string
			err := rows.Scan(&text)
			if err == nil {
				err = json.Unmarshal([]byte(text), &list)
			}
			for _, unit := range list {
				units[unit] = true
			}
			return err
		})
		n.Units = slices.Sorted(maps.Keys(units))
		n.Units = n.Units[:min(limit, len(n.Units))]
		return err
	})
	return n, db.fail("list names in", err)
}
