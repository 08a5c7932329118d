package exchangetest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/livetest"
	"github.com/perftrack/perftrack/runner/record"
)

// pushers returns the number of pushing clones and the number of runs pushed by each. The numbers
// are small by default;
//
//	PERFTRACK_TORTURE=full go test -run SyncTorture -timeout 30m ./cmd/perftrack/internal/exchange/exchangetest
//
// runs the tests with 8 clones pushing 50 runs each.
func pushers(t *testing.T) (clones, runs int) {
	t.Helper()
	livetest.Skip(t)
	if os.Getenv("PERFTRACK_TORTURE") == "full" {
		return 8, 50
	}
	return 4, 10
}

func TestSyncTorturePushers(t *testing.T) {
	clones, runs := pushers(t)
	tm := NewTeam(t, clones)
	tm.arrived(tm.pushAll(runs, nil))
}

// Clones that repeatedly measure and sync at the same time lose no run and leave few references.
// After the next sync, the remote has each run once.
func TestSyncTortureRounds(t *testing.T) {
	clones, rounds := pushers(t)
	tm := NewTeam(t, clones)
	var ids []string
	var mu sync.Mutex
	var group sync.WaitGroup
	for i, a := range tm.Apps {
		group.Go(func() {
			for n := range rounds {
				added := tm.Add(a, tm.RunAt(fmt.Sprintf("clone %d round %d", i, n), n))
				mu.Lock()
				ids = append(ids, added...)
				mu.Unlock()
				if _, err := exchange.Sync(context.Background(), a, exchange.SyncOptions{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	tm.few()
	slices.Sort(ids)
	tm.arrived(ids)
	tm.once(ids...)
}

// A remote randomly refusing 30 % of all references still gets all runs in the end.
func TestSyncTortureFlakyRemote(t *testing.T) {
	clones, runs := pushers(t)
	tm := NewTeam(t, clones)
	calm := tm.hook("flaky", "[ $(od -An -N1 -tu1 /dev/urandom) -ge 77 ]")
	ids := tm.pushAll(runs, nil)
	tm.Sync(tm.Apps[1], exchange.SyncOptions{})
	calm()
	tm.arrived(ids)
}

// Some clones push while others pack parcels and delete runs, and no other runs are lost.
func TestSyncTortureCompaction(t *testing.T) {
	clones, runs := pushers(t)
	tm := NewTeam(t, clones)
	var compactors []*workspace.Session
	for range 2 {
		compactors = append(compactors, tm.clone())
	}
	tm.Apps = tm.Apps[:clones]
	pruned := 0
	ids := tm.pushAll(runs, func(pushed <-chan bool) {
		var group sync.WaitGroup
		for i, a := range compactors {
			group.Go(func() {
				for going := true; going; {
					select {
					case <-pushed:
						going = false // this is the last sync
					default:
					}
					opt := exchange.SyncOptions{Prune: i == 0, Keep: 7 * 24 * time.Hour}
					done, err := exchange.Sync(context.Background(), a, opt)
					if err != nil {
						t.Errorf("compactor %d: %v", i, err)
					}
					if i == 0 {
						pruned += done.Deleted
					}
				}
			})
		}
		group.Wait()
	})
	tm.Sync(compactors[0], exchange.SyncOptions{})
	gone := map[string]bool{}
	db, err := compactors[0].OpenForReading(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	deletions, err := db.Deletions(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, d := range deletions {
		for _, id := range d.Runs {
			gone[id] = true
		}
	}
	if len(gone) != pruned || pruned == 0 {
		t.Errorf("%d runs were deleted, and deletions name %d", pruned, len(gone))
	}
	left := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return gone[id] })
	tm.arrived(left)
	tm.Sync(compactors[1], exchange.SyncOptions{})
	tm.arrived(left)
	t.Logf("%d runs, %d deleted, in %d parcels", len(ids), len(gone), len(tm.refs(tm.Bare)))
}

// If another clone removes a parcel after the remote's parcels were listed but before it is
// fetched, the parcels are listed again.
func TestSyncTortureVanishing(t *testing.T) {
	tm := NewTeam(t, 1)
	ids := tm.PlantAlone(tm.RunAt("a", 1), tm.RunAt("b", 2))
	b := tm.Apps[0]
	script := filepath.Join(t.TempDir(), "upload-pack")
	text := fmt.Sprintf("#!/bin/sh\necho x >>%[1]s.calls\n[ $(wc -l <%[1]s.calls) = 2 ] && git -C %[2]s update-ref -d refs/perftrack/runs/%[3]s\nexec git-upload-pack \"$@\"\n",
		script, tm.Bare, ids[0])
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	tm.git(b.Dir, "config", "remote.origin.uploadpack", script)
	if done := tm.Sync(b, exchange.SyncOptions{}); done.Received.Runs != 1 {
		t.Errorf("%+v", done)
	}
	tm.want(b, ids[1])
}

// Several perftrack processes in one clone take turns.
func TestSyncTortureOneClone(t *testing.T) {
	livetest.Skip(t)
	tm := NewTeam(t, 1)
	a := tm.Apps[0]
	var ids []string
	for n := range 20 {
		ids = append(ids, tm.Add(a, tm.RunAt(fmt.Sprint(n), n))...)
	}
	var group sync.WaitGroup
	sent := make(chan int, 4)
	for range 4 {
		group.Go(func() {
			done, err := exchange.Sync(context.Background(), a, exchange.SyncOptions{})
			if err != nil {
				t.Error(err)
			}
			sent <- done.Sent.Runs
		})
	}
	group.Wait()
	close(sent)
	total := 0
	for n := range sent {
		total += n
	}
	if total != 20 {
		t.Errorf("%d runs were sent", total)
	}
	slices.Sort(ids)
	tm.arrived(ids)
}

// A file that does not match its name is skipped with a notice, once per sync, and affects nothing
// else.
func TestSyncTortureHostile(t *testing.T) {
	tm := NewTeam(t, 2)
	a, b := tm.Apps[0], tm.Apps[1]
	text := func(r *record.Run) string {
		out, err := r.Text()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	id := func(s string) string { return record.IDOf([]byte(s)) }
	good, squatted, covered := tm.RunAt("good", 1), tm.RunAt("squatted", 1), tm.RunAt("covered", 1)
	no := func(s string) map[string]string { return map[string]string{id(s) + ".run": s} }
	tm.Plant("runs/"+squatted.ID(), map[string]string{squatted.ID() + ".run": text(good)})
	tm.Plant("packs/"+id("1"), map[string]string{
		good.ID() + ".run": text(good), covered.ID() + ".run": "BenchmarkX 1 1 ns/op\n", id("newer") + ".novelty": "newer",
	})
	tm.Plant("runs/"+id("nothing"), no("nothing"))
	two := text(good) + text(covered)
	tm.Plant("runs/"+id(two), no(two))
	odd := strings.Replace(text(good), " 1000 ns/op", " 0x3e8 ns/op", 1)
	tm.Plant("runs/"+id(odd), no(odd))
	newer := strings.Replace(text(good), "perftrack-run: 1", "perftrack-run: 9", 1)
	tm.Plant("runs/"+id(newer), no(newer))
	tm.Plant("deleted/"+id("d"), map[string]string{id("d") + ".deleted": "d", "x.run": "x", ".gitmodules": "x", "README.md": "x"})
	everything := `{"perftrack-deletion":1,"reason":"x","time":"2026-01-01T00:00:00Z","runs":["*"]}` + "\n"
	tm.Plant("deleted/"+id(everything), map[string]string{id(everything) + ".deleted": everything})
	if os.Getenv("PERFTRACK_TORTURE") == "full" { // git takes ten seconds for this file
		huge := strings.Repeat("x", 64<<20) + "\n"
		tm.Plant("runs/"+id(huge), no(huge))
	}
	tm.git(a.Dir, "push", "-q", "origin", "HEAD:refs/perftrack/runs/"+id("commit"), "HEAD:refs/perftrack/runs/$(id)", "HEAD:refs/perftrack/odd")

	own := tm.Add(a, squatted, covered)
	tm.Sync(a, exchange.SyncOptions{})
	want := append(own, good.ID())
	tm.want(a, want...)
	for _, text := range []string{
		"skipped 2 references of origin", "skipped " + squatted.ID() + ".run: its name is not the hash", "skipped " + covered.ID() + ".run",
		"skipped run " + id(newer)[:12], "upgrade perftrack",
	} {
		if !tm.noticed(text) {
			t.Errorf("no notice %q in\n%s", text, strings.Join(tm.notices, "\n"))
		}
	}
	tm.Sync(b, exchange.SyncOptions{})
	tm.want(b, want...)
	tm.Sync(b, exchange.SyncOptions{}) // this removes files that do not match their names
	tm.notices = nil
	tm.Sync(a, exchange.SyncOptions{})
	if got := tm.fresh(); len(got) != 3 {
		t.Errorf("a new clone has %v", got)
	}
	if tm.noticed("hash") {
		t.Errorf("still there:\n%s", strings.Join(tm.notices, "\n"))
	}
	if files := tm.remoteFiles(); !slices.Contains(files, id("newer")+".novelty") || !slices.Contains(files, id(newer)+".run") {
		t.Errorf("what a newer perftrack wrote is gone: %v", files)
	}
}

// A damaged object on the remote makes a sync fail, but harms no local run.
func TestSyncTortureDamagedRemote(t *testing.T) {
	tm := NewTeam(t, 2)
	ids := tm.Add(tm.Apps[0], tm.RunAt("a", 1), tm.RunAt("b", 2))
	tm.Sync(tm.Apps[0], exchange.SyncOptions{})
	pack := tm.git(tm.Bare, "for-each-ref", "--format=%(refname)", "refs/perftrack")
	blob := strings.Fields(tm.git(tm.Bare, "ls-tree", pack))[2]
	path := filepath.Join(tm.Bare, "objects", blob[:2], blob[2:])
	if _, err := os.Stat(path); err != nil {
		t.Skip("the remote has packed it: ", err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("not an object"), 0o644); err != nil {
		t.Fatal(err)
	}
	own := tm.Add(tm.Apps[1], tm.RunAt("own", 1))
	if _, err := exchange.Sync(context.Background(), tm.Apps[1], exchange.SyncOptions{}); err == nil {
		t.Error("nothing is wrong with it")
	}
	tm.want(tm.Apps[1], own...)
	tm.want(tm.Apps[0], ids...)
}
