package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/perftrack/perftrack/migrations"
	"github.com/perftrack/perftrack/runner/livetest"
	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/postgres/pgtest"
)

// Many processes can write to and read from one database, and all succeed.
func TestConcurrentProcesses(t *testing.T) {
	livetest.Skip(t)
	const writers, readers = 16, 4
	n := scale(15, 500)
	url := pgtest.NewDatabase(t)
	a := address(t, url)
	openAt(t, a, repository).Close()
	reading, stop := startReaders(t, url, readers)
	began := time.Now()
	var writing []*child
	for i := range writers {
		writing = append(writing, start(t, "ingest", url, fmt.Sprint(i), n))
	}
	var acked []string
	for _, c := range writing {
		if err := c.Wait(); err != nil {
			t.Errorf("writer: %v: %s", err, c.err.String())
		}
		acked = append(acked, c.lines()...)
	}
	took := time.Since(began)
	stop()
	if got := checkWhole(t, a, acked); got != writers*n || len(acked) != writers*n {
		t.Errorf("%d runs, %d acknowledged, want %d", got, len(acked), writers*n)
	}
	t.Logf("%d runs by %d processes in %v, %s reads beside", len(acked), writers, took, strings.TrimSpace(reading[0].out.String()))
}

// startReaders starts n processes that read the database over and over. stop ends them and fails
// the test if one of them failed.
func startReaders(t *testing.T, url string, n int) (readers []*child, stop func()) {
	t.Helper()
	var ends []*os.File
	for range n {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		c := newChild("read", url, "", 0)
		c.Stdin = r
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		readers = append(readers, c)
		ends = append(ends, w)
		r.Close()
	}
	return readers, func() {
		for i, c := range readers {
			ends[i].Close()
			if err := c.Wait(); err != nil {
				t.Errorf("reader: %v: %s", err, c.err.String())
			}
		}
	}
}

// If writers do not take turns, they overwrite each other's counts.
func TestControlConcurrentProcesses(t *testing.T) {
	livetest.Skip(t)
	url := pgtest.NewDatabase(t)
	db := openAt(t, address(t, url), repository)
	var writing []*child
	for i := range 8 {
		writing = append(writing, start(t, "ingest unlocked", url, fmt.Sprint(i), 40))
	}
	failed := 0
	for _, c := range writing {
		if c.Wait() != nil {
			failed++
		}
	}
	v, err := db.Verify(context.Background())
	if err != nil || v.OK() && failed == 0 {
		t.Errorf("%+v, %v: nobody failed: the test above would not see it", v, err)
	}
}

// Many processes can start at once before there are tables.
func TestColdStart(t *testing.T) {
	livetest.Skip(t)
	random := dice(t)
	for round := range scale(5, 100) {
		url := pgtest.NewDatabase(t)
		_, stop := startReaders(t, url, 2)
		var children []*child
		for i := range 16 {
			children = append(children, start(t, "ingest", url, fmt.Sprint(i), 1))
		}
		var victim *child
		if random.IntN(2) == 0 {
			victim = children[random.IntN(len(children))]
			time.Sleep(time.Duration(random.IntN(100)) * time.Millisecond)
			victim.Process.Kill()
		}
		var acked []string
		for _, c := range children {
			if err := c.Wait(); err != nil && c != victim {
				t.Errorf("round %d: %v: %s", round, err, c.err.String())
			}
			acked = append(acked, c.lines()...)
		}
		stop()
		if n := checkWhole(t, address(t, url), acked); n < 15 {
			t.Errorf("%d runs of 16 processes", n)
		}
	}
}

// Without the lock, the second of two processes that create the tables at once fails.
func TestControlColdStart(t *testing.T) {
	config, err := newAddress(t).forWriting()
	if err != nil {
		t.Fatal(err)
	}
	db := pool(config, 2)
	defer db.Close()
	names, err := fs.Glob(migrations.Postgres().Files, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	text, err := fs.ReadFile(migrations.Postgres().Files, names[0])
	if err != nil {
		t.Fatal(err)
	}
	var both sync.WaitGroup
	errs := make([]error, 2)
	for i := range errs {
		both.Go(func() { _, errs[i] = db.Exec(string(text)) })
	}
	both.Wait()
	if (errs[0] == nil) == (errs[1] == nil) {
		t.Errorf("%v and %v: the test above would not see it", errs[0], errs[1])
	}
}

// A migration waits for writers, and a writer using the old schema is refused.
func TestMigrationAndWriters(t *testing.T) {
	ctx := context.Background()
	a := newAddress(t)
	db := openAt(t, a, repository)
	if _, _, err := db.Put(ctx, sample("before", 1)); err != nil {
		t.Fatal(err)
	}
	newer := openAt(t, a, repository)
	config, err := a.forWriting()
	if err != nil {
		t.Fatal(err)
	}
	raw := pool(config, 1)
	defer raw.Close()
	if _, err := raw.Exec(`INSERT INTO perftrack_db_version (version_id, is_applied) VALUES (99, true)`); err != nil {
		t.Fatal(err)
	}
	var schema *store.SchemaError
	if _, _, err := newer.Put(ctx, sample("after", 1)); !errors.As(err, &schema) || schema.Have != 99 {
		t.Errorf("Put into a newer schema: %v", err)
	}
	for _, open := range []func(context.Context, Address, string) (*store.DB, error){Open, OpenReadOnly} {
		if _, err := open(ctx, a, repository); !errors.As(err, &schema) || schema.Have != 99 {
			t.Errorf("open a newer schema: %v", err)
		}
	}
}
