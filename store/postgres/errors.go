package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/perftrack/perftrack/store"
)

// PostgreSQL's error codes: https://www.postgresql.org/docs/current/errcodes-appendix.html. The
// first two characters are the class.
const (
	codeReadOnly       = "25006"
	codeSerialization  = "40001"
	codeDeadlock       = "40P01"
	codeNoDatabase     = "3D000"
	codeNoPrivilege    = "42501"
	codeNoTable        = "42P01"
	codeTableExists    = "42P07"
	codeTooMany        = "53300"
	codeLockTimeout    = "55P03"
	codeShutdown       = "57P01"
	codeCrash          = "57P02"
	codeStarting       = "57P03"
	codeFileMissing    = "58P01"
	classConnection    = "08"
	classAuthorization = "28"
	classCorrupted     = "XX0"
)

// codeOf returns the server's error code, or "" if the error is not from the server.
func codeOf(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// explain wraps err in an error with an explanation for the user. It returns nil if err is nil.
func explain(err error) error {
	if err == nil {
		return nil
	}
	switch code := codeOf(err); {
	case code == codeLockTimeout, code == codeTooMany, code == codeSerialization, code == codeDeadlock:
		return fmt.Errorf("%w: %w", store.ErrBusy, err)
	case code == codeNoDatabase:
		return fmt.Errorf("%w: %w: create it with `createdb`", store.ErrNoDatabase, err)
	case code == codeNoTable:
		return fmt.Errorf("%w: %w", errNoTables, err)
	case code == codeTableExists:
		return fmt.Errorf("%w: %w: give perftrack a database or a schema of its own, such as ?search_path=perftrack", store.ErrForeign, err)
	case code == codeNoPrivilege:
		return fmt.Errorf("%w: let the owner of the database run `perftrack db migrate`, and grant this user the rights listed in `perftrack help scaling`", err)
	case code == codeFileMissing, strings.HasPrefix(code, classCorrupted) && code != "XX000":
		return fmt.Errorf("%w: %w", store.ErrDamaged, err)
	case strings.HasPrefix(code, classAuthorization):
		return fmt.Errorf("%w: check the user in the address, and the password in PGPASSWORD or ~/.pgpass", err)
	case isReadOnly(err):
		return fmt.Errorf("no server that accepts writes: %w: name the primary in the address, too", err)
	case code == "" && isConnectError(err):
		return fmt.Errorf("%w: check the host and the port in the address, and whether PostgreSQL runs there", err)
	}
	return err
}

func isConnectError(err error) bool {
	var e *pgconn.ConnectError
	return errors.As(err, &e)
}

// isReadOnly reports whether a writer found only servers that do not accept writes. The driver does
// not export a value for this error.
func isReadOnly(err error) bool {
	return codeOf(err) == codeReadOnly || isConnectError(err) && strings.Contains(err.Error(), "read only connection")
}

// isLost reports whether the connection was lost or could not be made, so a new one may work.
func isLost(err error) bool {
	var network net.Error
	switch code := codeOf(err); {
	case code == codeShutdown, code == codeCrash, code == codeStarting, strings.HasPrefix(code, classConnection):
		return true
	case code != "":
		return isReadOnly(err) // a primary that became a replica
	}
	return isConnectError(err) || errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, pgconn.ErrConnClosed) || pgconn.SafeToRetry(err)
}

// The pauses between attempts begin with the shortest and double up to the longest. They add up to
// about a minute, enough time for a replica to be promoted.
const (
	shortestPause = 50 * time.Millisecond
	longestPause  = 2 * time.Second
	mostAttempts  = 35
)

// again implements Again of [store.Backend]. If the connection was lost during a commit, the
// transaction may have been committed; all transactions of the store may be repeated.
func again(ctx context.Context, err error, failed int) bool {
	code := codeOf(err)
	if code != codeSerialization && code != codeDeadlock && !isLost(err) || ctx.Err() != nil || failed+1 >= mostAttempts {
		return false
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(min(shortestPause<<min(failed, 10), longestPause)):
		return true
	}
}
