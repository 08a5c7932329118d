package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/store"
)

// insert implements Insert of [store.Backend] in one statement, because each statement is a message
// to the server and back.
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

// unnest returns the names of the columns, and the arguments of the function unnest that turns
// their values into rows.
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
