package storetest

import (
	"bytes"
	"context"
	"testing"

	"github.com/perftrack/perftrack/store"
)

// testAnswers tests that answers are stored and replaced by name and change nothing else.
func testAnswers(t *testing.T, db *store.DB) {
	ctx := context.Background()
	read := func(name, want string) {
		t.Helper()
		if got, err := db.Answer(ctx, name); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
	read("one", "")
	state, err := db.State(ctx)
	if err != nil {
		t.Fatal(err)
	}
	large := string(bytes.Repeat([]byte{0, 1, 255}, 1<<18))
	for _, step := range [][2]string{{"one", "first"}, {"two", large}, {"one", "second"}} {
		if err := db.KeepAnswer(ctx, step[0], []byte(step[1])); err != nil {
			t.Fatal(err)
		}
		read(step[0], step[1])
	}
	read("two", large)
	if after, err := db.State(ctx); err != nil || after != state {
		t.Errorf("the state changed from %s to %s, %v", state, after, err)
	}
	if v, err := db.Verify(ctx); err != nil || !v.OK() {
		t.Errorf("Verify: %+v, %v", v, err)
	}
}
