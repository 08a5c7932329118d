package migrations

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/pressly/goose/v3"
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
		n, err := goose.NumericComponent(name)
		if err != nil || int(n) != i+1 {
			t.Errorf("%s is number %d, %v; want %d without a gap", name, n, err, i+1)
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
