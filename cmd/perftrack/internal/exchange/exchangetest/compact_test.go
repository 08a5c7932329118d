package exchangetest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/livetest"
	"github.com/perftrack/perftrack/runner/record"
)

// alone returns n runs, the newest first.
func (tm *Team) alone(n int) (runs []*record.Run) {
	for i := range n {
		runs = append(runs, tm.RunAt(fmt.Sprint("alone ", i), 10*i))
	}
	return runs
}

// The remote and each clone have few references, even with many runs.
func TestSyncFewReferences(t *testing.T) {
	tm := NewTeam(t, 2)
	var ids []string
	for n := range livetest.Few(14, 300) {
		a := tm.Apps[n/5%2]
		ids = append(ids, tm.Add(a, tm.RunAt(fmt.Sprint("run ", n), n))...)
		tm.Sync(a, exchange.SyncOptions{})
		tm.few(a)
	}
	slices.Sort(ids)
	tm.arrived(ids)
	tm.once(ids...)
}

// A clone and a remote with a reference for each run end up with few references, and so do clones
// that only receive.
func TestSyncCompactsOldClones(t *testing.T) {
	tm := NewTeam(t, 2)
	ids := tm.PlantAlone(tm.alone(livetest.Few(60, 300))...)
	a, reader := tm.Apps[0], tm.Apps[1]
	for _, a := range tm.Apps {
		tm.git(a.Dir, "fetch", "-q", "origin", "refs/perftrack/*:refs/perftrack/*")
	}
	if done := tm.Sync(a, exchange.SyncOptions{}); done.Replaced < len(ids)-exchange.MaxReferences || done.Sent.Runs != 0 {
		t.Errorf("%+v", done)
	}
	tm.few(a)
	tm.Sync(reader, exchange.SyncOptions{NoPush: true})
	tm.few(reader)
	slices.Sort(ids)
	tm.arrived(ids)
	tm.once(ids...)
}

// If the remote fails from its n-th call on, the sync is interrupted, but later syncs complete it
// and nothing is lost.
func TestSyncInterrupted(t *testing.T) {
	for n := 1; ; n++ {
		tm := NewTeam(t, 1)
		ids := tm.PlantAlone(tm.alone(9)...)
		a := tm.Apps[0]
		ids = append(ids, tm.Add(a, tm.RunAt("own", 1))...)
		calls := tm.atCall(a, n, "exit 1")
		_, err := exchange.Sync(t.Context(), a, exchange.SyncOptions{})
		if calls() < n {
			if n < 6 || err != nil {
				t.Errorf("after %d calls: %v", n-1, err)
			}
			return // the whole sync needs fewer calls
		}
		tm.atCall(a, -1, "")
		tm.git(tm.Bare, "fsck", "--no-dangling")
		tm.nothingLost(ids[:9])
		tm.Sync(a, exchange.SyncOptions{})
		slices.Sort(ids)
		tm.arrived(ids)
		tm.once(ids...)
	}
}

// atCall runs a shell command on the remote before a clone's n-th git call to it and before each
// later call. calls returns the number of calls so far.
func (tm *Team) atCall(a *workspace.Session, n int, command string) (calls func() int) {
	tm.t.Helper()
	counted := filepath.Join(tm.t.TempDir(), "calls")
	for _, side := range []string{"upload-pack", "receive-pack"} {
		script := filepath.Join(filepath.Dir(counted), side)
		text := fmt.Sprintf("#!/bin/sh\necho x >>%[1]s\nif [ $(wc -l <%[1]s) -ge %[2]d ] && [ %[2]d -gt 0 ]; then\n%[3]s\ntrue\nfi\nexec git-%[4]s \"$@\"\n", counted, n, command, side)
		if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
			tm.t.Fatal(err)
		}
		tm.git(a.Dir, "config", "remote.origin."+strings.ReplaceAll(side, "-", ""), script)
	}
	return func() int {
		text, _ := os.ReadFile(counted)
		return strings.Count(string(text), "x")
	}
}

// No matter what another clone does between two calls of a sync, nothing is lost, and deleted runs
// stay deleted.
func TestSyncMeanwhile(t *testing.T) {
	const keep = 45 * 24 * time.Hour
	for _, tt := range []struct {
		name  string
		alone int // references at first
		a, b  exchange.SyncOptions
		prune bool
		fill  bool  // the other clone syncs until one more parcel is too many
		at    []int // the critical calls: before the push and before the removal
	}{
		{name: "both compact", alone: 9, at: []int{3, 5}},
		{name: "the other fills the remote", fill: true, at: []int{2}},
		{name: "the other prunes", alone: 9, b: exchange.SyncOptions{Prune: true, Keep: keep}, prune: true, at: []int{3, 5}},
		{name: "this prunes", alone: 9, a: exchange.SyncOptions{Prune: true, Keep: keep}, prune: true, at: []int{3, 5}},
	} {
		for n := 1; n <= slices.Max(tt.at) || livetest.Asked(); n++ {
			if !slices.Contains(tt.at, n) && !livetest.Asked() {
				continue
			}
			tm := NewTeam(t, 2)
			a, b := tm.Apps[0], tm.Apps[1]
			ids := tm.PlantAlone(tm.alone(tt.alone)...)
			ids = append(ids, tm.Add(a, tm.RunAt("a", 1))...)
			ids = append(ids, tm.Add(b, tm.RunAt("b", 1))...)
			between := func() {
				tm.Sync(b, tt.b)
				for n := 0; tt.fill && len(tm.refs(tm.Bare)) < exchange.MaxReferences; n++ {
					ids = append(ids, tm.Add(b, tm.RunAt(fmt.Sprint("other ", n), n))...)
					tm.Sync(b, exchange.SyncOptions{})
				}
			}
			if !tm.meanwhile(a, n, tt.a, between) {
				break
			}
			if tt.prune {
				ids = slices.DeleteFunc(ids, func(id string) bool {
					return slices.ContainsFunc(tm.alone(9)[5:], func(r *record.Run) bool { return r.ID() == id })
				})
			}
			tm.few(a)
			tm.nothingLost(ids)
			tm.Sync(b, exchange.SyncOptions{})
			slices.Sort(ids)
			tm.arrived(ids)
			tm.once(ids...)
			if t.Failed() {
				t.Fatalf("%s: at call %d", tt.name, n)
			}
		}
	}
}

// meanwhile syncs a clone and calls do before the clone's n-th call to the remote. It returns false
// if there is no such call.
func (tm *Team) meanwhile(a *workspace.Session, n int, opt exchange.SyncOptions, do func()) bool {
	tm.t.Helper()
	dir := tm.t.TempDir()
	reached, ready := filepath.Join(dir, "reached"), filepath.Join(dir, "ready")
	tm.atCall(a, n, fmt.Sprintf("touch %s; while ! [ -e %s ]; do sleep 0.01; done", reached, ready))
	ended := make(chan error, 1)
	go func() {
		_, err := exchange.Sync(tm.t.Context(), a, opt)
		ended <- err
	}()
	for {
		if _, err := os.Stat(reached); err == nil {
			break
		}
		select {
		case err := <-ended:
			if err != nil {
				tm.t.Error(err)
			}
			return false
		case <-time.After(time.Millisecond):
		}
	}
	do()
	if err := os.WriteFile(ready, nil, 0o644); err != nil {
		tm.t.Fatal(err)
	}
	if err := <-ended; err != nil {
		tm.t.Error(err)
	}
	return true
}

// A remote that forbids the removal of references gets no more references than without compaction.
func TestSyncWithoutRemoval(t *testing.T) {
	tm := NewTeam(t, 1)
	ids := tm.PlantAlone(tm.alone(9)...)
	a := tm.Apps[0]
	permit := tm.hook("keep", "case $3 in *[1-9a-f]*) ;; *) exit 1 ;; esac")
	ids = append(ids, tm.Add(a, tm.RunAt("own", 1))...)
	for range 3 {
		tm.Sync(a, exchange.SyncOptions{})
		if refs := tm.refs(tm.Bare); len(refs) != 10 || !tm.noticed("keeps more references than it needs") {
			t.Errorf("%d references, notices %q", len(refs), tm.notices)
		}
	}
	if _, err := exchange.Sync(t.Context(), a, exchange.SyncOptions{Prune: true, Keep: 1000 * 24 * time.Hour}); err == nil {
		t.Error("what is to be deleted stays, without an error")
	}
	permit()
	tm.Sync(a, exchange.SyncOptions{})
	slices.Sort(ids)
	tm.arrived(ids)
	tm.once(ids...)
}

// A file unreadable only in this clone stays on the remote.
func TestSyncLostHere(t *testing.T) {
	tm := NewTeam(t, 1)
	runs := tm.alone(9)
	ids := tm.PlantAlone(runs[0])
	a := tm.Apps[0]
	tm.Sync(a, exchange.SyncOptions{})
	if err := os.RemoveAll(filepath.Join(a.Dir, ".perftrack")); err != nil {
		t.Fatal(err)
	}
	blob := strings.Fields(tm.git(a.Dir, "ls-tree", "refs/perftrack/runs/"+ids[0]))[2]
	if err := os.Remove(filepath.Join(a.Dir, ".git", "objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	ids = append(ids, tm.PlantAlone(runs[1:]...)...)
	tm.Sync(a, exchange.SyncOptions{})
	if !tm.noticed("skipped " + ids[0] + ".run: its content is missing") {
		t.Errorf("notices %q", tm.notices)
	}
	tm.once(ids...)
	tm.few(a)
}

// Files not written by perftrack are removed from the remote.
func TestSyncForeignFiles(t *testing.T) {
	tm := NewTeam(t, 1)
	run := tm.RunAt("a", 1)
	text, err := run.Text()
	if err != nil {
		t.Fatal(err)
	}
	tm.Plant("packs/"+run.ID(), map[string]string{run.ID() + ".run": string(text), ".gitmodules": "x"})
	tm.Sync(tm.Apps[0], exchange.SyncOptions{})
	tm.once(run.ID())
	if objects := tm.git(tm.Bare, "rev-list", "--objects", "--all"); strings.Contains(objects, ".gitmodules") {
		t.Errorf("the remote has\n%s", objects)
	}
}

var parcelRef = regexp.MustCompile(`refs/perftrack/\S+`)

// A user's own push and fetch list few of perftrack's references and transfer none of its objects.
func TestSyncCostsUsersNothing(t *testing.T) {
	tm := NewTeam(t, 2)
	a, b := tm.Apps[0], tm.Apps[1]
	for n := range 20 {
		tm.git(a.Dir, "commit", "-q", "--allow-empty", "-m", strconv.Itoa(n))
	}
	tm.git(a.Dir, "push", "-q", "origin", "HEAD:main")
	tm.git(b.Dir, "pull", "-q", "origin", "main")
	for n := range 12 {
		tm.Add(a, tm.RunAt(fmt.Sprint("run ", n), n))
		tm.Sync(a, exchange.SyncOptions{})
	}
	tm.Sync(b, exchange.SyncOptions{})
	tm.git(a.Dir, "commit", "-q", "--allow-empty", "-m", "new")
	push := tm.traced(a.Dir, "push", "origin", "HEAD:main")
	tm.Add(b, tm.RunAt("not fetched", 1))
	tm.Sync(b, exchange.SyncOptions{})
	fetch := tm.traced(b.Dir, "fetch", "origin")
	seen := map[string]bool{}
	for _, ref := range parcelRef.FindAllString(push, -1) {
		seen[ref] = true
	}
	if len(seen) == 0 || len(seen) > exchange.MaxReferences {
		t.Errorf("a push sees %d references", len(seen))
	}
	if refs := parcelRef.FindAllString(fetch, -1); len(refs) > 0 {
		t.Errorf("a fetch sees %q", refs)
	}
	for _, commit := range strings.Fields(tm.git(b.Dir, "rev-list", "--glob=refs/perftrack/*")) {
		if strings.Contains(fetch, "have "+commit) {
			t.Errorf("a fetch offers the parcel %s", commit)
		}
	}
	for name, trace := range map[string]string{"push": push, "fetch": fetch} {
		if !strings.Contains(trace, "Total 1 (") {
			t.Errorf("a %s transfers more than one commit:\n%s", name, trace)
		}
	}
}

// traced returns the protocol and the progress of a git command.
func (tm *Team) traced(dir string, args ...string) string {
	tm.t.Helper()
	c := exec.CommandContext(tm.t.Context(), "git", append([]string{args[0], "--progress"}, args[1:]...)...)
	c.Dir, c.Env = dir, append(os.Environ(), "GIT_TRACE_PACKET=1")
	out, err := c.CombinedOutput()
	if err != nil {
		tm.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}
