package sqlite

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/livetest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// shuffled is the number of different runs that shuffle stores and deletes.
const shuffled = 12

// shuffle is a role that stores and deletes runs in random order, until it is killed if n is odd.
// It prints each operation before it begins.
func shuffle(path, label string, n int) error {
	db, err := Open(context.Background(), path)
	if err != nil {
		return err
	}
	defer db.Close()
	random := rand.New(rand.NewPCG(uint64(n), uint64(len(label))))
	for i := 0; n%2 == 1 || i < 20; i++ {
		operation := fmt.Sprint("put-", random.IntN(shuffled))
		if random.IntN(8) == 0 {
			operation = fmt.Sprint("delete-", random.IntN(shuffled))
		}
		fmt.Println(operation)
		if err := perform(db, operation); err != nil {
			return err
		}
	}
	return nil
}

// perform stores or deletes a run. An operation that was performed before changes nothing.
func perform(db *store.DB, operation string) error {
	word, number, _ := strings.Cut(operation, "-")
	var n int
	if _, err := fmt.Sscan(number, &n); err != nil {
		return err
	}
	run := sample("shuffled", n)
	var err error
	if word == "put" {
		_, _, err = db.Put(context.Background(), run)
	} else {
		_, err = db.Delete(context.Background(), record.Deletion{Runs: []string{run.ID()}, Reason: "shuffled", Time: time.Unix(1, 0)})
	}
	return err
}

// expected returns the ids of the runs that were stored and not deleted. The order does not matter,
// because a deleted run stays deleted.
func expected(operations map[string]bool) (ids []string) {
	for n := range shuffled {
		if operations[fmt.Sprint("put-", n)] && !operations[fmt.Sprint("delete-", n)] {
			ids = append(ids, sample("shuffled", n).ID())
		}
	}
	slices.Sort(ids)
	return ids
}

// shuffleAndKill runs pairs of processes that store and delete runs, and kills one process of each
// pair at a random time. It returns all operations that began.
func shuffleAndKill(t *testing.T, random *rand.Rand, path string) (operations map[string]bool) {
	t.Helper()
	operations = map[string]bool{}
	window := 50 * time.Millisecond
	for range 3 {
		began := time.Now()
		killed, whole := start(t, "shuffle", path, "killed", 2*random.IntN(1_000_000)+1), start(t, "shuffle", path, "whole", 2*random.IntN(1_000_000))
		time.Sleep(time.Duration(random.Int64N(int64(window))))
		if random.IntN(2) == 0 { // otherwise wait for the other process first
			killed.Process.Kill()
		}
		if whole.Wait() != nil {
			t.Fatal(whole.err.String())
		}
		killed.Process.Kill()
		killed.Wait()
		if killed.err.Len() > 0 {
			t.Fatal(killed.err.String())
		}
		window = max(window, time.Since(began))
		for _, operation := range slices.Concat(killed.lines(), whole.lines()) {
			operations[operation] = true
		}
	}
	return operations
}

// storedIDs returns the sorted ids of the runs of a database that must be whole.
func storedIDs(t *testing.T, path string) (ids []string) {
	t.Helper()
	db := openAt(t, path)
	defer db.Close()
	if v, err := db.Verify(context.Background()); err != nil || !v.OK() {
		t.Fatalf("%+v, %v", v, err)
	}
	infos, err := db.Runs(context.Background(), store.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range infos {
		ids = append(ids, info.ID)
	}
	slices.Sort(ids)
	return ids
}

// After some processes that store and delete runs were killed, repeating all of their operations
// leaves exactly the distinct runs that were not deleted.
func TestTortureIdempotence(t *testing.T) {
	random := dice(t)
	for range scale(livetest.Few(5, 20), 1000) {
		path := filepath.Join(t.TempDir(), "perftrack.db")
		operations := shuffleAndKill(t, random, path)
		db := openAt(t, path)
		again := slices.Sorted(maps.Keys(operations))
		random.Shuffle(len(again), func(i, k int) { again[i], again[k] = again[k], again[i] })
		for _, operation := range slices.Concat(again, again) {
			if err := perform(db, operation); err != nil {
				t.Fatal(operation, ": ", err)
			}
		}
		db.Close()
		if got, want := storedIDs(t, path), expected(operations); !slices.Equal(got, want) {
			t.Fatalf("after %v: %d runs, want %d:\n%v\n%v", again, len(got), len(want), got, want)
		}
	}
}

// If the operations are not repeated, some are lost, so the kills do interrupt operations.
func TestControlIdempotence(t *testing.T) {
	livetest.Skip(t)
	random := dice(t)
	for i := range 300 {
		path := filepath.Join(t.TempDir(), "perftrack.db")
		operations := shuffleAndKill(t, random, path)
		if !slices.Equal(storedIDs(t, path), expected(operations)) {
			t.Logf("seen after %d sequences", i+1)
			return
		}
	}
	t.Error("no kill was ever seen to interrupt an operation")
}
