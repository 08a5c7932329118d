package pages

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
	"github.com/perftrack/perftrack/store"
)

// git runs a git command in the repository.
func (g *growing) git(words ...string) {
	g.Helper()
	words = append([]string{"-C", g.session.Dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, words...)
	if out, err := exec.CommandContext(g.Context(), "git", words...).CombinedOutput(); err != nil {
		g.Fatalf("git %v: %v\n%s", words, err, out)
	}
}

// measureSome stores a run of a few of the benchmarks, usually at the newest commit.
func (g *growing) measureSome() {
	at := len(g.commits) - 1
	if g.rnd.IntN(3) == 0 {
		at = g.rnd.IntN(len(g.commits))
	}
	text := "pkg: m\n"
	first, n := g.rnd.IntN(14), 1+g.rnd.IntN(5)
	for i := first; i < first+n; i++ {
		level := 100 + 40*float64(at/6%2*(i%2))
		for range 3 {
			text += fmt.Sprintf("BenchmarkWork%d 100 %.4g ns/op %d B/op\n", i, level+g.rnd.Float64(), 16*(1+at/5))
		}
	}
	run := runtest.Read(g.T, text)
	run.Target, run.Status, run.Commit = "m", record.Complete, record.Commit{SHA: g.commits[at], Time: time.Date(2026, 1, 1, at, 0, 0, 0, time.UTC)}
	run.Start = g.session.Now()
	run.Env.Set("cpu", fmt.Sprint(g.rnd.IntN(12)/11))
	g.write(func(db *store.DB) error { _, _, err := db.Put(g.Context(), run); return err })
}

// mergeBranch makes a commit on a branch, measures a commit, and merges the branch.
func (g *growing) mergeBranch() {
	g.git("checkout", "-q", "-b", "topic")
	g.grow()
	g.measureSome()
	g.git("checkout", "-q", "-")
	g.git("merge", "-q", "--no-ff", "-m", "merge", "topic")
	g.git("branch", "-q", "-D", "topic")
}

// documents returns all documents about benchmarks on a site.
func (g *growing) documents(s *Site) (all []string) {
	g.Helper()
	add := func(document any, err error) {
		g.Helper()
		text, failed := json.Marshal(document)
		if err != nil || failed != nil {
			g.Fatal(err, failed)
		}
		all = append(all, string(text))
	}
	index, err := s.Index(g.Context())
	if err != nil {
		g.Fatal(err)
	}
	all = append(all, g.timeless(index))
	add(s.Regressions(g.Context()))
	for _, row := range index.Benchmarks {
		add(s.Benchmark(g.Context(), row.ID))
	}
	return all
}

// happen makes a change that may affect documents, and describes it. n counts the calls.
func (g *growing) happen(n int) string {
	switch k := g.rnd.IntN(9); {
	case n == 4:
		g.git("reset", "-q", "--hard", "HEAD~3")
		g.grow()
		return "a branch set back"
	case k < 5:
		g.measureSome()
		return "a run"
	case k < 6:
		g.grow()
		g.measureSome()
		return "a commit and a run"
	case k < 7:
		g.mergeBranch()
		return "a merged branch"
	}
	return g.step()
}

// same compares documents byte for byte.
func (g *growing) same(got, want []string, when string) {
	g.Helper()
	if len(got) != len(want) {
		g.Fatalf("%s: %d documents, want %d", when, len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			g.Fatalf("%s:\n%s\nwant\n%s", when, got[i], want[i])
		}
	}
}

// Documents reused from the previous site are identical, byte for byte, to documents built from
// scratch, whatever was stored, deleted, accepted, configured, committed or merged in between.
func TestOneMoreRun(t *testing.T) {
	g := newGrowing(t, 3)
	for range 8 {
		g.grow()
	}
	for range 15 {
		g.measureSome()
	}
	open := func(before *Site) *Site {
		s, err := Open(t.Context(), g.session, Options{Live: true, Now: g.now, before: before})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	lasting := open(nil)
	defer func() { _ = lasting.Close() }()
	g.documents(lasting)
	taken, made := map[string]int{}, 0
	for n := range 8 {
		what := g.happen(n)
		s := open(lasting)
		if err := lasting.Close(); err != nil {
			t.Fatal(err)
		}
		lasting = s
		if e := s.reusable(); e != nil {
			for i := range s.benchmarks {
				if _, _, ok := e.again(s, e.moved(s), i); ok {
					taken[what]++
				}
			}
		}
		made += len(s.benchmarks)
		fresh := open(nil)
		got, want := g.documents(s), g.documents(fresh)
		if err := fresh.Close(); err != nil {
			t.Fatal(err)
		}
		g.same(got, want, fmt.Sprintf("after %d steps, %s", n, what))
	}
	if taken["a run"]+taken["a commit and a run"] < made/5 || taken["configure"]+taken["a branch set back"] > 0 {
		t.Errorf("of %d benchmarks as many were taken over: %v", made, taken)
	}
	t.Log(taken, made)
}

// An index made of rows stored in the database is identical to one built from scratch, even after
// later changes.
func TestKeptRows(t *testing.T) {
	g := newGrowing(t, 5)
	for range 8 {
		g.grow()
	}
	for range 15 {
		g.measureSome()
	}
	documents := func() (all []string, kept int) {
		s, err := Open(t.Context(), g.session, Options{Live: true, Now: g.now})
		if err != nil {
			t.Fatal(err)
		}
		rows, err := s.readRows(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all = g.documents(s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return all, len(rows)
	}
	taken, made := map[string]int{}, 0
	for n := range 8 {
		if err := Keep(t.Context(), g.session); err != nil {
			t.Fatal(err)
		}
		what := g.happen(n)
		got, kept := documents()
		taken[what] += kept
		g.write(func(db *store.DB) error { return db.KeepAnswer(t.Context(), keptAnswer, []byte("{}")) })
		want, kept := documents()
		if kept > 0 {
			t.Fatalf("%d rows of nothing", kept)
		}
		made += len(want) - 2
		g.same(got, want, fmt.Sprintf("after %d steps, %s", n, what))
	}
	if taken["a run"]+taken["a commit and a run"] < made/5 || taken["configure"] > 0 {
		t.Errorf("of %d rows as many were taken: %v", made, taken)
	}
	t.Log(taken, made)
}

// Rows are not kept if they have a run that was stored after the site was opened, because their
// stamps do not cover that run.
func TestRowsWithNewerRunsAreNotKept(t *testing.T) {
	g := newGrowing(t, 7)
	for range 15 {
		g.measureSome()
	}
	s, err := Open(t.Context(), g.session, Options{Live: true, Now: g.now, rowsOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	known := len(s.runs)
	g.measureSome()
	runs, err := s.db.Runs(t.Context(), store.Filter{Newest: true, Limit: 1})
	if err != nil || len(runs) != 1 || s.at.Run(runs[0].ID) >= 0 {
		t.Fatalf("%d runs, %v; %d were known", len(runs), err, known)
	}
	all, err := s.readAll(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.encodeKept(all)
	var k keptOverview
	if err == nil {
		err = json.Unmarshal(text, &k)
	}
	newer := 0
	for _, one := range all {
		if one.newer {
			newer++
		}
	}
	if err != nil || newer != runs[0].Benchmarks || len(k.Rows) != len(all)-newer {
		t.Errorf("%d rows of %d are kept, %d have newer runs, want %d; %v", len(k.Rows), len(all), newer, runs[0].Benchmarks, err)
	}
}
