package sqlite

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/perftrack/perftrack/store/storetest"
)

// On a file system where WAL is unreliable, the rollback journal is used and its directory is
// synced. A database in WAL mode is switched.
func TestNetworkFileSystem(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "perftrack.db")
	ids := fill(t, path, 1)
	for _, magic := range []int64{unix.NFS_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.V9FS_MAGIC, unix.FUSE_SUPER_MAGIC} {
		statfs = func(_ string, st *unix.Statfs_t) error {
			st.Type = magic
			return nil
		}
		b, err := open(ctx, path, defaults())
		statfs = unix.Statfs
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
		if _, _, err := db.Put(ctx, storetest.Plain("", int(magic&0xffff), 2)); err != nil {
			t.Error(err)
		}
		db.Close()
	}
	if far, err := networked(t.TempDir()); far || err != nil {
		t.Errorf("the temporary folder is on a network: %v, %v", far, err)
	}
}
