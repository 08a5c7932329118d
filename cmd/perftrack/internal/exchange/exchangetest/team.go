package exchangetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/storetest"
)

// A Team consists of a bare remote and its clones.
type Team struct {
	t    testing.TB
	Bare string
	Now  time.Time
	Apps []*workspace.Session

	mu      sync.Mutex
	notices []string
}

func NewTeam(t testing.TB, clones int, args ...string) *Team {
	t.Helper()
	tm := &Team{t: t, Bare: filepath.Join(t.TempDir(), "bare.git"), Now: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}
	for key, value := range map[string]string{
		"HOME": t.TempDir(), "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "PERFTRACK_DB": "",
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "maintenance.auto", "GIT_CONFIG_VALUE_0": "false", // otherwise git starts a maintenance process after each commit
		"GIT_AUTHOR_NAME": "T", "GIT_AUTHOR_EMAIL": "t@example.com", "GIT_COMMITTER_NAME": "T", "GIT_COMMITTER_EMAIL": "t@example.com",
		"GIT_AUTHOR_DATE": "1700000000 +0000", "GIT_COMMITTER_DATE": "1700000000 +0000",
	} {
		t.(interface{ Setenv(k, v string) }).Setenv(key, value)
	}
	tm.git("", "init", "-q", "--bare", "-b", "main", tm.Bare)
	empty := tm.git(tm.Bare, "mktree")
	one := tm.git(tm.Bare, "commit-tree", empty, "-m", "one")
	two := tm.git(tm.Bare, "commit-tree", empty, "-p", one, "-m", "two")
	tm.git(tm.Bare, "update-ref", "refs/heads/main", two)
	for range clones {
		tm.clone(args...)
	}
	return tm
}

// clone adds a clone made with the given options of git clone.
func (tm *Team) clone(args ...string) *workspace.Session {
	tm.t.Helper()
	dir := filepath.Join(tm.t.TempDir(), "clone")
	tm.git("", slices.Concat([]string{"clone", "-q"}, args, []string{"file://" + tm.Bare, dir})...)
	a := tm.in(dir)
	tm.Apps = append(tm.Apps, a)
	return a
}

// in returns a session in dir.
func (tm *Team) in(dir string) *workspace.Session {
	n := uint64(len(tm.Apps))
	a := &workspace.Session{Dir: dir, Version: "test", Now: func() time.Time { return tm.Now }, Rand: rand.New(rand.NewPCG(n, n)),
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}
	a.Notice = func(text string) {
		tm.mu.Lock()
		defer tm.mu.Unlock()
		tm.notices = append(tm.notices, text)
	}
	return a
}

func (tm *Team) git(dir string, args ...string) string {
	tm.t.Helper()
	c := exec.CommandContext(tm.t.Context(), "git", args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		tm.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Add stores runs in a clone and returns their ids.
func (tm *Team) Add(a *workspace.Session, runs ...*record.Run) (ids []string) {
	tm.t.Helper()
	db, _, err := a.OpenForWriting(context.Background())
	if err != nil {
		tm.t.Fatal(err)
	}
	for _, r := range runs {
		id, _, err := db.Put(context.Background(), r)
		if err != nil {
			tm.t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := db.Close(); err != nil {
		tm.t.Fatal(err)
	}
	return ids
}

// RunAt returns a run with the given label, measured the given number of days before tm.Now.
func (tm *Team) RunAt(label string, days int) *record.Run {
	r := storetest.Plain(strings.Repeat("a", 40), 1, 3)
	r.Facts = r.Facts.Set("label", label)
	r.Start = tm.Now.AddDate(0, 0, -days)
	return r
}

func (tm *Team) Sync(a *workspace.Session, opt exchange.SyncOptions) exchange.SyncResult {
	tm.t.Helper()
	done, err := exchange.Sync(context.Background(), a, opt)
	if err != nil {
		tm.t.Fatal(err)
	}
	return done
}

// has returns the sorted ids of the runs in a clone's database. It fails the test if the database
// is damaged.
func (tm *Team) has(a *workspace.Session) (ids []string) {
	tm.t.Helper()
	db, err := a.OpenForReading(context.Background())
	if err != nil {
		tm.t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if v, err := db.Verify(context.Background()); err != nil || !v.OK() {
		tm.t.Fatalf("%+v, %v", v, err)
	}
	infos, err := db.Runs(context.Background(), store.Filter{})
	if err != nil {
		tm.t.Fatal(err)
	}
	ids = exchange.IDsOf(infos)
	slices.Sort(ids)
	return ids
}

// want fails the test unless the clone has exactly the given runs.
func (tm *Team) want(a *workspace.Session, ids ...string) {
	tm.t.Helper()
	slices.Sort(ids)
	if got := tm.has(a); !slices.Equal(got, ids) {
		tm.t.Fatalf("%d runs %v\nwant %d: %v\nnotices: %s", len(got), got, len(ids), ids, strings.Join(tm.notices, "\n"))
	}
}

// refs returns the folder of each reference below refs/perftrack/ in a repository.
func (tm *Team) refs(dir string) (folders []string) {
	tm.t.Helper()
	for line := range strings.Lines(tm.git(dir, "for-each-ref", "--format=%(refname)", "refs/perftrack")) {
		folders = append(folders, strings.Split(strings.TrimSpace(line), "/")[2])
	}
	return folders
}

// fresh returns the ids of the runs received by a new clone.
func (tm *Team) fresh() []string {
	tm.t.Helper()
	a := tm.clone()
	tm.Sync(a, exchange.SyncOptions{})
	return tm.has(a)
}

func (tm *Team) noticed(text string) bool {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	return slices.ContainsFunc(tm.notices, func(n string) bool { return strings.Contains(n, text) })
}

// Accept records an acceptance for the benchmark bench in a clone.
func (tm *Team) Accept(a *workspace.Session, bench, commit, revokes string) (id string) {
	tm.t.Helper()
	db, _, err := a.OpenForWriting(tm.t.Context())
	if err != nil {
		tm.t.Fatal(err)
	}
	one := record.Acceptance{Target: "lib", Package: "example.com/lib", Benchmark: bench, Commit: commit, Reason: "larger window", Time: tm.Now, Revokes: revokes, Author: "A. Uthor <a@example.com>"}
	id, _, err = db.Accept(tm.t.Context(), one)
	if err != nil {
		tm.t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		tm.t.Fatal(err)
	}
	return id
}

// remoteFiles returns the names of all files in the remote's parcels.
func (tm *Team) remoteFiles() (names []string) {
	for _, sha := range strings.Fields(tm.git(tm.Bare, "for-each-ref", "--format=%(objectname)", "refs/perftrack")) {
		names = append(names, strings.Fields(tm.git(tm.Bare, "ls-tree", "--name-only", sha))...)
	}
	return names
}

// pushAll lets all clones sync at the same time, a few times each, so that each sends the given
// number of runs. Meanwhile it calls beside, unless beside is nil. It returns the ids of all runs
// and checks that references were only created and removed, never moved.
func (tm *Team) pushAll(runs int, beside func(pushed <-chan bool)) (ids []string) {
	const times = 5
	tm.hook("refuse-moves", `case $2$3 in *00000000|00000000*) ;; *) echo "$1" >>moved; exit 1 ;; esac`)
	before := tm.git(tm.Bare, "rev-parse", "main")
	began := time.Now()
	var group sync.WaitGroup
	errs := make(chan error, times*len(tm.Apps))
	for i, a := range tm.Apps {
		var own []*record.Run
		for n := range runs {
			own = append(own, tm.RunAt(fmt.Sprintf("clone %d run %d", i, n), n))
			ids = append(ids, own[n].ID())
		}
		group.Go(func() {
			for part := range slices.Chunk(own, max(1, runs/times)) {
				tm.Add(a, part...)
				_, err := exchange.Sync(context.Background(), a, exchange.SyncOptions{})
				errs <- err
			}
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
	tm.t.Logf("%d clones pushed %d runs each in %v", len(tm.Apps), runs, time.Since(began))
	close(errs)
	for err := range errs {
		if err != nil {
			tm.t.Error(err)
		}
	}
	if tm.git(tm.Bare, "rev-parse", "main") != before {
		tm.t.Error("the branch was moved")
	}
	if moved, err := os.ReadFile(filepath.Join(tm.Bare, "moved")); !errors.Is(err, os.ErrNotExist) {
		tm.t.Errorf("moved by force: %s, %v", moved, err)
	}
	slices.Sort(ids)
	return ids
}

// hook adds a shell test for every reference pushed to the remote.
func (tm *Team) hook(name, test string) (remove func()) {
	tm.t.Helper()
	parts := filepath.Join(tm.Bare, "hooks", "update.d")
	if err := os.MkdirAll(parts, 0o755); err != nil {
		tm.t.Fatal(err)
	}
	part := filepath.Join(parts, name)
	for path, text := range map[string]string{
		part: test,
		filepath.Join(tm.Bare, "hooks", "update"): `for part in hooks/update.d/*; do [ ! -e "$part" ] || sh "$part" "$@" || exit 1; done`,
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

// arrived fails the test unless a new clone and an old one both receive exactly the runs with the
// given ids, and there are few references.
func (tm *Team) arrived(ids []string) {
	tm.t.Helper()
	tm.git(tm.Bare, "fsck", "--no-dangling")
	if got := tm.fresh(); !slices.Equal(got, ids) {
		tm.t.Fatalf("a new clone has %d runs of %d", len(got), len(ids))
	}
	tm.Sync(tm.Apps[0], exchange.SyncOptions{})
	tm.want(tm.Apps[0], ids...)
	tm.few(tm.Apps[0])
}

// PlantAlone puts each run on the remote under a reference of its own, as early versions of perftrack
// did.
func (tm *Team) PlantAlone(runs ...*record.Run) (ids []string) {
	tm.t.Helper()
	var in strings.Builder
	for _, r := range runs {
		text, err := r.Text()
		if err != nil {
			tm.t.Fatal(err)
		}
		fmt.Fprintf(&in, "commit refs/perftrack/runs/%[1]s\ncommitter perftrack <perftrack> 0 +0000\ndata 27\nperftrack parcel, format 1\n\nM 100644 inline %[1]s.run\ndata %[2]d\n%[3]s\n",
			r.ID(), len(text), text)
		ids = append(ids, r.ID())
	}
	tm.stdin(tm.Bare, in.String(), "fast-import", "--quiet")
	return ids
}

// few fails the test if the remote or one of the clones has too many references.
func (tm *Team) few(clones ...*workspace.Session) {
	tm.t.Helper()
	dirs := []string{tm.Bare}
	for _, a := range clones {
		dirs = append(dirs, a.Dir)
	}
	for _, dir := range dirs {
		if refs := tm.refs(dir); len(refs) > exchange.MaxReferences {
			tm.t.Errorf("%s has %d references", filepath.Base(dir), len(refs))
		}
	}
}

// nothingLost fails the test unless the remote has the runs with the given ids.
func (tm *Team) nothingLost(ids []string) {
	tm.t.Helper()
	there := tm.remoteFiles()
	for _, id := range ids {
		if !slices.Contains(there, id+".run") {
			tm.t.Errorf("the remote has lost the run %s", id)
		}
	}
}

// once fails the test unless the remote has exactly the runs with the given ids, each once.
func (tm *Team) once(ids ...string) {
	tm.t.Helper()
	var there []string
	for _, name := range tm.remoteFiles() {
		if id, ok := strings.CutSuffix(name, ".run"); ok {
			there = append(there, id)
		}
	}
	slices.Sort(there)
	if ids = slices.Sorted(slices.Values(ids)); !slices.Equal(there, ids) {
		tm.t.Errorf("the remote has %d files of runs %q\nwant %d %q", len(there), there, len(ids), ids)
	}
}

// Plant pushes a parcel with the given files to the remote, like any user with push access.
func (tm *Team) Plant(name string, files map[string]string) {
	tm.t.Helper()
	dir := tm.t.TempDir()
	tm.git("", "clone", "-q", tm.Bare, dir)
	list := ""
	for name, text := range files {
		blob := tm.stdin(dir, text, "hash-object", "-w", "--stdin")
		list += "100644 blob " + blob + "\t" + name + "\n"
	}
	tree := tm.stdin(dir, list, "mktree")
	commit := tm.git(dir, "commit-tree", "-m", "odd", tree)
	tm.git(dir, "push", "-q", "origin", commit+":refs/perftrack/"+name)
}

func (tm *Team) stdin(dir, in string, args ...string) string {
	tm.t.Helper()
	c := exec.CommandContext(tm.t.Context(), "git", args...)
	c.Dir, c.Stdin = dir, strings.NewReader(in)
	out, err := c.Output()
	if err != nil {
		tm.t.Fatalf("git %q: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}
