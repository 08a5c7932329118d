package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/store/sqlite"
)

// Commands that write to a database, including db copy, also store the summaries of all histories
// in it. Commands that read do not.
func TestKeepHistories(t *testing.T) {
	before := manyPoints
	t.Cleanup(func() { manyPoints = before })
	manyPoints = 1
	database := emptyRepository(t)
	kept := func(path string) (content string) {
		t.Helper()
		db, err := sqlite.OpenReadOnly(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		text, err := db.Answer(t.Context(), "outlines")
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	perftrack := func(words string) {
		t.Helper()
		var out bytes.Buffer
		if code := run(strings.Fields(words), strings.NewReader(""), &out, &out); code != console.ExitOK {
			t.Fatal(words, ": ", out.String())
		}
	}
	if err := os.WriteFile("a.txt", []byte("BenchmarkX 1 5 ns/op\nBenchmarkX 1 6 ns/op\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	manyPoints = 2
	perftrack("import a.txt")
	if kept(database) != "" {
		t.Error("one point of at least two is kept")
	}
	manyPoints = 1
	perftrack("list")
	if kept(database) != "" {
		t.Error("list has written to the database")
	}
	perftrack("import a.txt")
	if kept(database) == "" {
		t.Error("import has kept nothing")
	}
	perftrack("db copy " + database + " copy.db")
	if kept("copy.db") == "" {
		t.Error("nothing is kept in the copy")
	}
}
