package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/store"
)

// The connection parameters. Every pragma is a parameter, so that it is set on each connection in a
// pool; a statement would affect only one connection.
//
// With the driver's default, synchronous=NORMAL, a power failure can lose acknowledged runs. The
// transaction lock is immediate because a transaction that first reads and then writes would
// otherwise fail at once with "busy", despite the timeout, if another transaction wrote in between.
// The cache holds 16 MiB, because a run of 1,000 benchmarks has its results on as many pages.
const (
	writerParams = "_txlock=immediate&_synchronous=FULL&_busy_timeout=30000&_foreign_keys=on&" + cacheParam
	readerParams = "mode=ro&_query_only=1&_busy_timeout=30000&_foreign_keys=on&" + cacheParam
	cacheParam   = "_cache_size=-16384"
)

// guards contains the settings that have no connection parameter. The file may come from an
// untrusted source, so its schema must not call unsafe functions, and SQLite checks the cells of
// each page.
const guards = `PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;
	PRAGMA journal_size_limit = 67108864`

// guardsWithoutWAL is an additional setting for journals other than WAL. With synchronous=FULL,
// SQLite does not sync the directory after it has deleted the journal, so a power failure could
// bring the journal back and undo the transaction.
const guardsWithoutWAL = `PRAGMA synchronous = EXTRA`

// safeWAL is the first SQLite version with a safe WAL mode. Versions 3.7.0 to 3.51.2 can corrupt a
// database if one connection resets the log while another writes.
const safeWAL = 3051003

// connect returns a pool of at most n connections. It does not open any of them.
func connect(path, params string, n int) *sql.DB {
	db := sql.OpenDB(connector("file:" + escapePath(path) + "?" + params))
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db
}

// A connector is a DSN. The driver depends on the build: see driver_cgo.go and, for builds without
// a C compiler, driver_nocgo.go.
type connector string

// Connect opens a connection and sets its pragmas.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	dsn, pragmas := c.translate()
	conn, err := c.Driver().Open(dsn)
	if err != nil {
		return nil, err
	}
	if err := prepareConn(ctx, conn, pragmas); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// translate returns a DSN for either driver, and the statements for the other parameters. The busy
// timeout comes first, because the other pragmas may have to wait.
func (c connector) translate() (dsn, pragmas string) {
	path, params, _ := strings.Cut(string(c), "?")
	pragmas = guards
	var kept []string
	for param := range strings.SplitSeq(params, "&") {
		name, value, _ := strings.Cut(param, "=")
		switch {
		case name == "_busy_timeout":
			pragmas = "PRAGMA busy_timeout = " + value + "; " + pragmas
		case strings.HasPrefix(name, "_") && name != "_txlock":
			pragmas += "; PRAGMA " + name[1:] + " = " + value
		default:
			kept = append(kept, param)
		}
	}
	return path + "?" + strings.Join(kept, "&"), pragmas
}

func prepareConn(ctx context.Context, conn driver.Conn, pragmas string) error {
	exec := conn.(driver.ExecerContext)
	if _, err := exec.ExecContext(ctx, pragmas, nil); err != nil {
		return err
	}
	rows, err := conn.(driver.QueryerContext).QueryContext(ctx, `PRAGMA journal_mode`, nil)
	if err != nil {
		return err
	}
	defer rows.Close()
	mode := make([]driver.Value, 1)
	if err := rows.Next(mode); err != nil {
		return err
	}
	if fmt.Sprint(mode[0]) != "wal" {
		_, err = exec.ExecContext(ctx, guardsWithoutWAL, nil)
	}
	return err
}

// escapePath escapes path for a DSN, where ?, # and % have special meanings.
func escapePath(path string) string {
	var b strings.Builder
	for i := range len(path) {
		switch c := path[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("/._-", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// libraryJournal returns the kind of journal that is safe with the linked SQLite.
func libraryJournal() journal {
	if libraryVersion() < safeWAL {
		return rollback
	}
	return wal
}

// SQLite's result codes: https://www.sqlite.org/rescode.html. The low eight bits of an extended
// code are the primary code.
const (
	codeBusy             = 5
	codeLocked           = 6
	codeReadOnly         = 8
	codeCorrupt          = 11
	codeFull             = 13
	codeCantOpen         = 14
	codeMismatch         = 20
	codeNotADB           = 26
	codeReadOnlyRollback = codeReadOnly | 3<<8
)

// needsRollback reports whether err means that SQLite must first roll back a transaction from its
// journal, which a reader cannot do.
func needsRollback(err error) bool {
	return codeOf(err) == codeReadOnlyRollback
}

// needsWriting reports whether err means that SQLite would have to create or change a file to read
// the database, but is not permitted to.
func needsWriting(err error) bool {
	code := codeOf(err)
	return code != codeReadOnlyRollback && (code&0xff == codeCantOpen || code&0xff == codeReadOnly)
}

// explainAs wraps *err, unless it is nil, in an error with the operation and an explanation for the
// user.
func explainAs(operation string, err *error) {
	if *err != nil {
		*err = fmt.Errorf("%s: %w", operation, explain(*err))
	}
}

// explain wraps an SQLite error in one with an explanation for the user.
func explain(err error) error {
	switch codeOf(err) & 0xff {
	case codeBusy, codeLocked:
		return fmt.Errorf("%w for more than %v: %w", store.ErrBusy, lockWait, err)
	case codeCorrupt, codeNotADB, codeMismatch:
		return fmt.Errorf("%w: %w", store.ErrDamaged, err)
	case codeFull:
		return fmt.Errorf("no space left: %w", err)
	}
	return err
}
