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
