package sqlite

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/store/storetest"
)

// Verify reports wrong summaries of benchmarks and damaged answers. Repair recounts the summaries,
// deletes the answers, and changes no run.
func TestRepair(t *testing.T) {
	ctx := t.Context()
	g := newGolden(t, 3)
	for _, tt := range []struct{ damage, want string }{
		{`UPDATE benchmarks SET runs = 9 WHERE id = 2`, "digest"},
		{`UPDATE benchmarks SET digest = 5 WHERE id = 2`, "digest"},
		{`UPDATE benchmarks SET unit_runs = replace(unit_runs, 3, 4) WHERE id = 2`, "digest"},
		{`UPDATE benchmarks SET last_run = 1 WHERE id = 2`, "digest"},
		{`PRAGMA foreign_keys = ON; DELETE FROM runs WHERE id = 2`, "is in 2 runs and its summary says 3"}, // as if nobody had counted
		{`INSERT INTO answers (name, content, digest) VALUES ('outlines', x'01', 5)`, "the kept answer outlines does not match its digest"},
	} {
		path := g.copy(t)
		hurt := connect(path, "_ignore_check_constraints=1&_foreign_keys=off", 1)
		if _, err := hurt.Exec(tt.damage); err != nil {
			t.Fatal(tt.damage, ": ", err)
		}
		hurt.Close()
		db := openAt(t, path)
		v, err := db.Verify(ctx)
		if err != nil || !v.Repairable() || !strings.Contains(v.Summaries[0], tt.want) {
			t.Errorf("%s: %+v, %v; want %q", tt.damage, v, err, tt.want)
		}
		if text, err := db.Answer(ctx, "outlines"); err != nil || text != nil {
			t.Errorf("%s: a damaged answer is read: %q, %v", tt.damage, text, err)
		}
		n, err := db.Repair(ctx)
		if err != nil || n != len(v.Summaries) {
			t.Errorf("%s: repaired %d, %v; want %d", tt.damage, n, err, len(v.Summaries))
		}
		if v, err := db.Verify(ctx); err != nil || !v.OK() {
			t.Errorf("%s: afterwards %+v, %v", tt.damage, v, err)
		}
		if same := storetest.Export(t, db) == g.export; same != !strings.Contains(tt.damage, "DELETE") {
			t.Errorf("%s: the runs are the same: %v", tt.damage, same)
		}
	}
}
