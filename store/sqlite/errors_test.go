package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/flock"
	"github.com/perftrack/perftrack/store"
)

// If the disk is full, Put returns an error with the path and leaves nothing of the run behind. The
// same Put succeeds once there is free space.
func TestFullDisk(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "perftrack.db")
	fill(t, path, 1)
	b, err := open(ctx, path, defaults())
	if err != nil {
		t.Fatal(err)
	}
	db := wrap(t, b, path)
	defer db.Close()
	if _, err := b.writer.Exec(`PRAGMA max_page_count = 1`); err != nil { // not a single page more
		t.Fatal(err)
	}
	stored := 0
	for ; err == nil; stored++ {
		_, _, err = db.Put(ctx, large(stored))
	}
	if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("%v, want an error with the path and the cause", err)
	}
	if v, err := db.Verify(ctx); err != nil || !v.OK() || v.Runs != stored {
		t.Errorf("%d runs stored; %+v, %v", stored, v, err)
	}
	if _, err := b.writer.Exec(`PRAGMA max_page_count = 1000000`); err != nil {
		t.Fatal(err)
	}
	if _, added, err := db.Put(ctx, large(stored-1)); err != nil || !added {
		t.Errorf("with room again: %v, %v", added, err)
	}
}

// If Put times out waiting for a lock, its error contains the reason and the path.
func TestBusy(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "perftrack.db")
	fill(t, path, 1)
	o := defaults()
	o.writerParams = strings.Replace(o.writerParams, "_busy_timeout=30000", "_busy_timeout=50", 1)
	db, err := openWith(ctx, path, o)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	other := connect(path, writerParams, 1)
	defer other.Close()
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := db.Put(ctx, sample("busy", 1)); !errors.Is(err, store.ErrBusy) || !strings.Contains(err.Error(), path) {
		t.Errorf("%v, want ErrBusy", err)
	}
	tx.Rollback()
	if _, added, err := db.Put(ctx, sample("busy", 1)); err != nil || !added {
		t.Errorf("afterwards: %v, %v", added, err)
	}
}

// Open waits while another process creates or migrates the database, until the caller cancels.
func TestLockWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "perftrack.db")
	unlock, err := lock(context.Background(), path, flock.Exclusive)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, err := Open(ctx, path)
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want context.Canceled", err)
	}
	unlock()
	openAt(t, path)
}

// A Put is completed even if it is cancelled after it has begun.
func TestPutOutlivesCancel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "perftrack.db")
	b, err := open(context.Background(), path, defaults())
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	other := connect(path, writerParams, 1)
	defer other.Close()
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, _, err := wrap(t, b, path).Put(ctx, sample("cancelled", 1))
		done <- err
	}()
	for b.writer.Stats().InUse == 0 { // until Put has its connection and waits for the other transaction
		time.Sleep(time.Millisecond)
	}
	time.Sleep(20 * time.Millisecond)
	cancel()
	time.Sleep(20 * time.Millisecond)
	tx.Rollback()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// far returns options that treat the file as if it were on another host.
func far() options {
	o := defaults()
	o.journal = func(string) (journal, error) { return rollback, nil }
	return o
}

// Switching to WAL waits for readers, although SQLite itself would not.
func TestSwitchWaitsForReader(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "perftrack.db")
	db, err := openWith(ctx, path, far())
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	reader := connect(path, readerParams, 1)
	defer reader.Close()
	tx, err := reader.Begin()
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := tx.QueryRow(`SELECT count(*) FROM runs`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(100*time.Millisecond, func() { tx.Rollback() })
	if db, err = Open(ctx, path); err != nil {
		t.Fatal(err)
	}
	db.Close()
}

// If a crash interrupts a transaction with a rollback journal, the next process rolls it back,
// whether it is a reader or a writer.
func TestHotJournal(t *testing.T) {
	crashed, want := crash(t, `UPDATE results SET samples = x'0000000000000000'`)
	isTakenBack(t, func() string { return crashed(func([]byte) {}) }, want)
}
