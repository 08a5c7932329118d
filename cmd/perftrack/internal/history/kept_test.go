package history

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports/filecache"
	"github.com/perftrack/perftrack/runner/record"
)

// An overview that is slow to compute is stored and returned by the next call, unless a run, a
// commit, the configuration or the options have changed.
func TestKeptOverview(t *testing.T) {
	ctx := context.Background()
	a, commit := workspacetest.New(t)
	clock := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	step := time.Duration(0) // the clock advances by this much each time it is read
	a.Now = func() time.Time { clock = clock.Add(step); return clock }
	run := func() {
		t.Helper()
		if _, err := measure.Run(ctx, a, measure.Options{Flags: measure.Flags{Rounds: 1}}); err != nil {
			t.Fatal(err)
		}
	}
	commit("2026-01-01T00:00:00Z")
	run()
	keep := filepath.Join(t.TempDir(), "cache", "x.outlines")
	file := filecache.File{Path: keep, Form: keptForm}
	const marked = 77 // marks a stored answer
	outline := func(opt Options) int {
		t.Helper()
		all, err := Outline(ctx, a, opt, keep)
		if err != nil || len(all.Outlines) != 1 {
			t.Fatalf("%d outlines, %v", len(all.Outlines), err)
		}
		return all.Hidden
	}
	outline(Options{})
	if _, err := os.Stat(keep); err == nil {
		t.Fatal("kept what took no time: then nothing looks at the database")
	}
	mark := func() {
		t.Helper()
		_ = os.Remove(keep) // the file may not exist yet
		step = keptFrom
		outline(Options{})
		step = 0
		r, err := openReader(ctx, a, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.db.Close()
		version, err := r.version()
		if err != nil {
			t.Fatal(err)
		}
		all, ok := readKept[steps.Overview](file, version)
		if !ok {
			t.Fatal("nothing is kept")
		}
		all.Hidden = marked
		writeKept(file, version, all, clock)
	}
	for _, tt := range []struct {
		name   string
		opt    Options
		change func()
		want   bool // whether the stored overview is returned
	}{
		{"the same", Options{}, func() {}, true},
		{"another unit", Options{Unit: "ns/op"}, func() {}, false},
		{"another run", Options{}, run, false},
		{"a configuration", Options{}, func() { appendTo(t, filepath.Join(a.Dir, "perftrack.toml"), "\n[defaults]\nthreshold = 0.2\n") }, false},
		{"a commit and its run", Options{}, func() { commit("2026-01-02T00:00:00Z"); run() }, false},
		{"a damaged file", Options{}, func() { appendTo(t, keep, "x") }, false},
	} {
		mark()
		tt.change()
		if got := outline(tt.opt) == marked; got != tt.want {
			t.Errorf("%s: the kept overview is returned: %v", tt.name, got)
		}
	}
}

// Stored regressions equal newly computed ones after runs were stored or deleted and changes were
// accepted.
func TestKeptRegressions(t *testing.T) {
	ctx := context.Background()
	a, commit := workspacetest.New(t)
	clock := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	a.Now = func() time.Time { clock = clock.Add(keptFrom); return clock }
	keep := filepath.Join(t.TempDir(), "x.steps")
	last, slower, shown := "", "", 0
	same := func(what string) {
		t.Helper()
		for range 2 {
			anew, err := Regressions(ctx, a, Options{}, "")
			if err != nil {
				t.Fatal(err)
			}
			got, err := Regressions(ctx, a, Options{}, keep)
			if err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", anew) {
				t.Errorf("%s: %v: kept %+v, anew %+v", what, err, got, anew)
			}
			shown = max(shown, len(anew.List))
		}
	}
	put := func(value float64, again bool) (id string) {
		t.Helper()
		if !again {
			last = commit(clock.Format(time.RFC3339))
		}
		db, _, err := a.OpenForWriting(ctx)
		if err != nil {
			t.Fatal(err)
		}
		r := &record.Run{Target: "echo", Commit: record.Commit{SHA: last, Time: clock}, Start: clock, End: clock, Status: record.Complete, Tool: "test",
			Benchmarks: []record.Benchmark{{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: "X"}}}}
		s := record.Samples{Unit: "ns/op"}
		for i := range 6 {
			r.Benchmarks[0].Rounds = append(r.Benchmarks[0].Rounds, record.Round{N: i + 1, Iters: 1})
			s.Values = append(s.Values, value+float64(i))
		}
		r.Benchmarks[0].Samples = []record.Samples{s}
		id, _, err = db.Put(ctx, r)
		if err = errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		return id
	}
	for i := range 12 {
		value := 1000 + float64(i%3)
		if i >= 6 {
			value *= 1.5
		}
		id := put(value, i == 5 || i == 11)
		if i == 6 {
			slower = last
		}
		if i > 3 {
			same("a run")
		}
		if i == 11 {
			db, _, err := a.OpenForWriting(ctx)
			if err != nil {
				t.Fatal(err)
			}
			_, err = db.Delete(ctx, record.Deletion{Runs: []string{id}, Time: clock, Reason: "noise"})
			if err = errors.Join(err, db.Close()); err != nil {
				t.Fatal(err)
			}
			same("a deletion")
		}
	}
	db, _, err := a.OpenForWriting(ctx)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = db.Accept(ctx, record.Acceptance{Target: "echo", Benchmark: "X", Commit: slower, Reason: "it is worth it", Time: clock})
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	same("an acceptance")
	if _, err := os.Stat(keep); err != nil || shown == 0 {
		t.Errorf("nothing was kept, or no regression found (%d): %v", shown, err)
	}
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
