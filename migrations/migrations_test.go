package migrations

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// A database is recognized by what its file says before anything is read from
// it, so every migration has to keep that true.
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

// What cannot be put in order is refused before anything is applied.
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
