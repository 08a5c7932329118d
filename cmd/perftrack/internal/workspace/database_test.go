package workspace

import (
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

func TestParseFile(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"x.db", "/here/x.db"}, {"/abs/x.db", "/abs/x.db"}, {"sqlite:y.db", "/here/y.db"},
		{"odd?name#%.db", "/here/odd?name#%.db"}, {"sqlite:", ""},
	} {
		got, err := parseFile(tt.in, "/here")
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("parseFile(%q) = %q, %v, want %q", tt.in, got, err, tt.want)
		}
	}
}

// Many sessions can create journals at the same time, even while the directory is being removed.
func TestJournalsDoNotCollide(t *testing.T) {
	database := filepath.Join(t.TempDir(), "e[x", "perf.db")
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			a := &Session{Now: time.Now, Rand: rand.New(rand.NewPCG(uint64(worker), 1))}
			for range 200 {
				j, err := a.NewJournal(database)
				if err != nil {
					t.Errorf("new journal: %v", err)
					return
				}
				dead, err := deadJournals(database)
				if err != nil || len(dead) != 0 {
					t.Errorf("%d journals of the living are called dead, %v", len(dead), err)
				}
				if err := j.Close(); err != nil {
					t.Errorf("close journal: %v", err)
				}
			}
		})
	}
	wg.Wait()
}
