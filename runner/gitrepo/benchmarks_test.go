package gitrepo

import (
	"slices"
	"testing"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/gittest"
)

// Ignored and uncommitted files belong to the work tree, but not to a commit.
func TestBenchmarks(t *testing.T) {
	dir := gittest.New(t, 1)
	repo := open(t, dir)
	if _, err := repo.Benchmarks(t.Context(), ""); err == nil {
		t.Error("a repository without benchmarks is no error")
	}
	write := func(file, name string) {
		gittest.WriteFile(t, dir, file, "package x\n\nfunc Benchmark"+name+"(b *testing.B) {}\n")
	}
	write("x_test.go", "Sort")
	write("sub/y_test.go", "Find")
	write("z.go", "Not")
	gittest.Run(t, dir, "add", ".")
	gittest.Run(t, dir, "commit", "--quiet", "-m", "files")
	gittest.WriteFile(t, dir, ".gitignore", "made_test.go\n")
	write("made_test.go", "Made")
	write("new_test.go", "New")
	for sha, want := range map[string][]string{"": {"Find", "Made", "New", "Sort"}, resolve(t, repo, "HEAD").SHA: {"Find", "Sort"}} {
		got, err := repo.Benchmarks(t.Context(), sha)
		slices.Sort(got)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v, want %v", sha, got, err, want)
		}
	}
}
