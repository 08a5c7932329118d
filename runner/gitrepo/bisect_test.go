package gitrepo

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/gittest"
)

// mergedRepo returns a repository with the commits one - two - merge - four on its main line, where
// merge brings in side.
func mergedRepo(t *testing.T) (r *Repo, commit func(rev string) Commit) {
	t.Helper()
	gittest.Isolate(t)
	dir := gittest.TempDir(t)
	gittest.Run(t, dir, "init", "-q", "-b", "main")
	add := func(name string) {
		gittest.WriteFile(t, dir, name, name)
		gittest.Run(t, dir, "add", ".")
		gittest.Run(t, dir, "commit", "-q", "-m", name)
		if !strings.Contains(name, " ") {
			gittest.Run(t, dir, "tag", name)
		}
	}
	add("one")
	gittest.Run(t, dir, "checkout", "-q", "-b", "branch")
	add("side")
	gittest.Run(t, dir, "checkout", "-q", "main")
	add("two")
	gittest.Run(t, dir, "merge", "-q", "--no-ff", "-m", "merge", "branch")
	gittest.Run(t, dir, "tag", "merge")
	add("odd \"name\n")
	r, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return r, func(rev string) Commit {
		c, err := r.Resolve(t.Context(), rev)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
}

func TestLine(t *testing.T) {
	r, commit := mergedRepo(t)
	for _, tt := range []struct{ good, bad, want string }{
		{"one", "main", "two merge odd"}, {"one", "branch", "side"}, {"two", "merge", "merge"}, {"main", "main", ""},
		{"side", "merge", "two merge"}, {"side", "two", "is not an ancestor"}, {"main", "one", "is not an ancestor"},
	} {
		line, err := r.Line(t.Context(), commit(tt.good), commit(tt.bad))
		got := ""
		for _, c := range line {
			got += " " + strings.Fields(c.Subject)[0]
		}
		if err != nil {
			got = err.Error()
		}
		if strings.TrimSpace(got) != tt.want && (err == nil || !strings.Contains(got, tt.want)) {
			t.Errorf("%s..%s: %q, want %q", tt.good, tt.bad, got, tt.want)
		}
	}
}

func TestChangedFiles(t *testing.T) {
	r, commit := mergedRepo(t)
	got, err := r.ChangedFiles(t.Context(), [][2]string{
		{commit("one").SHA, commit("merge").SHA}, {commit("merge").SHA, commit("main").SHA}, {commit("two").SHA, commit("two").SHA},
	})
	want := [][]string{{"side", "two"}, {"odd \"name\n"}, nil}
	if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if _, err := r.ChangedFiles(t.Context(), [][2]string{{"--output=x", commit("one").SHA}}); err == nil {
		t.Error("what is not an object name reaches git")
	}
}

// Good and Bad are the commits that the bisection started with, even after later marks or with
// custom terms.
func TestBisecting(t *testing.T) {
	r, commit := mergedRepo(t)
	dir := r.Root()
	if _, err := r.BisectState(t.Context()); !errors.Is(err, ErrNotBisecting) {
		t.Errorf("no bisection: %v", err)
	}
	for i, start := range [][]string{{"start"}, {"start", "--term-old=fast", "--term-new=slow"}, {"start", "--no-checkout"}} {
		gittest.Run(t, dir, append(append([]string{"bisect"}, start...), "main", "one")...)
		for step := range 2 {
			b, err := r.BisectState(t.Context())
			if err != nil || b.Good.SHA != commit("one").SHA || b.Bad.SHA != commit("main").SHA {
				t.Fatalf("%v, step %d: %+v, %v", start, step, b, err)
			}
			if b.Next.SHA == commit("main").SHA {
				t.Errorf("%v, step %d: git wants to know about the bad end", start, step)
			}
			gittest.Run(t, dir, "bisect", []string{"bad", "slow", "bad"}[i])
		}
		gittest.Run(t, dir, "bisect", "reset")
	}
	gittest.Run(t, dir, "bisect", "start", "main")
	if _, err := r.BisectState(t.Context()); !errors.Is(err, ErrNotBisecting) {
		t.Errorf("without a good commit: %v", err)
	}
	if n, err := r.Count(t.Context(), commit("one"), commit("main")); err != nil || n != 4 {
		t.Errorf("%d commits, %v, want 4", n, err)
	}
}
