package sqlite

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/store"
)

// The parameters of the connections. Every pragma is set for each connection
// of a pool; a statement would reach one of them. They are spelled as mattn/go-sqlite3
// has them.
//
// The driver's own default is synchronous=NORMAL, with which a power cut takes
// acknowledged runs. A transaction that begins by reading gets "busy" at once,
// whatever the timeout, when it then writes after another has: hence immediate.
const (
	writerParams = "_txlock=immediate&_synchronous=FULL&_busy_timeout=30000&_foreign_keys=on"
	readerParams = "mode=ro&_query_only=1&_busy_timeout=30000&_foreign_keys=on"
)

// What the parameters cannot say. The file may come from anybody: its schema
// must not call functions that are unsafe there, and each page is checked.
const guards = `PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;
	PRAGMA journal_size_limit = 67108864`

// Where the journal is not WAL. FULL does not sync the folder after the journal is
// unlinked, so a power cut could bring the journal back and undo the transaction.
const guardsWithoutWAL = `PRAGMA synchronous = EXTRA`

// safeWAL is the first SQLite whose WAL mode does not corrupt a database when
// one connection resets the log while another writes (3.7.0 to 3.51.2 do).
const safeWAL = 3051003

// connect returns a pool of at most n connections, which it does not yet open.
func connect(path, params string, n int) *sql.DB {
	db := sql.OpenDB(connector("file:" + escapePath(path) + "?" + params))
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db
}

// A connector is a DSN. Which driver it connects with is told by the build: driver_cgo.go,
// or driver_nocgo.go where there is no C compiler.
type connector string

// onlyValue reads the answer to a pragma, of whichever driver.
func onlyValue(rows driver.Rows, err error) (string, error) {
	if err != nil {
		return "", err
	}
	defer rows.Close()
	row := make([]driver.Value, 1)
	if err := rows.Next(row); err != nil {
		return "", err
	}
	return fmt.Sprint(row[0]), nil
}

// escapePath makes path safe inside a DSN, where ?, # and % have a meaning.
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

// libraryJournal returns the journal that the SQLite linked in can be trusted
// with.
func libraryJournal() journal {
	if libraryVersion() < safeWAL {
		return rollback
	}
	return wal
}

// SQLite's result codes: https://www.sqlite.org/rescode.html. The lowest eight bits of an
// extended one are its primary one.
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

// needsRollback reports whether err says that a rollback journal must be
// played back, which a reader cannot do.
func needsRollback(err error) bool {
	return codeOf(err) == codeReadOnlyRollback
}

// needsWriting reports whether err says that SQLite cannot read without making or
// changing a file, and may not.
func needsWriting(err error) bool {
	code := codeOf(err)
	return code != codeReadOnlyRollback && (code&0xff == codeCantOpen || code&0xff == codeReadOnly)
}

// explain says what an error of SQLite means to whom it concerns.
func explain(err error) error {
	switch codeOf(err) & 0xff {
	case codeBusy, codeLocked:
		return fmt.Errorf("%w, for more than %v: %w", store.ErrBusy, lockWait, err)
	case codeCorrupt, codeNotADB, codeMismatch:
		return fmt.Errorf("%w: %w", store.ErrDamaged, err)
	case codeFull:
		return fmt.Errorf("no space left: %w", err)
	}
	return err
}
