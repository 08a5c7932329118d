package history

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/reports/filecache"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A keeping is a repository with stored summaries.
type keeping struct {
	*workspace.Session
	t      *testing.T
	clock  time.Time
	commit func(date string) string
	head   string // the newest commit
	last   string // id of the newest run
}

// newKeeping returns a keeping with two measured commits.
func newKeeping(t *testing.T) *keeping {
	k := &keeping{t: t, clock: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)}
	k.Session, k.commit = workspacetest.New(t)
	k.Now = func() time.Time { return k.clock }
	for range 2 {
		k.next()
		k.put("X", 1000)
	}
	return k
}

// next makes a commit an hour later.
func (k *keeping) next() {
	k.clock = k.clock.Add(time.Hour)
	k.head = k.commit(k.clock.Format(time.RFC3339))
}

// change calls do with the database.
func (k *keeping) change(do func(db *store.DB) error) {
	k.t.Helper()
	k.clock = k.clock.Add(keptPause)
	db, _, err := k.OpenForWriting(k.t.Context())
	if err != nil {
		k.t.Fatal(err)
	}
	if err := errors.Join(do(db), db.Close()); err != nil {
		k.t.Fatal(err)
	}
}

// put stores a run of a benchmark at the newest commit.
func (k *keeping) put(benchmark string, value float64) {
	k.t.Helper()
	k.change(func(db *store.DB) (err error) {
		r := &record.Run{Target: "echo", Commit: record.Commit{SHA: k.head, Time: k.clock}, Start: k.clock, End: k.clock, Status: record.Complete, Tool: "test",
			Benchmarks: []record.Benchmark{{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: benchmark}}}}
		s := record.Samples{Unit: "ns/op"}
		for i := range 6 {
			r.Benchmarks[0].Rounds = append(r.Benchmarks[0].Rounds, record.Round{N: i + 1, Iters: 1})
			s.Values = append(s.Values, value+float64(i))
		}
		r.Benchmarks[0].Samples = []record.Samples{s}
		k.last, _, err = db.Put(k.t.Context(), r)
		return err
	})
}

func (k *keeping) delete() {
	k.t.Helper()
	k.change(func(db *store.DB) error {
		_, err := db.Delete(k.t.Context(), record.Deletion{Runs: []string{k.last}, Time: k.clock, Reason: "noise"})
		return err
	})
}

func (k *keeping) accept(benchmark, commit string) {
	k.t.Helper()
	k.change(func(db *store.DB) error {
		_, _, err := db.Accept(k.t.Context(), record.Acceptance{Target: "echo", Benchmark: benchmark, Commit: commit, Reason: "it is worth it", Time: k.clock})
		return err
	})
}

func (k *keeping) git(args ...string) {
	k.t.Helper()
	c := exec.CommandContext(k.t.Context(), "git", append([]string{"-C", k.Dir}, args...)...)
	if out, err := c.CombinedOutput(); err != nil {
		k.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

func (k *keeping) keep() {
	k.t.Helper()
	if _, err := Keep(k.t.Context(), k.Session, 0); err != nil {
		k.t.Fatal(err)
	}
}

// Summaries stored in the database or in a file are reused, unless their inputs have changed.
func TestKeptSummaries(t *testing.T) {
	const marked = -77 // a run number that marks kept summaries
	for _, tt := range []struct {
		name   string
		opt    Options
		change func(k *keeping)
		want   bool // whether the kept summaries are used
	}{
		{"nothing", Options{}, func(*keeping) {}, true},
		{"nothing in a file", Options{}, func(*keeping) {}, true},
		{"a limit of time", Options{Since: time.Unix(1, 0)}, func(*keeping) {}, true},
		{"an unmeasured commit", Options{}, func(k *keeping) { k.next() }, true},
		{"a run of another benchmark", Options{}, func(k *keeping) { k.next(); k.put("Y", 5) }, true},
		{"a deletion of such a run", Options{}, func(k *keeping) { k.next(); k.put("Y", 5); k.delete() }, true},
		{"an acceptance for another benchmark", Options{}, func(k *keeping) { k.accept("Y", k.head) }, true},
		{"a run", Options{}, func(k *keeping) { k.put("X", 5) }, false},
		{"a run in a file", Options{}, func(k *keeping) { k.put("X", 5) }, false},
		{"a run of another commit", Options{}, func(k *keeping) { k.next(); k.put("X", 1000) }, false},
		{"a deletion", Options{}, func(k *keeping) { k.delete() }, false},
		{"an acceptance", Options{}, func(k *keeping) { k.accept("X", k.head) }, false},
		{"another line", Options{}, func(k *keeping) { k.git("checkout", "-q", "-b", "other", "HEAD~1") }, false},
		{"a commit that leaves the branch", Options{}, func(k *keeping) { k.git("reset", "-q", "--hard", "HEAD~1") }, false},
		{"the configuration", Options{}, func(k *keeping) {
			appendTo(k.t, filepath.Join(k.Dir, "perftrack.toml"), "\n[defaults]\nthreshold = 0.2\n")
		}, false},
		{"a direction", Options{}, func(k *keeping) {
			appendTo(k.t, filepath.Join(k.Dir, "perftrack.toml"), "\n[[rule]]\nunit = 'ns/op'\nbetter = 'higher'\n")
		}, false},
		{"a direction of another unit", Options{}, func(k *keeping) {
			appendTo(k.t, filepath.Join(k.Dir, "perftrack.toml"), "\n[[rule]]\nunit = 'Percent'\nbetter = 'higher'\n")
		}, true},
		{"the program", Options{}, func(k *keeping) { k.Version = "newer" }, false},
		{"the unit", Options{Unit: "ns/op"}, func(*keeping) {}, false},
		{"the branch", Options{Branch: "HEAD"}, func(*keeping) {}, false},
		{"all runs", Options{All: true}, func(*keeping) {}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := newKeeping(t)
			file := filecache.File{Path: filepath.Join(t.TempDir(), "x.outlines"), Form: keptForm}
			k.keep()
			k.change(func(db *store.DB) error {
				text, err := db.Answer(t.Context(), keptAnswer)
				kept := decodeKept(text)
				if err != nil || len(kept.All) != 1 {
					t.Fatalf("%d summaries are kept, %v", len(kept.All), err)
				}
				s := &kept.All[0].Summary
				s.Hidden = append(s.Hidden, marked)
				if text, err = encodeKept(kept.All, k.clock); strings.HasSuffix(tt.name, "in a file") {
					file.Write(text, k.clock)
					text = []byte("of another version")
				}
				return errors.Join(err, db.KeepAnswer(t.Context(), keptAnswer, text))
			})
			tt.change(k)
			all, err := Outline(t.Context(), k.Session, tt.opt, file.Path)
			if err != nil {
				t.Fatal(err)
			}
			if got := all.Hidden == 1; got != tt.want {
				t.Errorf("the kept summary is used: %v", got)
			}
		})
	}
}

// A summary is not used if the same commits are in another order.
func TestStampOfOrder(t *testing.T) {
	k := newKeeping(t)
	r, err := openReader(t.Context(), k.Session, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.db.Close()
	before := r.newStamps("v1").Of(r.all[0])
	if again := r.newStamps("v1").Of(r.all[0]); again != before {
		t.Error("the stamp of the same order differs")
	}
	x, y := r.runs[0].Commit.SHA, r.runs[1].Commit.SHA
	r.position[x], r.position[y] = r.position[y], r.position[x]
	if after := r.newStamps("v1").Of(r.all[0]); after == before {
		t.Error("another order has the same stamp")
	}
}

// Regressions from stored summaries equal newly computed ones, even after storing and deleting runs
// and accepting changes.
func TestKeptRegressions(t *testing.T) {
	ctx := context.Background()
	k := newKeeping(t)
	keep := filepath.Join(t.TempDir(), "x.steps")
	now := k.Now
	slower, shown := "", 0
	same := func(what string) {
		t.Helper()
		lines, err := Open(ctx, k.Session, Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, anew, err := lines.All(ctx, k.Session)
		if err = errors.Join(err, lines.Close()); err != nil {
			t.Fatal(err)
		}
		k.Now = func() time.Time { k.clock = k.clock.Add(keptFrom); return k.clock } // computing seems slow
		for range 2 {
			got, err := Regressions(ctx, k.Session, Options{}, keep)
			if err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", anew) {
				t.Errorf("%s: %v: kept %+v, anew %+v", what, err, got, anew)
			}
		}
		k.Now = now
		shown = max(shown, len(anew.List))
	}
	for i := 2; i < 12; i++ {
		value := 1000 + float64(i%3)
		if i >= 6 {
			value *= 1.5
		}
		if i != 5 && i != 11 {
			k.next()
		}
		k.put("X", value)
		if i == 6 {
			slower = k.head
		}
		if i%4 == 3 {
			k.keep()
		}
		if i > 3 {
			same("a run")
		}
	}
	k.delete()
	same("a deletion")
	k.accept("X", slower)
	same("an acceptance")
	k.keep()
	same("all is kept")
	if _, err := os.Stat(keep); err != nil || shown == 0 {
		t.Errorf("nothing was kept, or no regression found (%d): %v", shown, err)
	}
}

// Summaries are not stored if there are few points or the last ones were stored within a minute,
// and not in a file if they were computed quickly.
func TestKeepSeldom(t *testing.T) {
	k := newKeeping(t)
	stored := func() (n int) {
		t.Helper()
		r, err := openReader(t.Context(), k.Session, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.db.Close()
		text, err := r.db.Answer(t.Context(), keptAnswer)
		if err != nil {
			t.Fatal(err)
		}
		return len(decodeKept(text).All)
	}
	keep := filepath.Join(t.TempDir(), "x.outlines")
	if _, err := Outline(t.Context(), k.Session, Options{}, keep); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(keep); err == nil {
		t.Error("a file has what took no time")
	}
	if _, err := Keep(t.Context(), k.Session, 3); err != nil || stored() != 0 {
		t.Errorf("2 points of at least 3 are kept: %v", err)
	}
	if _, err := Keep(t.Context(), k.Session, 2); err != nil || stored() != 1 {
		t.Errorf("2 points of at least 2 are not kept: %v", err)
	}
	k.put("Y", 1)
	k.clock = k.clock.Add(-time.Second)
	if k.keep(); stored() != 1 {
		t.Error("another benchmark is kept within a minute")
	}
	k.clock = k.clock.Add(time.Second)
	if k.keep(); stored() != 2 {
		t.Error("another benchmark is not kept after a minute")
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

// A stamp misses a run that was stored after the histories were opened.
func TestStampMissesNewerRuns(t *testing.T) {
	k := newKeeping(t)
	r, err := openReader(t.Context(), k.Session, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.db.Close()
	stamps := r.newStamps("v1")
	k.next()
	k.put("X", 1000)
	_, points, err := r.summary(t.Context(), r.all[0])
	if err != nil || len(points) != 3 {
		t.Fatalf("%d points, %v", len(points), err)
	}
	if before := points[:2]; stamps.Miss(r.all[0], before) || !stamps.Miss(r.all[0], points) {
		t.Errorf("Miss: %v before, %v after the run", stamps.Miss(r.all[0], before), stamps.Miss(r.all[0], points))
	}
}
