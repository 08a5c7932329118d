package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A syncVictim is a perftrack in a clone, killed by the tests during syncs.
type syncVictim struct {
	*victim
	rng     *rand.Rand
	bare    string
	pushing string // a file that exists once the remote has been asked to receive a push
	runs    int    // number of runs imported so far
}

// asRemote is in the environment of processes on the remote's side of a push.
const asRemote = "PERFTRACK_VICTIM_SIDE=remote"

func newSyncVictim(t *testing.T, seed uint64) *syncVictim {
	t.Helper()
	v := &syncVictim{victim: newVictim(t), rng: rand.New(rand.NewPCG(seed, 0))}
	dir := filepath.Dir(v.repo)
	v.bare, v.pushing = filepath.Join(dir, "bare.git"), filepath.Join(dir, "pushing")
	v.git("init", "-q", "--bare", v.bare)
	v.git("remote", "add", "origin", v.bare)
	v.git("push", "-q", "origin", "HEAD:main")
	receive := filepath.Join(dir, "receive-pack")
	v.script(receive, fmt.Sprintf("touch %s\nexec env %s git-receive-pack \"$@\"", v.pushing, asRemote))
	v.git("config", "remote.origin.receivepack", receive)
	return v
}

func (v *syncVictim) script(path, text string) {
	v.t.Helper()
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		v.t.Fatal(err)
	}
}

// measure imports a few unique runs.
func (v *syncVictim) measure() {
	v.t.Helper()
	for range 1 + v.rng.IntN(8) {
		v.runs++
		name := filepath.Join(v.temp, "results.txt")
		text := fmt.Sprintf("note: %d\nBenchmarkX 10 %d ns/op\n", v.runs, 100+v.rng.IntN(100))
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			v.t.Fatal(err)
		}
		v.must("import", "--commit", "HEAD", name)
		if err := os.Remove(name); err != nil {
			v.t.Fatal(err)
		}
	}
}

// wasKilled reports whether a perftrack was killed. Any other failure fails the test.
func (v *syncVictim) wasKilled(end error, out *bytes.Buffer) bool {
	v.t.Helper()
	var exit *exec.ExitError
	if errors.As(end, &exit) && exit.ExitCode() == -1 {
		return true
	}
	if end != nil {
		v.t.Fatalf("perftrack sync: %v\n%s", end, out)
	}
	return false
}

// ids returns the sorted ids of all runs in the database.
func (v *victim) ids() (ids []string) {
	v.t.Helper()
	rows := strings.Split(strings.TrimSpace(v.must("list", "runs", "--format", "csv")), "\n")
	for _, row := range rows[1:] {
		id, _, _ := strings.Cut(row, ",")
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// onRemote returns the sorted ids of the runs on the remote, one for each file in each reference.
// Every file's content must match its name.
func (v *syncVictim) onRemote() (ids []string) {
	v.t.Helper()
	var files []string
	// The remote may be removing a reference, but its commit stays.
	for _, commit := range strings.Fields(v.git("--git-dir="+v.bare, "for-each-ref", "--format=%(objectname)", "refs/perftrack")) {
		for _, name := range strings.Fields(v.git("--git-dir="+v.bare, "ls-tree", "--name-only", commit)) {
			files = append(files, commit+":"+name)
		}
	}
	c := exec.Command("git", "--git-dir="+v.bare, "cat-file", "--batch=%(objecttype) %(objectsize)")
	c.Env, c.Stdin = v.env, strings.NewReader(strings.Join(append(files, ""), "\n"))
	out, err := c.Output()
	if err != nil {
		v.t.Fatalf("git cat-file: %v", err)
	}
	for _, name := range files {
		line, rest, _ := bytes.Cut(out, []byte("\n"))
		var size int
		if _, err := fmt.Sscanf(string(line), "blob %d", &size); err != nil || size >= len(rest) {
			v.t.Fatalf("%s is %q", name, line)
		}
		_, file, _ := strings.Cut(name, ":")
		id := strings.TrimSuffix(file, ".run")
		if sum := sha256.Sum256(rest[:size]); fmt.Sprintf("%x", sum) != id {
			v.t.Fatalf("%s has the hash %x", name, sum)
		}
		ids, out = append(ids, id), rest[size+1:]
	}
	slices.Sort(ids)
	return ids
}

// complete syncs, and fails the test unless this clone and a new one have all runs.
func (v *syncVictim) complete() {
	v.t.Helper()
	v.must("sync")
	v.git("fsck", "--no-dangling")
	if got, want := v.must("db", "verify"), fmt.Sprintf("ok: %d runs", v.runs); !strings.HasPrefix(got, want) {
		v.t.Errorf("db verify: %s, want %s", got, want)
	}
	other := *v.victim
	other.repo = filepath.Join(v.t.TempDir(), "other")
	v.git("clone", "-q", v.bare, other.repo)
	other.must("sync")
	if here, there := v.ids(), other.ids(); len(here) != v.runs || !slices.Equal(here, there) {
		v.t.Errorf("%d runs here and %d in a new clone, want the same %d", len(here), len(there), v.runs)
	}
}

// A sync killed at any time loses nothing and leaves nothing half-written, and the next sync
// completes it.
func TestTortureKilledSync(t *testing.T) {
	live(t)
	n, seed := tortures(t, 4, 100)
	v := newSyncVictim(t, seed)
	killed := 0
	for range n {
		v.measure()
		c, out := v.command("sync")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(v.rng.IntN(400))*time.Millisecond, func() { _ = c.Process.Kill() })
		end := c.Wait()
		timer.Stop()
		if v.wasKilled(end, out) {
			killed++
		}
		v.git("--git-dir="+v.bare, "fsck", "--no-dangling", "--connectivity-only")
	}
	v.nothingLeft() // its last git may still be pushing
	v.complete()
	if crashes, err := filepath.Glob(filepath.Join(v.repo, ".git", "fast_import_crash_*")); err != nil || len(crashes) > 0 {
		t.Logf("git left %v, %v", crashes, err)
	}
	t.Logf("%d of %d syncs were killed, %d runs", killed, n, v.runs)
}

// A sync killed while it pushes, alone or together with its git, leaves only whole runs on the
// remote. The clone's next sync sends the rest, and the remote has every run once.
func TestTortureKilledPush(t *testing.T) {
	live(t)
	n, seed := tortures(t, 4, 100)
	v := newSyncVictim(t, seed)
	updating := v.pushing + "-refs"
	v.script(filepath.Join(v.bare, "hooks", "update"), "touch "+updating+"\nsleep 0.02")
	killed, between := 0, 0
	for tries := 0; killed < n; tries++ {
		if tries > 20*n {
			t.Fatalf("only %d of %d kills hit a push", killed, tries)
		}
		v.measure()
		kill := pushKill{v.pushing, v.rng.IntN(2) == 0, time.Duration(v.rng.IntN(80)) * time.Millisecond}
		switch {
		case killed == 0: // before anything is sent
			kill.git, kill.delay = true, 0
		case v.rng.IntN(2) == 0: // between two references
			kill.after = updating
		}
		if v.killedPush(kill) {
			killed++
		}
		all := v.onRemote() // the remote may still be handling the push, so git fsck would fail
		there := slices.Compact(slices.Clone(all))
		if len(there) < len(all) { // until the next sync removes the replaced references
			between++
		}
		here := v.ids()
		if !subset(there, here) {
			t.Fatalf("after %d kills the remote has a run that nobody has:\n%v\nhere are\n%v", killed, there, here)
		}
		v.nothingLeft()
		v.git("--git-dir="+v.bare, "fsck", "--full", "--strict", "--no-dangling")
		if v.rng.IntN(2) == 0 {
			continue // a later sync sends the rest
		}
		v.must("sync")
		if there := v.onRemote(); len(here) != v.runs || !slices.Equal(there, here) {
			t.Fatalf("after %d kills and a sync the remote has %d runs, %d are here, want %d", killed, len(there), len(here), v.runs)
		}
	}
	v.complete()
	t.Logf("%d syncs were killed in their push, %d of them before they removed what they had replaced; %d runs, each there once", killed, between, v.runs)
}

// A pushKill describes how to kill a push: the delay after a file has appeared, and whether to kill
// its git processes, too.
type pushKill struct {
	after string
	git   bool
	delay time.Duration
}

// killedPush starts a sync, kills it and reports whether it was still running.
func (v *syncVictim) killedPush(kill pushKill) bool {
	v.t.Helper()
	if err := os.Remove(kill.after); err != nil && !errors.Is(err, os.ErrNotExist) {
		v.t.Fatal(err)
	}
	c, out := v.command("sync")
	if err := c.Start(); err != nil {
		v.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for {
		if _, err := os.Stat(kill.after); err == nil {
			break
		}
		select {
		case end := <-ended:
			v.t.Fatalf("the sync ended and pushed nothing: %v\n%s", end, out)
		case <-time.After(time.Millisecond):
		}
	}
	time.Sleep(kill.delay)
	_ = c.Process.Kill() // the process may have ended
	if kill.git {
		for _, p := range v.processes() {
			if !bytes.Contains(p.environ, []byte(asRemote)) {
				_ = syscall.Kill(p.pid, syscall.SIGKILL)
			}
		}
	}
	return v.wasKilled(<-ended, out)
}

// subset reports whether all elements of list are in of, which must be sorted.
func subset(list, of []string) bool {
	return !slices.ContainsFunc(list, func(s string) bool {
		_, ok := slices.BinarySearch(of, s)
		return !ok
	})
}
