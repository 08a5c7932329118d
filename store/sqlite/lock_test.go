package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/flock"
	"github.com/perftrack/perftrack/store"
)

// waiting returns how many requests for the lock on a file are waiting, according to the kernel.
func waiting(t *testing.T, path string) (n int) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		t.Skip("the kernel does not say who waits: ", err)
	}
	inode := fmt.Sprintf(":%d ", info.Sys().(*syscall.Stat_t).Ino)
	for line := range strings.Lines(string(locks)) {
		if strings.Contains(line, "->") && strings.Contains(line, inode) {
			n++
		}
	}
	return n
}

// Writers get their turns in the order of their arrival. Opening a sound database does not wait for
// them.
func TestTurns(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "perftrack.db")
	fill(t, path, 0)
	unlock, err := lock(ctx, path, flock.Exclusive)
	if err != nil {
		t.Fatal(err)
	}
	var writing sync.WaitGroup
	var want []string
	for i := range 8 {
		db := openAt(t, path)
		r := sample("turn", i)
		want = append(want, r.ID())
		writing.Go(func() {
			if _, _, err := db.Put(ctx, r); err != nil {
				t.Error(err)
			}
		})
		for deadline := time.Now().Add(20 * time.Second); waiting(t, path+lockEnding) <= i; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("writer %d does not queue", i)
			}
		}
	}
	unlock()
	writing.Wait()
	infos, err := openAt(t, path).Runs(ctx, store.Filter{})
	var got []string
	for _, info := range infos {
		got = append(got, info.ID)
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("stored in the order\n%v, %v; the writers came in\n%v", got, err, want)
	}
}

// The log does not grow forever even if there is always a reader.
func TestLogIsEmptied(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "perftrack.db")
	db := openAt(t, path)
	readers := connect(path, readerParams, 2)
	defer readers.Close()
	read := func() *sql.Tx {
		tx, err := readers.Begin()
		if err == nil {
			err = tx.QueryRow(`SELECT count(*) FROM runs`).Scan(new(int))
		}
		if err != nil {
			t.Fatal(err)
		}
		return tx
	}
	reading := read()
	var most, size int64
	for i := 0; i < 400 && size >= most; i++ {
		next := read()
		old := reading
		time.AfterFunc(20*time.Millisecond, func() { _ = old.Rollback() })
		reading = next
		if most > maxLog*3/4 { // the writer that will empty the log also waits for this reader
			last := reading
			time.AfterFunc(40*time.Millisecond, func() { _ = last.Rollback() })
		}
		most = max(most, size)
		if _, _, err := db.Put(ctx, large(i)); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		size = info.Size()
	}
	_ = reading.Rollback()
	if size >= maxLog || most < maxLog/2 {
		t.Errorf("the log has %d bytes and had %d", size, most)
	}
}
