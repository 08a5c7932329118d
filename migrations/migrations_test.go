package migrations

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// perftrack recognizes its databases by the file header before it reads anything else, so every
// migration must set the version in the header.
func TestEveryFileSetsItsVersion(t *testing.T) {
	set := SQLite()
	names, err := fs.Glob(set.Files, "*.sql")
	if err != nil || len(names) == 0 {
		t.Fatalf("migrations %v, %v", names, err)
	}
	for i, name := range names {
		if number := fmt.Sprintf("%05d_", i+1); !strings.HasPrefix(name, number) {
			t.Errorf("%s is not number %s: there is a gap", name, number)
		}
		text, err := fs.ReadFile(set.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("PRAGMA user_version = %d;", i+1); strings.Count(string(text), want) != 1 {
			t.Errorf("%s does not say %q once", name, want)
		}
	}
	if latest, err := set.Latest(); err != nil || latest != len(names) {
		t.Errorf("Latest() = %d, %v with %d files", latest, err, len(names))
	}
}

// SQLite and PostgreSQL databases have the same tables, so every migration must exist for both.
func TestVersionsAgree(t *testing.T) {
	lite, err1 := SQLite().Latest()
	postgres, err2 := Postgres().Latest()
	if err1 != nil || err2 != nil || lite != postgres {
		t.Errorf("SQLite is at version %d, %v, and PostgreSQL at %d, %v", lite, err1, postgres, err2)
	}
}

// Migrations whose names do not determine an order are refused before any of them is applied.
func TestNamesWithoutOrder(t *testing.T) {
	for _, names := range [][]string{{"init.sql"}, {"00000_init.sql"}, {"-1_init.sql"}, {"00001_a.sql", "1_b.sql"}} {
		files := fstest.MapFS{}
		for _, name := range names {
			files[name] = &fstest.MapFile{}
		}
		if n, err := (Set{Files: files}).Latest(); err == nil || !strings.Contains(err.Error(), names[0]) {
			t.Errorf("Latest() of %v = %d, %v", names, n, err)
		}
	}
}
