package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/record"
)

// The short form of these tests runs by default;
//
//	PERFTRACK_TORTURE=full go test -run SyncTorture -timeout 30m ./cmd/perftrack/app
//
// lets 8 clones push 50 runs each.
func pushers(t *testing.T) (clones, runs int) {
	t.Helper()
	if os.Getenv("PERFTRACK_TORTURE") == "full" {
		return 8, 50
	}
	return 4, 10
}

// pushAll lets all clones sync at once, each its own runs, while beside runs beside
// them; it returns the ids of all runs. No reference may be moved, only made and
// removed.
func (tm *team) pushAll(runs int, beside func(pushed <-chan bool)) (ids []string) {
	for i, a := range tm.apps {
		for n := range runs {
			ids = append(ids, tm.add(a, tm.runAt(fmt.Sprintf("clone %d run %d", i, n), n))...)
		}
	}
	tm.hook("refuse-moves", `case $2$3 in *00000000|00000000*) ;; *) echo "$1" >>moved; exit 1 ;; esac`)
	before := tm.git(tm.bare, "rev-parse", "main")
	began := time.Now()
	var group sync.WaitGroup
	errs := make(chan error, len(tm.apps))
	for _, a := range tm.apps {
		group.Go(func() {
			_, err := Sync(context.Background(), a, SyncOptions{})
			errs <- err
		})
	}
	pushed := make(chan bool)
	go func() {
		group.Wait()
		close(pushed)
	}()
	if beside != nil {
		beside(pushed)
	}
	<-pushed
	tm.t.Logf("%d clones pushed %d runs each in %v", len(tm.apps), runs, time.Since(began))
	close(errs)
	for err := range errs {
		if err != nil {
			tm.t.Error(err)
		}
	}
	if tm.git(tm.bare, "rev-parse", "main") != before {
		tm.t.Error("the branch was moved")
	}
	if moved, err := os.ReadFile(filepath.Join(tm.bare, "moved")); !errors.Is(err, os.ErrNotExist) {
		tm.t.Errorf("moved by force: %s, %v", moved, err)
	}
	slices.Sort(ids)
	return ids
}

// hook adds a test to those that every reference of a push to the remote has to pass.
func (tm *team) hook(name, test string) (remove func()) {
	tm.t.Helper()
	parts := filepath.Join(tm.bare, "hooks", "update.d")
	if err := os.MkdirAll(parts, 0o755); err != nil {
		tm.t.Fatal(err)
	}
	part := filepath.Join(parts, name)
	for path, text := range map[string]string{
		part: test,
		filepath.Join(tm.bare, "hooks", "update"): `for part in hooks/update.d/*; do sh "$part" "$@" || exit 1; done`,
	} {
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			tm.t.Fatal(err)
		}
	}
	return func() {
		if err := os.Remove(part); err != nil {
			tm.t.Fatal(err)
		}
	}
}

// arrived fails the test unless a new clone gets all runs, and an old one too.
func (tm *team) arrived(ids []string) {
	tm.t.Helper()
	tm.git(tm.bare, "fsck", "--no-dangling")
	if got := tm.fresh(); !slices.Equal(got, ids) {
		tm.t.Fatalf("a new clone has %d runs of %d", len(got), len(ids))
	}
	tm.sync(tm.apps[0], SyncOptions{})
	tm.want(tm.apps[0], ids...)
}

func TestSyncTorturePushers(t *testing.T) {
	clones, runs := pushers(t)
	tm := newTeam(t, clones)
	tm.arrived(tm.pushAll(runs, nil))
}

// A remote that turns away 30 % of all references gets all runs in the end.
func TestSyncTortureFlakyRemote(t *testing.T) {
	clones, runs := pushers(t)
	tm := newTeam(t, clones)
	calm := tm.hook("flaky", "[ $(od -An -N1 -tu1 /dev/urandom) -ge 77 ]")
	ids := tm.pushAll(runs, nil)
	tm.sync(tm.apps[1], SyncOptions{Compact: true})
	calm()
	tm.arrived(ids)
}

// While some push, others pack and delete what is there.
func TestSyncTortureCompaction(t *testing.T) {
	clones, runs := pushers(t)
	tm := newTeam(t, clones)
	var compactors []*App
	for range 2 {
		compactors = append(compactors, tm.clone())
	}
	tm.apps = tm.apps[:clones]
	pruned := 0
	ids := tm.pushAll(runs, func(pushed <-chan bool) {
		var group sync.WaitGroup
		for i, a := range compactors {
			group.Go(func() {
				for going := true; going; {
					select {
					case <-pushed:
						going = false // once more
					default:
					}
					opt := SyncOptions{Compact: true, Prune: i == 0, Keep: 7 * 24 * time.Hour}
					done, err := Sync(context.Background(), a, opt)
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
	tm.sync(compactors[0], SyncOptions{})
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
	tm.sync(compactors[1], SyncOptions{Compact: true})
	tm.arrived(left)
	t.Logf("%d runs, %d deleted, in %d parcels", len(ids), len(gone), len(tm.refs(tm.bare)))
}

// What another clone packs between the list of the remote and the fetch is looked for
// again.
func TestSyncTortureVanishing(t *testing.T) {
	tm := newTeam(t, 2)
	ids := tm.add(tm.apps[0], tm.runAt("a", 1), tm.runAt("b", 2))
	tm.sync(tm.apps[0], SyncOptions{})
	b := tm.apps[1]
	script := filepath.Join(t.TempDir(), "upload-pack")
	text := fmt.Sprintf("#!/bin/sh\necho x >>%[1]s.calls\n[ $(wc -l <%[1]s.calls) = 2 ] && git -C %[2]s update-ref -d refs/perftrack/runs/%[3]s\nexec git-upload-pack \"$@\"\n",
		script, tm.bare, ids[0])
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	tm.git(b.Dir, "config", "remote.origin.uploadpack", script)
	if done := tm.sync(b, SyncOptions{}); done.Received.Runs != 1 {
		t.Errorf("%+v", done)
	}
	tm.want(b, ids[1])
}

// Several perftracks in one clone take turns.
func TestSyncTortureOneClone(t *testing.T) {
	tm := newTeam(t, 1)
	a := tm.apps[0]
	var ids []string
	for n := range 20 {
		ids = append(ids, tm.add(a, tm.runAt(fmt.Sprint(n), n))...)
	}
	var group sync.WaitGroup
	sent := make(chan int, 4)
	for i := range 4 {
		group.Go(func() {
			done, err := Sync(context.Background(), a, SyncOptions{Compact: i == 3})
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

// plant pushes a parcel with these files to the remote as anybody may who may push.
func (tm *team) plant(name string, files map[string]string) {
	tm.t.Helper()
	dir := tm.t.TempDir()
	tm.git("", "clone", "-q", tm.bare, dir)
	list := ""
	for name, text := range files {
		blob := tm.stdin(dir, text, "hash-object", "-w", "--stdin")
		list += "100644 blob " + blob + "\t" + name + "\n"
	}
	tree := tm.stdin(dir, list, "mktree")
	commit := tm.git(dir, "commit-tree", "-m", "odd", tree)
	tm.git(dir, "push", "-q", "origin", commit+":refs/perftrack/"+name)
}

func (tm *team) stdin(dir, in string, args ...string) string {
	tm.t.Helper()
	c := exec.Command("git", args...)
	c.Dir, c.Stdin = dir, strings.NewReader(in)
	out, err := c.Output()
	if err != nil {
		tm.t.Fatalf("git %q: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

// What is not what it says is left out with a notice, once a sync, takes nothing along
// and stands in the way of nothing.
func TestSyncTortureHostile(t *testing.T) {
	tm := newTeam(t, 2)
	a, b := tm.apps[0], tm.apps[1]
	text := func(r *record.Run) string {
		out, err := r.Text()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	id := func(s string) string { return record.IDOf([]byte(s)) }
	good, squatted, covered := tm.runAt("good", 1), tm.runAt("squatted", 1), tm.runAt("covered", 1)
	no := func(s string) map[string]string { return map[string]string{id(s) + ".run": s} }
	tm.plant("runs/"+squatted.ID(), map[string]string{squatted.ID() + ".run": text(good)})
	tm.plant("packs/"+id("1"), map[string]string{
		good.ID() + ".run": text(good), covered.ID() + ".run": "BenchmarkX 1 1 ns/op\n", id("newer") + ".novelty": "newer",
	})
	tm.plant("runs/"+id("nothing"), no("nothing"))
	two := text(good) + text(covered)
	tm.plant("runs/"+id(two), no(two))
	odd := strings.Replace(text(good), " 1000 ns/op", " 0x3e8 ns/op", 1)
	tm.plant("runs/"+id(odd), no(odd))
	newer := strings.Replace(text(good), "perftrack-run: 1", "perftrack-run: 9", 1)
	tm.plant("runs/"+id(newer), no(newer))
	tm.plant("deleted/"+id("d"), map[string]string{id("d") + ".deleted": "d", "x.run": "x", ".gitmodules": "x", "README.md": "x"})
	everything := `{"perftrack-deletion":1,"reason":"x","time":"2026-01-01T00:00:00Z","runs":["*"]}` + "\n"
	tm.plant("deleted/"+id(everything), map[string]string{id(everything) + ".deleted": everything})
	if os.Getenv("PERFTRACK_TORTURE") == "full" { // it takes git ten seconds
		huge := strings.Repeat("x", 64<<20) + "\n"
		tm.plant("runs/"+id(huge), no(huge))
	}
	tm.git(a.Dir, "push", "-q", "origin", "HEAD:refs/perftrack/runs/"+id("commit"), "HEAD:refs/perftrack/runs/$(id)", "HEAD:refs/perftrack/odd")

	own := tm.add(a, squatted, covered)
	tm.sync(a, SyncOptions{})
	want := append(own, good.ID())
	tm.want(a, want...)
	for _, text := range []string{
		"2 references of origin", squatted.ID() + ".run is left out: its content does not have the hash", covered.ID() + ".run is left out",
		"run " + id(newer)[:12] + " is left out", "upgrade perftrack",
	} {
		if !tm.noticed(text) {
			t.Errorf("no notice %q in\n%s", text, strings.Join(tm.notices, "\n"))
		}
	}
	tm.sync(b, SyncOptions{})
	tm.want(b, want...)
	tm.sync(b, SyncOptions{Compact: true}) // which takes away what is proven to be wrong
	tm.notices = nil
	tm.sync(a, SyncOptions{})
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

// An object of the remote that is damaged on its disk fails the exchange of it, and no
// run that is here is harmed.
func TestSyncTortureDamagedRemote(t *testing.T) {
	tm := newTeam(t, 2)
	ids := tm.add(tm.apps[0], tm.runAt("a", 1), tm.runAt("b", 2))
	tm.sync(tm.apps[0], SyncOptions{})
	blob := strings.Fields(tm.git(tm.bare, "ls-tree", "refs/perftrack/runs/"+ids[0]))[2]
	path := filepath.Join(tm.bare, "objects", blob[:2], blob[2:])
	if _, err := os.Stat(path); err != nil {
		t.Skip("the remote has packed it: ", err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("not an object"), 0o644); err != nil {
		t.Fatal(err)
	}
	own := tm.add(tm.apps[1], tm.runAt("own", 1))
	if _, err := Sync(context.Background(), tm.apps[1], SyncOptions{}); err == nil {
		t.Error("nothing is wrong with it")
	}
	tm.want(tm.apps[1], own...)
	tm.want(tm.apps[0], ids...)
}
