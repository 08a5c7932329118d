package gitrepo

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/gittest"
)

// Prefixes of hashes are completed if they are unambiguous, and never taken for another name.
func TestCommitsOf(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.New(t, 40)
	repo := open(t, dir)
	head, first := resolve(t, repo, "HEAD"), resolve(t, repo, "HEAD~39")
	blob := gittest.Run(t, dir, "rev-parse", "HEAD:n")
	gittest.Run(t, dir, "tag", "-a", "-m", "t", "tagged")
	tag := gittest.Run(t, dir, "rev-parse", "tagged")
	gittest.Run(t, dir, "branch", "badc0de")
	asked := []string{head.SHA, head.SHA[:10], first.SHA[:12], blob, blob[:12], tag, "badc0de", "0000000000", strings.Repeat("1", 40), "HEAD", "main", "", "abc", "--all", strings.Repeat("a", 64)}
	got, err := repo.CommitsOf(t.Context(), asked)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Commit{head.SHA: head, head.SHA[:10]: head, first.SHA[:12]: first}
	if len(got) != len(want) {
		t.Errorf("found %v", got)
	}
	for p, c := range want {
		if got[p].SHA != c.SHA || !got[p].Time.Equal(c.Time) {
			t.Errorf("%s is %v, want %v", p, got[p], c)
		}
	}
	if got, err := repo.CommitsOf(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("of nothing: %v, %v", got, err)
	}
}
