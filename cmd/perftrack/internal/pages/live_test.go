package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/reports/site/server"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
	"github.com/perftrack/perftrack/store"
)

// A growing is a repository and its database, both changed by each step.
type growing struct {
	*testing.T
	session *workspace.Session
	rnd     *rand.Rand
	commits []string
	commit  func(date string) string
	now     time.Time
}

func newGrowing(t *testing.T, seed uint64) *growing {
	a, commit := workspacetest.New(t)
	g := &growing{T: t, session: a, rnd: rand.New(rand.NewPCG(1, seed)), commit: commit, now: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}
	a.Now = func() time.Time { g.now = g.now.Add(2 * pause); return g.now } // advance far enough to repeat every check for changes
	for range 4 {
		g.grow()
	}
	return g
}

// grow makes a commit.
func (g *growing) grow() {
	g.commits = append(g.commits, g.commit(time.Date(2026, 1, 1, len(g.commits), 0, 0, 0, time.UTC).Format(time.RFC3339)))
}

func (g *growing) write(do func(*store.DB) error) {
	g.Helper()
	db, _, err := g.session.OpenForWriting(g.Context())
	if err == nil {
		err = do(db)
	}
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		g.Fatal(err)
	}
}

// measure stores a run for a random commit, where an old commit is as likely as the newest one.
func (g *growing) measure() {
	at := g.rnd.IntN(len(g.commits))
	text := "pkg: m\n"
	for _, name := range []string{"A", "B/n=1", "B/n=2"}[:1+g.rnd.IntN(3)] {
		bytes := 64 // a count, so one run is enough to show a step
		if at > 1 && name == "A" {
			bytes = 96
		}
		for range 3 {
			text += fmt.Sprintf("Benchmark%s 100 %.4g ns/op %d B/op\n", name, 100+g.rnd.Float64(), bytes)
		}
	}
	run := runtest.Read(g.T, text)
	run.Target, run.Status, run.Commit = "m", record.Complete, record.Commit{SHA: g.commits[at], Time: time.Date(2026, 1, 1, at, 0, 0, 0, time.UTC)}
	run.Start = g.session.Now()
	run.Env.Set("cpu", strconv.Itoa(g.rnd.IntN(10)/9))
	g.write(func(db *store.DB) error { _, _, err := db.Put(g.Context(), run); return err })
}

// step does one thing that may change the overview.
func (g *growing) step() (what string) {
	switch n := g.rnd.IntN(20); {
	case n < 11:
		g.measure()
		return "measure"
	case n < 13:
		g.grow()
		return "commit"
	case n < 15:
		g.write(func(db *store.DB) error {
			runs, err := db.Runs(g.Context(), store.Filter{})
			if err != nil || len(runs) == 0 {
				return err
			}
			_, err = db.Delete(g.Context(), record.Deletion{Runs: []string{runs[g.rnd.IntN(len(runs))].ID}, Reason: "test", Time: g.session.Now()})
			return err
		})
		return "delete"
	case n < 17:
		a := record.Acceptance{Target: "m", Package: "m", Benchmark: "A", Commit: g.commits[g.rnd.IntN(len(g.commits))], Reason: "test", Time: g.session.Now()}
		g.write(func(db *store.DB) error { _, _, err := db.Accept(g.Context(), a); return err })
		return "accept"
	case n < 19:
		path := filepath.Join(g.session.Dir, "perftrack.toml")
		text := fmt.Sprintf("[[rule]]\nbench = \"A\"\nthreshold = \"%d%%\"\n", 1+g.rnd.IntN(90))
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			g.Fatal(err)
		}
		// Set a new modification time, so the file differs from the previous one even if only the
		// time is compared.
		if err := os.Chtimes(path, g.now, g.now); err != nil {
			g.Fatal(err)
		}
		return "configure"
	}
	return "nothing"
}

// overview returns a server's index, without its time of creation.
func (g *growing) overview(h http.Handler) string {
	g.Helper()
	r := httptest.NewRequest(http.MethodGet, "/data/index.js", nil)
	r.Host = "localhost"
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	text := w.Body.Bytes()
	var d map[string]any
	if err := json.NewDecoder(bytes.NewReader(text[bytes.IndexByte(text, ',')+1:])).Decode(&d); err != nil {
		g.Fatalf("%s: %v", text, err)
	}
	return g.timeless(d)
}

func (g *growing) timeless(document any) string {
	g.Helper()
	text, err := json.Marshal(document)
	var d map[string]any
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err == nil {
		delete(d["meta"].(map[string]any), "generated")
		text, err = json.Marshal(d)
	}
	if err != nil {
		g.Fatal(err)
	}
	return string(text)
}

// serve returns a server with the overview stored by other servers at path, and its site.
func (g *growing) serve(path string) (http.Handler, *Live) {
	g.Helper()
	live := Watch(g.session, Options{})
	h, err := server.Handler(server.Options{Live: live, Keep: path, Moment: time.Minute})
	if err != nil {
		g.Fatal(err)
	}
	return h, live
}

// After any change, a running server and a restarted one both show the same overview as one built
// from scratch.
func TestKeptOverview(t *testing.T) {
	g := newGrowing(t, 1)
	g.measure()
	kept := filepath.Join(t.TempDir(), "x.overview")
	lasting, live := g.serve(kept)
	defer live.Close()
	for n := range 14 {
		what := g.step()
		s, err := Open(t.Context(), g.session, Options{Live: true})
		if err != nil {
			t.Fatal(err)
		}
		index, err := s.Index(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := g.timeless(index)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if got := g.overview(lasting); got != want {
			t.Fatalf("step %d, %s: a server that was there has\n%s\nwant\n%s", n, what, got, want)
		}
		begun, live := g.serve(kept) // this server has the overview stored by the other one
		got := g.overview(begun)
		live.Close()
		if got != want {
			t.Fatalf("step %d, %s: a server that has begun has\n%s\nwant\n%s", n, what, got, want)
		}
	}
}

// A restarted server does not have to read the histories.
func TestKeptOverviewIsUsed(t *testing.T) {
	g := newGrowing(t, 1)
	for range 6 {
		g.measure()
	}
	kept := filepath.Join(t.TempDir(), "x.overview")
	first, live := g.serve(kept)
	g.overview(first)
	live.Close()
	again, live := g.serve(kept)
	g.overview(again)
	state, err := live.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	state.Close()
	if doing, _, of := state.Progress(); of != 0 {
		t.Errorf("it was %s", doing)
	}
	live.Close()
}

// The version changes if an input of the documents changes, and is otherwise the same.
func TestVersions(t *testing.T) {
	g := newGrowing(t, 1)
	for range 3 {
		g.measure()
	}
	seen := map[string]string{}
	config := func(text string) func() {
		return func() {
			if err := os.WriteFile(filepath.Join(g.session.Dir, "perftrack.toml"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, one := range []struct {
		what  string
		do    func()
		again string // an earlier state with the same version; "" for a new version
	}{
		{"the beginning", func() {}, ""},
		{"nothing", func() {}, "the beginning"},
		{"a rule", config("[[rule]]\nbench = 'A'\nthreshold = '30%'\n"), ""},
		{"another rule", config("[[rule]]\nbench = 'B'\nthreshold = '30%'\n"), ""},
		{"the rule again", config("[[rule]]\nbench = 'A'\nthreshold = '30%'\n"), "a rule"},
		{"a commit", g.grow, ""},
		{"a run", g.measure, ""},
		{"a tag", func() {
			for i, sha := range g.commits { // tag all commits, because any of them may have been measured
				if out, err := exec.CommandContext(t.Context(), "git", "-C", g.session.Dir, "tag", "v"+strconv.Itoa(i), sha).CombinedOutput(); err != nil {
					t.Fatalf("%v %s", err, out)
				}
			}
		}, ""},
		{"an acceptance", func() {
			a := record.Acceptance{Target: "m", Package: "m", Benchmark: "A", Commit: g.commits[1], Reason: "test", Time: g.now}
			g.write(func(db *store.DB) error { _, _, err := db.Accept(t.Context(), a); return err })
		}, ""},
	} {
		one.do()
		s, err := Open(t.Context(), g.session, Options{Live: true})
		if err != nil {
			t.Fatal(err)
		}
		version, err := s.version(t.Context())
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if err != nil || seen[version] != one.again {
			t.Errorf("after %s the version is that of %q, want %q; %v", one.what, seen[version], one.again, err)
		}
		if seen[version] == "" {
			seen[version] = one.what
		}
	}
}
