package sqlite

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Each omits only the damaged run of a batch.
func TestEach(t *testing.T) {
	path := filepath.Join(t.TempDir(), "perftrack.db")
	ids := fill(t, path, 5)
	raw := connect(path, writerParams, 1)
	if _, err := raw.ExecContext(t.Context(), `UPDATE results SET digest = digest + 1 WHERE run_id = (SELECT id FROM runs WHERE uid = $1)`, ids[2]); err != nil {
		t.Fatal(err)
	}
	raw.Close()
	db := openAt(t, path)
	infos, err := db.Runs(t.Context(), store.Filter{})
	if err != nil || len(infos) != len(ids) {
		t.Fatalf("%d runs, %v", len(infos), err)
	}
	for _, order := range []string{"stored", "newest first"} {
		var got []string
		err := db.Each(t.Context(), infos, func(info record.RunInfo, run *record.Run) error {
			if run.ID() != info.ID {
				t.Errorf("%s: run %s has the content of another", order, info.ID)
			}
			got = append(got, info.ID)
			return nil
		})
		want := slices.Concat(ids[:2], ids[3:])
		if err != nil || !slices.Equal(got, want) || len(db.Damaged()) != 1 {
			t.Errorf("%s: %v, %v, damaged %v, want %v", order, got, err, db.Damaged(), want)
		}
		slices.Reverse(infos)
		slices.Reverse(ids)
	}
}
