package app

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
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
