package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/perftrack/perftrack/runner/flock"
)

// If reading one journal fails, the dead journals found before are left for the next perftrack.
func TestDeadJournalsAreReleased(t *testing.T) {
	database := filepath.Join(t.TempDir(), "perftrack.db")
	dir := JournalDir(database)
	stuck := filepath.Join(dir, ".new-stuck", "file") // a folder with a file cannot be removed
	if err := os.MkdirAll(filepath.Dir(stuck), 0o755); err != nil {
		t.Fatal(err)
	}
	dead := filepath.Join(dir, "-first"+journalEnding+lockEnding)
	for _, file := range []string{stuck, dead} {
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if found, err := deadJournals(database); err == nil || len(found) > 0 {
		t.Fatalf("%d journals, %v", len(found), err)
	}
	lock, err := os.Open(dead)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if free, err := flock.Try(lock); !free || err != nil {
		t.Errorf("the lock of a journal that nobody recovers is free: %v, %v", free, err)
	}
}
