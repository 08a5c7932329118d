package store

import (
	"context"
	"database/sql"
)

// Names are the words by which a user asks for what is stored.
type Names struct {
	Targets, Suites, Units, Environments []string
	Benchmarks                           []string // that have samples
}

// Names reads them, at most limit of a kind, sorted. It reads no sample, so that it is quick
// however much is stored.
func (db *DB) Names(ctx context.Context, limit int) (n Names, err error) {
	err = db.read(ctx, func(tx *sql.Tx) error {
		for _, q := range []struct {
			text string
			into *[]string
		}{
			{`SELECT DISTINCT target FROM benchmarks ORDER BY 1 LIMIT ?`, &n.Targets},
			{`SELECT DISTINCT suite FROM benchmarks WHERE suite <> '' ORDER BY 1 LIMIT ?`, &n.Suites},
			{`SELECT DISTINCT unit FROM series ORDER BY 1 LIMIT ?`, &n.Units},
			{`SELECT DISTINCT key FROM environments ORDER BY 1 LIMIT ?`, &n.Environments},
			{`SELECT DISTINCT name FROM benchmarks b WHERE EXISTS (SELECT 1 FROM rounds WHERE benchmark_id = b.id) ORDER BY 1 LIMIT ?`, &n.Benchmarks},
		} {
			if err := each(ctx, tx, q.text, []any{limit}, func(rows *sql.Rows) error {
				var name string
				err := rows.Scan(&name)
				*q.into = append(*q.into, name)
				return err
			}); err != nil {
				return err
			}
		}
		return nil
	})
	return n, db.fail("list names in", err)
}
