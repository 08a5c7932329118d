package sqlite

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/perftrack/perftrack/runner/flock"
	"github.com/perftrack/perftrack/store/storetest"
)

// On a file system where WAL is unreliable, the rollback journal is used and its directory is
// synced. A database in WAL mode is switched to the rollback journal.
func TestNetworkFileSystem(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "perftrack.db")
	ids := fill(t, path, 1)
	for n := range 2 {
		isFar = func(string) (bool, error) { return true, nil }
		b, err := open(ctx, path, defaults())
		isFar = flock.Far
		if err != nil {
			t.Fatal(err)
		}
		for _, db := range []*sql.DB{b.writer, b.reader} {
			conn, err := db.Conn(ctx)
			if err != nil {
				t.Fatal(err)
			}
			checkPragmas(t, conn, map[string]string{"journal_mode": "delete", "synchronous": "3"})
			conn.Close()
		}
		db := wrap(t, b, path)
		if _, err := db.Get(ctx, ids[0]); err != nil {
			t.Error(err)
		}
		if _, _, err := db.Put(ctx, storetest.Plain("", n+100, 2)); err != nil {
			t.Error(err)
		}
		db.Close()
	}
}
