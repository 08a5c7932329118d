package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/sqlite"
	"github.com/perftrack/perftrack/store/storetest"
)

// A team is a bare remote and clones of it.
type team struct {
	t    testing.TB
	bare string
	now  time.Time
	apps []*App

	mu      sync.Mutex
	notices []string
}

func newTeam(t testing.TB, clones int, args ...string) *team {
	t.Helper()
	tm := &team{t: t, bare: filepath.Join(t.TempDir(), "bare.git"), now: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}
	for key, value := range map[string]string{
		"HOME": t.TempDir(), "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "PERFTRACK_DB": "",
		"GIT_AUTHOR_NAME": "T", "GIT_AUTHOR_EMAIL": "t@example.com", "GIT_COMMITTER_NAME": "T", "GIT_COMMITTER_EMAIL": "t@example.com",
		"GIT_AUTHOR_DATE": "1700000000 +0000", "GIT_COMMITTER_DATE": "1700000000 +0000",
	} {
		t.(interface{ Setenv(k, v string) }).Setenv(key, value)
	}
	tm.git("", "init", "-q", "--bare", "-b", "main", tm.bare)
	seed := t.TempDir()
	tm.git("", "clone", "-q", tm.bare, seed)
	for _, name := range []string{"one", "two"} {
		tm.git(seed, "commit", "-q", "--allow-empty", "-m", name)
	}
	tm.git(seed, "push", "-q", "origin", "HEAD:main")
	for range clones {
		tm.clone(args...)
	}
	return tm
}

// clone adds a clone, made with the given options.
func (tm *team) clone(args ...string) *App {
	tm.t.Helper()
	dir := filepath.Join(tm.t.TempDir(), "clone")
	tm.git("", slices.Concat([]string{"clone", "-q"}, args, []string{"file://" + tm.bare, dir})...)
	n := uint64(len(tm.apps))
	a := &App{Dir: dir, Version: "test", Now: func() time.Time { return tm.now }, Rand: rand.New(rand.NewPCG(n, n))}
	a.Notice = func(text string) {
		tm.mu.Lock()
		defer tm.mu.Unlock()
		tm.notices = append(tm.notices, text)
	}
	tm.apps = append(tm.apps, a)
	return a
}

func (tm *team) git(dir string, args ...string) string {
	tm.t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		tm.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// add stores runs in a clone and returns their ids.
func (tm *team) add(a *App, runs ...*record.Run) (ids []string) {
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

// runAt is a run that no other label gives, measured so many days before tm.now.
func (tm *team) runAt(label string, days int) *record.Run {
	r := storetest.Plain(strings.Repeat("a", 40), 1, 3)
	r.Facts = r.Facts.Set("label", label)
	r.Start = tm.now.AddDate(0, 0, -days)
	return r
}

func (tm *team) sync(a *App, opt SyncOptions) Synced {
	tm.t.Helper()
	done, err := Sync(context.Background(), a, opt)
	if err != nil {
		tm.t.Fatal(err)
	}
	return done
}

// has returns the ids of the runs in a clone's database, sorted, which must be whole.
func (tm *team) has(a *App) (ids []string) {
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
	ids = idsOf(infos)
	slices.Sort(ids)
	return ids
}

// want fails the test unless the clone has exactly these runs.
func (tm *team) want(a *App, ids ...string) {
	tm.t.Helper()
	slices.Sort(ids)
	if got := tm.has(a); !slices.Equal(got, ids) {
		tm.t.Fatalf("%d runs %v\nwant %d: %v\nnotices: %s", len(got), got, len(ids), ids, strings.Join(tm.notices, "\n"))
	}
}

// refs returns the references below refs/perftrack/ of a repository, without the hash.
func (tm *team) refs(dir string) (folders []string) {
	tm.t.Helper()
	for line := range strings.Lines(tm.git(dir, "for-each-ref", "--format=%(refname)", "refs/perftrack")) {
		folders = append(folders, strings.Split(strings.TrimSpace(line), "/")[2])
	}
	return folders
}

// fresh returns what a new clone gets.
func (tm *team) fresh() []string {
	tm.t.Helper()
	a := tm.clone()
	tm.sync(a, SyncOptions{})
	return tm.has(a)
}

func (tm *team) noticed(text string) bool {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	return slices.ContainsFunc(tm.notices, func(n string) bool { return strings.Contains(n, text) })
}

func TestSync(t *testing.T) {
	tm := newTeam(t, 2)
	a, b := tm.apps[0], tm.apps[1]
	ids := tm.add(a, tm.runAt("a1", 1), tm.runAt("a2", 2))
	partial, dirty := tm.runAt("partial", 1), tm.runAt("dirty", 1)
	partial.Status, dirty.Commit.Dirty = record.Partial, true
	private := tm.add(a, partial, dirty)
	if done := tm.sync(a, SyncOptions{DryRun: true}); done.Sent.Runs != 2 || done.Unwritten != 2 || len(tm.refs(tm.bare)) != 0 {
		t.Errorf("dry run: %+v", done)
	}
	if done := tm.sync(a, SyncOptions{}); done.Sent.Runs != 2 || done.Received.Runs != 0 || done.Unwritten != 2 || done.Remote != "origin" {
		t.Errorf("first: %+v", done)
	}
	if done := tm.sync(a, SyncOptions{}); done.Sent.Runs+done.Received.Runs != 0 || done.Parcels != 2 {
		t.Errorf("again: %+v", done)
	}
	ids = append(ids, tm.add(b, tm.runAt("b1", 3))...)
	if done := tm.sync(b, SyncOptions{DryRun: true}); done.Received.Runs != 2 || done.Sent.Runs != 1 || len(tm.refs(b.Dir)) != 0 {
		t.Errorf("dry run: %+v", done)
	}
	if done := tm.sync(b, SyncOptions{}); done.Sent.Runs != 1 || done.Received.Runs != 2 {
		t.Errorf("second: %+v", done)
	}
	tm.want(b, ids...)
	tm.sync(a, SyncOptions{All: true})
	all := slices.Concat(ids, private)
	tm.want(a, all...)
	// From nothing, and what was received is passed on whatever its status.
	if err := os.RemoveAll(filepath.Join(b.Dir, ".perftrack")); err != nil {
		t.Fatal(err)
	}
	tm.sync(b, SyncOptions{NoPush: true})
	tm.want(b, all...)
	if got := tm.git(a.Dir, "status", "--porcelain") + tm.git(a.Dir, "branch", "-a", "--format=%(refname)"); strings.Contains(got, "perftrack") {
		t.Errorf("it shows: %s", got)
	}
	if len(tm.notices) > 0 {
		t.Errorf("notices: %q", tm.notices)
	}
}

// Of runs that arrive together, the one that was measured last is the newest.
func TestSyncKeepsOrderOfMeasuring(t *testing.T) {
	tm := newTeam(t, 2)
	var want []string
	for _, days := range []int{3, 9, 1, 7, 5} {
		tm.add(tm.apps[0], tm.runAt(fmt.Sprint("n", days), days))
	}
	tm.sync(tm.apps[0], SyncOptions{})
	tm.sync(tm.apps[1], SyncOptions{})
	for _, days := range []int{9, 7, 5, 3, 1} {
		want = append(want, tm.runAt(fmt.Sprint("n", days), days).ID())
	}
	db, err := tm.apps[1].OpenForReading(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	infos, err := db.Runs(context.Background(), store.Filter{})
	if err != nil || !slices.Equal(idsOf(infos), want) {
		t.Errorf("stored as %v, %v\nwant %v", idsOf(infos), err, want)
	}
}

func TestSyncAcceptances(t *testing.T) {
	tm := newTeam(t, 2)
	a, b := tm.apps[0], tm.apps[1]
	tm.add(a, tm.runAt("a1", 1))
	ctx := context.Background()
	done, err := Accept(ctx, a, "GELU_1000", AcceptOptions{Commit: "HEAD~1", Reason: "exact\ngradients"})
	if err != nil || !done.Added || done.Commit != tm.git(a.Dir, "rev-parse", "HEAD~1") || done.Reason != "exact gradients" || done.Target != "engine" {
		t.Fatalf("%+v, %v", done, err)
	}
	if again, err := Accept(ctx, a, "1000", AcceptOptions{Commit: "HEAD~1", Reason: "other words"}); err != nil || again.Added || again.ID != done.ID {
		t.Errorf("again: %+v, %v", again, err)
	}
	tm.sync(a, SyncOptions{})
	tm.sync(b, SyncOptions{})
	all, err := Acceptances(ctx, b, "engine")
	if err != nil || !slices.Equal(all, compare.Accepted{done.Acceptance}) {
		t.Errorf("arrived: %+v, %v", all, err)
	}
	if _, err := Revoke(ctx, b, done.ID[:8], ""); err != nil {
		t.Fatal(err)
	}
	tm.sync(b, SyncOptions{Compact: true})
	tm.sync(a, SyncOptions{})
	if all, err := Acceptances(ctx, a, ""); err != nil || len(all) != 0 {
		t.Errorf("after it was revoked: %+v, %v", all, err)
	}
	for _, bad := range []struct {
		bench string
		opt   AcceptOptions
	}{
		{"GELU_1000", AcceptOptions{}}, {"GELU_1000", AcceptOptions{Reason: " \n"}}, {"None", AcceptOptions{Reason: "x"}},
		{"GELU_1000", AcceptOptions{Reason: "x", Commit: "nowhere"}}, {"GELU_1000", AcceptOptions{Reason: "x", Commit: "--output=x"}},
	} {
		if done, err := Accept(ctx, a, bad.bench, bad.opt); err == nil {
			t.Errorf("%+v: %+v", bad, done)
		}
	}
	for _, id := range []string{"", "abc", done.ID, "zzzz", "%"} {
		if _, err := Revoke(ctx, a, id, "x"); err == nil {
			t.Errorf("revoked %q", id)
		}
	}
}

// A run that was deleted is gone everywhere, and stays so whoever sends it again.
func TestSyncPrune(t *testing.T) {
	tm := newTeam(t, 3)
	a, b, late := tm.apps[0], tm.apps[1], tm.apps[2]
	old := tm.add(a, tm.runAt("old1", 200), tm.runAt("old2", 100))
	recent := tm.add(a, tm.runAt("new", 10))
	tm.sync(a, SyncOptions{})
	tm.sync(late, SyncOptions{})
	tm.sync(b, SyncOptions{Compact: true})
	tm.add(late, tm.runAt("late", 5))
	if done := tm.sync(b, SyncOptions{Prune: true, Keep: 90 * 24 * time.Hour, DryRun: true}); done.Deleted != 2 || len(tm.has(b)) != 3 {
		t.Errorf("dry run: %+v", done)
	}
	if done := tm.sync(b, SyncOptions{Prune: true, Keep: 90 * 24 * time.Hour}); done.Deleted != 2 || done.Sent.Deletions != 1 {
		t.Errorf("%+v", done)
	}
	tm.want(b, recent...)
	tm.add(a, tm.runAt("old1", 200)) // imported again, before the deletion is known
	tm.sync(a, SyncOptions{})
	tm.want(a, recent...)
	tm.add(a, tm.runAt("old1", 200)) // and after it
	tm.want(a, recent...)
	tm.sync(late, SyncOptions{})
	all := append(recent, tm.runAt("late", 5).ID())
	tm.want(late, all...)
	tm.sync(late, SyncOptions{Compact: true})
	if got := tm.fresh(); len(got) != 2 {
		t.Errorf("a new clone has %v", got)
	}
	if files := tm.remoteFiles(); slices.ContainsFunc(files, func(f string) bool { return strings.HasPrefix(f, old[0]) || strings.HasPrefix(f, old[1]) }) {
		t.Errorf("the remote still has %v", files)
	}
	if done := tm.sync(a, SyncOptions{Prune: true, Keep: 24 * time.Hour}); done.Deleted != 1 {
		t.Errorf("all but the newest: %+v", done)
	}
	tm.want(a, tm.runAt("late", 5).ID())
}

// remoteFiles returns the names of all files of the remote's parcels.
func (tm *team) remoteFiles() (names []string) {
	for _, sha := range strings.Fields(tm.git(tm.bare, "for-each-ref", "--format=%(objectname)", "refs/perftrack")) {
		names = append(names, strings.Fields(tm.git(tm.bare, "ls-tree", "--name-only", sha))...)
	}
	return names
}

func TestExpired(t *testing.T) {
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	info := func(id string, days int, change func(*record.RunInfo)) record.RunInfo {
		r := record.RunInfo{ID: id, EnvironmentID: "e", Benchmarks: 1}
		r.Target, r.Status, r.Start = "t", record.Complete, now.AddDate(0, 0, -days)
		r.Commit.Branch, r.Commit.SHA = "main", "c-"+id
		if change != nil {
			change(&r)
		}
		return r
	}
	newest := info("newest", 1, nil)
	for _, tt := range []struct {
		name  string
		infos []record.RunInfo
		want  []string
	}{
		{"nothing", nil, nil},
		{"only one, old", []record.RunInfo{info("a", 1000, nil)}, nil},
		{"older goes", []record.RunInfo{newest, info("a", 91, nil), info("b", 89, nil)}, []string{"a"}},
		{"just inside", []record.RunInfo{newest, info("a", 90, func(r *record.RunInfo) { r.Start = r.Start.Add(time.Second) })}, nil},
		{"newest of each target", []record.RunInfo{newest, info("a", 100, func(r *record.RunInfo) { r.Target = "u" }), info("b", 101, func(r *record.RunInfo) { r.Target = "u" })}, []string{"b"}},
		{"newest of each environment", []record.RunInfo{newest, info("a", 100, func(r *record.RunInfo) { r.EnvironmentID = "f" })}, nil},
		{"newest of each branch", []record.RunInfo{newest, info("a", 100, func(r *record.RunInfo) { r.Commit.Branch = "topic" })}, nil},
		{"a partial one is no baseline", []record.RunInfo{info("a", 100, nil), info("b", 99, func(r *record.RunInfo) { r.Status = record.Partial }), info("c", 98, func(r *record.RunInfo) { r.Commit.Dirty = true })}, []string{"b", "c"}},
		{"accepted", []record.RunInfo{newest, info("accepted", 100, nil), info("a", 100, func(r *record.RunInfo) { r.Target, r.Commit.SHA = "u", "c-accepted" }), info("b", 99, func(r *record.RunInfo) { r.Target = "u" })}, []string{"a"}},
		{"both sides of a trial", []record.RunInfo{info("a", 100, func(r *record.RunInfo) { r.Trial = "x" }), info("b", 99, func(r *record.RunInfo) { r.Trial = "x" }), info("c", 101, func(r *record.RunInfo) { r.Trial = "y" })}, []string{"c"}},
		{"no time", []record.RunInfo{newest, info("a", 0, func(r *record.RunInfo) { r.Start = time.Time{} })}, nil},
		{"time of the commit", []record.RunInfo{newest, info("a", 0, func(r *record.RunInfo) { r.Start, r.Commit.Time = time.Time{}, now.AddDate(0, 0, -200) })}, []string{"a"}},
		{"half an hour ahead", []record.RunInfo{info("ahead", 0, func(r *record.RunInfo) { r.Start = now.Add(time.Hour / 2) }), info("a", 100, nil)}, []string{"a"}},
	} {
		accepted := compare.Accepted{{Target: "t", Commit: "c-accepted"}}
		got, err := expired(tt.infos, accepted, now, 90*24*time.Hour)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, %v, want %v", tt.name, got, err, tt.want)
		}
	}
	behind := []record.RunInfo{info("ahead", 0, func(r *record.RunInfo) { r.Start = now.Add(2 * time.Hour) }), info("a", 100, nil)}
	if got, err := expired(behind, nil, now, 90*24*time.Hour); err == nil || got != nil {
		t.Errorf("a clock that is behind deletes %v, %v", got, err)
	}
}

// However a clone was made, it exchanges whole runs.
func TestSyncOddClones(t *testing.T) {
	tm := newTeam(t, 1)
	ids := tm.add(tm.apps[0], tm.runAt("a", 1))
	tm.sync(tm.apps[0], SyncOptions{})
	tm.git(tm.bare, "config", "uploadpack.allowFilter", "true")
	for name, args := range map[string][]string{"shallow": {"--depth=1"}, "partial": {"--filter=blob:none"}, "single branch": {"--single-branch", "--no-tags"}} {
		a := tm.clone(args...)
		ids = append(ids, tm.add(a, tm.runAt(name, 1))...)
		tm.sync(a, SyncOptions{})
		tm.want(a, ids...)
		if name == "shallow" && tm.git(a.Dir, "rev-parse", "--is-shallow-repository") != "true" {
			t.Error("the clone was deepened")
		}
	}
	linked := filepath.Join(t.TempDir(), "linked")
	tm.git(tm.apps[0].Dir, "worktree", "add", "-q", linked)
	a := *tm.apps[0]
	a.Dir = linked
	tm.sync(&a, SyncOptions{})
	tm.want(&a, ids...)
	tm.git(tm.apps[0].Dir, "fsck", "--strict", "--no-dangling")
	tm.git(tm.bare, "fsck", "--strict", "--no-dangling")
}

// What cannot be done says why, and takes nothing away.
func TestSyncRefused(t *testing.T) {
	tm := newTeam(t, 1)
	a := tm.apps[0]
	ids := tm.add(a, tm.runAt("a", 1))
	hook := filepath.Join(tm.bare, "hooks", "pre-receive")
	if err := os.WriteFile(hook, []byte("#!/bin/sh\necho asked >>asked\necho 'refs/perftrack is protected' >&2\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := Sync(context.Background(), a, SyncOptions{})
	if err == nil || !strings.Contains(err.Error(), "refuses 1 of") || !strings.Contains(err.Error(), "hook declined): refs/perftrack is protected: allow them") {
		t.Errorf("a hook that declines: %v", err)
	}
	// A pre-receive hook runs in the folder of the repository.
	if asked, err := os.ReadFile(filepath.Join(tm.bare, "asked")); err != nil || strings.Count(string(asked), "asked") > 1+maxTries {
		t.Errorf("the remote was asked %d times, %v", strings.Count(string(asked), "asked"), err)
	}
	if err := os.Remove(hook); err != nil {
		t.Fatal(err)
	}
	if done := tm.sync(a, SyncOptions{}); done.Sent.Runs != 1 {
		t.Errorf("then: %+v", done)
	}
	tm.want(a, ids...)
	for _, tt := range []struct{ remote, want string }{
		{"nowhere", "nowhere' does not appear to be a git repository: check its name"}, {"--upload-pack=touch x", "is no remote: give"},
		{"https://user:secret@127.0.0.1:1/x", "read remote https://127.0.0.1:1/x: unable to access 'https://127.0.0.1:1/x/': "},
		{"ext::touch x", "name it by an https, ssh or file URL"},
	} {
		if _, err := Sync(context.Background(), a, SyncOptions{Remote: tt.remote}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.remote, err, tt.want)
		}
	}
	tm.git(a.Dir, "remote", "remove", "origin")
	if _, err := Sync(context.Background(), a, SyncOptions{}); !errors.Is(err, gitrepo.ErrNoRemote) {
		t.Errorf("no remote: %v", err)
	}
	a.Dir = t.TempDir()
	if _, err := Sync(context.Background(), a, SyncOptions{}); err == nil || !strings.Contains(err.Error(), "git repository") {
		t.Errorf("no repository: %v", err)
	}
}

// The database is rebuilt of the good runs that it has and of what is in git, and the
// old one stays.
func TestRebuild(t *testing.T) {
	tm := newTeam(t, 1)
	a := tm.apps[0]
	shared := tm.add(a, tm.runAt("a", 3), tm.runAt("b", 2))
	tm.sync(a, SyncOptions{})
	own := tm.add(a, tm.runAt("own", 1), tm.runAt("damaged", 1))
	path := filepath.Join(a.Dir, ".perftrack", "perftrack.db")
	damage(t, path, own[1], shared[0])
	done, err := Rebuild(context.Background(), a)
	if err != nil || done.Runs != 3 || done.Lost != 2 || done.Old == "" {
		t.Fatalf("%+v, %v", done, err)
	}
	tm.want(a, shared[0], shared[1], own[0])
	if _, err := os.Stat(done.Old); err != nil {
		t.Error(err)
	}
	// Of nothing but git, from a file that is none of a database any more.
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(text); i++ {
		text[i] = 0xff
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if done, err = Rebuild(context.Background(), a); err != nil || done.Runs != 2 {
		t.Fatalf("%+v, %v", done, err)
	}
	tm.want(a, shared...)
	if left, err := filepath.Glob(path + ".rebuild*"); err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	// Not while another uses it, and never in the place of a foreign file.
	db, err := sqlite.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Rebuild(context.Background(), a); !errors.Is(err, store.ErrBusy) {
		t.Errorf("in use: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	tm.want(a, shared...)
	a.DB = filepath.Join(t.TempDir(), "note.txt")
	if err := os.WriteFile(a.DB, []byte("a note to myself"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Rebuild(context.Background(), a); !errors.Is(err, store.ErrForeign) {
		t.Errorf("a foreign file: %v", err)
	}
	if text, err := os.ReadFile(a.DB); err != nil || string(text) != "a note to myself" {
		t.Errorf("the foreign file is %q, %v", text, err)
	}
	if err := os.Remove(a.DB); err != nil {
		t.Fatal(err)
	}
	if done, err := Rebuild(context.Background(), a); err != nil || done.Runs != 2 || done.Old != "" {
		t.Errorf("from nothing: %+v, %v", done, err)
	}
	if _, err := os.Stat(a.DB + ".old-1"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// damage changes one number of each run, behind the back of the store.
func damage(t *testing.T, path string, ids ...string) {
	t.Helper()
	tool, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("no sqlite3 here: ", err)
	}
	for _, id := range ids {
		out, err := exec.Command(tool, path, fmt.Sprintf(`UPDATE packed_samples SET samples = '[7,7,7]' WHERE run_id = (SELECT id FROM runs WHERE uid = '%s')`, id)).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
}
