package store

import (
	"context"
	"database/sql"
	"errors"
)

// Answer returns the answer that [DB.KeepAnswer] stored under a name. It returns nil if there is
// none or if it is damaged, because an answer can always be recomputed.
func (db *DB) Answer(ctx context.Context, name string) (content []byte, err error) {
	err = db.readUnchecked(ctx, func(tx *sql.Tx) error {
		var digest int64
		err := tx.QueryRowContext(ctx, `SELECT content, digest FROM answers WHERE repository_id = $1 AND name = $2`, db.repository, name).Scan(&content, &digest)
		if errors.Is(err, sql.ErrNoRows) || err == nil && answerDigest(name, content) != digest {
			content, err = nil, nil
		}
		return err
	})
	if err = db.fail("read a kept answer of", err); errors.Is(err, ErrDamaged) {
		return nil, nil
	}
	return content, err
}

// KeepAnswer stores an answer that was derived from the runs, and replaces the one with the same
// name. The content must show whether the answer is still valid.
func (db *DB) KeepAnswer(ctx context.Context, name string, content []byte) error {
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO answers (repository_id, name, content, digest) VALUES ($1, $2, $3, $4)
			ON CONFLICT (repository_id, name) DO UPDATE SET content = excluded.content, digest = excluded.digest`,
			db.repository, name, content, answerDigest(name, content))
		return err
	})
	return db.fail("keep an answer in", err)
}

func answerDigest(name string, content []byte) int64 {
	var d digest
	d.text(name)
	d.column(content)
	return d.sum()
}

// badAnswers returns the names of the damaged answers.
func (db *DB) badAnswers(ctx context.Context, tx *sql.Tx) (names []string, err error) {
	err = each(ctx, tx, `SELECT name, content, digest FROM answers WHERE repository_id = $1 ORDER BY name`, []any{db.repository}, func(rows *sql.Rows) error {
		var name string
		var content []byte
		var digest int64
		err := rows.Scan(&name, &content, &digest)
		if err == nil && answerDigest(name, content) != digest {
			names = append(names, name)
		}
		return err
	})
	return names, err
}
