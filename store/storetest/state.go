package storetest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

func testState(t *testing.T, db *store.DB) {
	var seen []string
	ask := func(what string, another bool) {
		t.Helper()
		state, err := db.State(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(seen, state) == another {
			t.Errorf("%s: state %q after %q", what, state, seen)
		}
		seen = append(seen, state)
	}
	ask("empty", true)
	ids := put(t, db, Plain(sha("a"), 1, 2), Plain(sha("b"), 2, 2))
	ask("two runs", true)
	ask("nothing happened", false)
	if _, _, err := db.Put(context.Background(), Plain(sha("a"), 1, 2)); err != nil {
		t.Fatal(err)
	}
	ask("a run that is there", false)
	accept(t, db, acceptance("GELU_1000", "a"))
	ask("an acceptance", true)
	if _, err := db.Delete(context.Background(), record.Deletion{Runs: ids[1:], Reason: "old", Time: time.Unix(1, 0)}); err != nil {
		t.Fatal(err)
	}
	ask("a deletion", true)
	put(t, db, Plain(sha("b"), 3, 2))
	ask("as many runs as before", true)
}
