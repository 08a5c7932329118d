package exchangetest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
)

// A deleted run is deleted everywhere and does not come back even if it is sent again.
func TestSyncPrune(t *testing.T) {
	tm := NewTeam(t, 3)
	a, b, late := tm.Apps[0], tm.Apps[1], tm.Apps[2]
	old := tm.Add(a, tm.RunAt("old1", 200), tm.RunAt("old2", 100))
	recent := tm.Add(a, tm.RunAt("new", 10))
	tm.Sync(a, exchange.SyncOptions{})
	tm.Sync(late, exchange.SyncOptions{})
	tm.Sync(b, exchange.SyncOptions{})
	tm.Add(late, tm.RunAt("late", 5))
	if done := tm.Sync(b, exchange.SyncOptions{Prune: true, Keep: 90 * 24 * time.Hour, DryRun: true}); done.Deleted != 2 || len(tm.has(b)) != 3 {
		t.Errorf("dry run: %+v", done)
	}
	if done := tm.Sync(b, exchange.SyncOptions{Prune: true, Keep: 90 * 24 * time.Hour}); done.Deleted != 2 || done.Sent.Deletions != 1 {
		t.Errorf("%+v", done)
	}
	tm.want(b, recent...)
	tm.Add(a, tm.RunAt("old1", 200)) // imported again before the deletion is received
	tm.Sync(a, exchange.SyncOptions{})
	tm.want(a, recent...)
	tm.Add(a, tm.RunAt("old1", 200)) // imported again after the deletion is received
	tm.want(a, recent...)
	tm.Sync(late, exchange.SyncOptions{})
	all := append(recent, tm.RunAt("late", 5).ID())
	tm.want(late, all...)
	tm.Sync(late, exchange.SyncOptions{})
	if got := tm.fresh(); len(got) != 2 {
		t.Errorf("a new clone has %v", got)
	}
	if files := tm.remoteFiles(); slices.ContainsFunc(files, func(f string) bool { return strings.HasPrefix(f, old[0]) || strings.HasPrefix(f, old[1]) }) {
		t.Errorf("the remote still has %v", files)
	}
	if objects := tm.git(tm.Bare, "rev-list", "--objects", "--all"); strings.Contains(objects, old[0]) {
		t.Errorf("the remote cannot free the space of %s:\n%s", old[0], objects)
	}
	if done := tm.Sync(a, exchange.SyncOptions{Prune: true, Keep: 24 * time.Hour}); done.Deleted != 1 {
		t.Errorf("all but the newest: %+v", done)
	}
	tm.want(a, tm.RunAt("late", 5).ID())
}
