package gitrepo

import (
	"maps"
	"slices"
	"testing"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/gittest"
)

// The first-parent line of a branch contains its own commits and its merges, but not the merged
// commits.
func TestFirstParents(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.New(t, 2)
	gittest.Run(t, dir, "checkout", "--quiet", "-b", "side", "HEAD~1")
	gittest.Run(t, dir, "commit", "--quiet", "--allow-empty", "-m", "s1")
	gittest.Run(t, dir, "checkout", "--quiet", "main")
	gittest.Run(t, dir, "merge", "--quiet", "--no-ff", "-m", "merge", "side")
	repo := open(t, dir)
	for rev, line := range map[string][]string{
		"HEAD": {"main", "main^1", "main^1~1"}, "side": {"side", "main^1~1"}, "nothing": nil, "--all": nil, "HEAD:n": nil,
	} {
		want := map[string]bool{}
		for _, r := range line {
			want[resolve(t, repo, r).SHA] = true
		}
		got, err := repo.FirstParents(t.Context(), rev)
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("line of %s: %v, %v, want %v", rev, slices.Sorted(maps.Keys(got)), err, want)
		}
	}
	for _, tt := range []struct{ checkout, want string }{{"side", "side"}, {"main", "main"}, {"main~1", ""}} {
		gittest.Run(t, dir, "checkout", "--quiet", tt.checkout)
		if got, err := repo.HeadBranch(t.Context()); err != nil || got != tt.want {
			t.Errorf("branch at %s: %q, %v", tt.checkout, got, err)
		}
	}
	gittest.Run(t, dir, "checkout", "--quiet", "--orphan", "fresh")
	if got, err := repo.FirstParents(t.Context(), "HEAD"); err != nil || len(got) != 0 {
		t.Errorf("line of an unborn branch: %v, %v", got, err)
	}
	if got, err := repo.HeadBranch(t.Context()); err != nil || got != "fresh" {
		t.Errorf("unborn branch: %q, %v", got, err)
	}
}
