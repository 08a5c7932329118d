package pages

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/queue"
	"github.com/perftrack/perftrack/reports/site/documents"
	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/sqlite"
	"github.com/perftrack/perftrack/store/storetest"
)

// The document about the queue of a fleet is the golden file.
func TestQueueDocument(t *testing.T) {
	path := filepath.Join(t.TempDir(), "perftrack.db")
	db, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	storetest.ExecFile(t, path, storetest.FleetTables+storetest.Fleet(storetest.FleetNow))
	q, err := db.Queue(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := queue.Of(q, storetest.FleetNow)
	golden(t, "queue", queueDocument(&s))
	empty := queue.Of(store.Queue{Exists: true}, storetest.FleetNow)
	golden(t, "queue-empty", queueDocument(&empty))
}

// A server notices that a fleet begins to use its database, and shows the queue as it is now.
func TestLiveQueue(t *testing.T) {
	g := newGrowing(t, 1)
	g.measure()
	live := Watch(g.session, Options{})
	defer live.Close()
	look := func(has bool) (version string) {
		t.Helper()
		now, err := live.Now(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer now.Close()
		index, err := now.Index(t.Context())
		if err != nil || index.Meta.Queue != has {
			t.Errorf("the index says %v, %v; want %v", index.Meta.Queue, err, has)
		}
		return now.Version
	}
	without := look(false)
	if _, err := live.Queue(t.Context()); !errors.Is(err, documents.ErrUnknown) {
		t.Errorf("without a fleet: %v", err)
	}
	measures(t, live, "perftrack_runs 1\n# HELP perftrack_benchmark_")
	path, err := g.session.DatabasePath(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	storetest.ExecFile(t, path, storetest.FleetTables+storetest.Fleet(g.now))
	live.queue.until = time.Time{}
	if with := look(true); with == without {
		t.Error("the version is the same with a fleet")
	}
	states := func(want string) {
		t.Helper()
		live.queue.until = time.Time{} // however long it took to read it
		q, err := live.Queue(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range q.Workers {
			got = append(got, w.ID+" "+w.State)
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%s, want %s", s, want)
		}
	}
	states("l1 live, l2 live, l3 lost, l4 lost, m1 lost")
	measures(t, live, `perftrack_workers{class="linux",state="live"} 2`)
	storetest.ExecFile(t, path, "DELETE FROM fleet_workers WHERE id <> 'l1'")
	states("l1 live")
	measures(t, live, `perftrack_workers{class="linux",state="live"} 1`)
	version := look(true)
	storetest.ExecFile(t, path, "DELETE FROM fleet_workers")
	live.queue.until = g.now.Add(time.Hour)
	measures(t, live, `perftrack_workers{class="linux",state="live"} 1`) // all readers share it for a time
	states("")
	if look(true) != version {
		t.Error("a change of the queue is a new version of the site, so every page reloads")
	}
}

func measures(t *testing.T, live *Live, want string) {
	t.Helper()
	if text, err := live.Metrics(t.Context()); err != nil || !strings.Contains(string(text), want) {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
}

// A static site has no queue, even if its database has a fleet.
func TestStaticSiteHasNoQueue(t *testing.T) {
	g := newGrowing(t, 1)
	g.measure()
	path, err := g.session.DatabasePath(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	storetest.ExecFile(t, path, storetest.FleetTables)
	s, err := Open(t.Context(), g.session, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if index, err := s.Index(t.Context()); err != nil || index.Meta.Queue {
		t.Errorf("the index has a queue: %v", err)
	}
}
