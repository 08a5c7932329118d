package gitrepo

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/gittest"
)

func TestOrder(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.New(t, 2)
	// A merged side branch with dates before the first commit's date.
	t.Setenv("GIT_COMMITTER_DATE", "@100 +0000")
	gittest.Run(t, dir, "checkout", "--quiet", "-b", "side", "HEAD~1")
	for _, name := range []string{"s1", "s2"} {
		gittest.Run(t, dir, "commit", "--quiet", "--allow-empty", "-m", name)
	}
	t.Setenv("GIT_COMMITTER_DATE", "@50 +0000")
	gittest.Run(t, dir, "checkout", "--quiet", "main")
	gittest.Run(t, dir, "merge", "--quiet", "--no-ff", "-m", "merge", "side")
	gittest.Run(t, dir, "checkout", "--quiet", "-b", "ahead")
	gittest.Run(t, dir, "commit", "--quiet", "--allow-empty", "-m", "ahead")
	gittest.Run(t, dir, "checkout", "--quiet", "main")
	repo := open(t, dir)
	sha := map[string]string{}
	var all []string
	for name, rev := range map[string]string{"a": "main^1~1", "b": "main^1", "s1": "side~1", "s2": "side", "merge": "main", "ahead": "ahead"} {
		sha[name] = resolve(t, repo, rev).SHA
		all = append(all, sha[name], sha[name])
	}
	blob := gittest.Run(t, dir, "rev-parse", "HEAD:n")
	unknown := []string{strings.Repeat("1", 40), strings.Repeat("2", 64), blob, "HEAD", "--all", "-", "", sha["a"][:12], strings.ToUpper(sha["a"]), sha["a"] + "\n--all"}
	got, err := repo.Order(t.Context(), append(unknown, all...))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(sha) {
		t.Errorf("%d positions of %d commits: %v", len(got), len(sha), got)
	}
	for _, pair := range [][2]string{{"a", "b"}, {"a", "s1"}, {"s1", "s2"}, {"s2", "merge"}, {"b", "merge"}, {"merge", "ahead"}} {
		if got[sha[pair[0]]] >= got[sha[pair[1]]] {
			t.Errorf("%s at %d is not before %s at %d", pair[0], got[sha[pair[0]]], pair[1], got[sha[pair[1]]])
		}
	}
	if got[sha["a"]] != 0 || got[sha["ahead"]] != 5 {
		t.Errorf("positions %v", got)
	}
	if got, err := repo.Order(t.Context(), unknown); err != nil || len(got) != 0 || got == nil {
		t.Errorf("order of nothing known = %v, %v", got, err)
	}
}

func TestTimes(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.New(t, 1)
	t.Setenv("GIT_COMMITTER_DATE", "@1700000000 -0730")
	t.Setenv("GIT_AUTHOR_DATE", "@100 +0000")
	gittest.Run(t, dir, "commit", "--quiet", "--allow-empty", "-m", "dated")
	gittest.Run(t, dir, "tag", "-a", "-m", "no commit", "v1")
	repo := open(t, dir)
	c := resolve(t, repo, "HEAD")
	blob, tag := gittest.Run(t, dir, "rev-parse", "HEAD:n"), gittest.Run(t, dir, "rev-parse", "v1")
	got, err := repo.Times(t.Context(), []string{c.SHA, strings.Repeat("1", 40), blob, tag, "HEAD", "", c.SHA[:12], c.SHA})
	if err != nil || len(got) != 1 || got[c.SHA].Unix() != 1_700_000_000 {
		t.Errorf("times %v, %v", got, err)
	}
	commits, err := repo.Commits(t.Context(), []string{c.Parents[0], strings.Repeat("1", 40), blob, c.SHA, "HEAD"})
	if err != nil || len(commits) != 2 || commits[c.SHA].Subject != "dated" || commits[c.SHA].Author != "A U Thor" || commits[c.Parents[0]].SHA != c.Parents[0] {
		t.Errorf("commits %+v, %v", commits, err)
	}
	if got, err := repo.Times(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("times of nothing = %v, %v", got, err)
	}
}

func TestOrderMany(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.New(t, 0)
	const n = 10_000
	var stream strings.Builder
	for i := range n {
		fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter C <c@example.com> %d +0000\ndata 1\nx\n", 1_700_000_000-i)
	}
	fast := exec.CommandContext(t.Context(), "git", "fast-import", "--quiet")
	fast.Dir, fast.Stdin, fast.Stderr = dir, strings.NewReader(stream.String()), os.Stderr
	if err := fast.Run(); err != nil {
		t.Fatal(err)
	}
	shas := strings.Fields(gittest.Run(t, dir, "rev-list", "main"))
	got, err := open(t, dir).Order(t.Context(), shas)
	if err != nil || len(got) != n {
		t.Fatalf("%d positions, %v", len(got), err)
	}
	for i, sha := range shas {
		if got[sha] != n-1-i {
			t.Fatalf("position of commit %d from the end is %d", i, got[sha])
		}
	}
}

func TestBetween(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.New(t, 4)
	repo := open(t, dir)
	got, err := repo.Between(t.Context(), resolve(t, repo, "HEAD~2").SHA, resolve(t, repo, "HEAD").SHA)
	if err != nil || !slices.Equal(got, []string{resolve(t, repo, "HEAD").SHA, resolve(t, repo, "HEAD~1").SHA}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := repo.Between(t.Context(), "HEAD", "--all"); err == nil {
		t.Error("a revision is not an object name")
	}
}

// Reachable leaves out commits without a reference, and refuses a shallow clone.
func TestReachable(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.New(t, 2)
	commit := func() string {
		t.Helper()
		gittest.Run(t, dir, "commit", "--quiet", "--allow-empty", "-m", "x")
		return gittest.Run(t, dir, "rev-parse", "HEAD")
	}
	gittest.Run(t, dir, "checkout", "--quiet", "-b", "side")
	side := commit()
	gittest.Run(t, dir, "checkout", "--quiet", "--detach", "main")
	tagged := commit()
	gittest.Run(t, dir, "tag", "-m", "annotated", "v1")
	gittest.Run(t, dir, "checkout", "--quiet", "--detach", "main")
	gone := commit()
	gittest.Run(t, dir, "checkout", "--quiet", "--detach", "main")
	detached := commit()
	first := gittest.Run(t, dir, "rev-parse", "main~1")
	unknown := strings.Repeat("1", 40)
	got, err := open(t, dir).Reachable(t.Context(), []string{side, tagged, gone, detached, first, unknown, ""})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{side: true, tagged: true, detached: true, first: true}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	shallow := t.TempDir()
	gittest.Run(t, dir, "clone", "--quiet", "--depth", "1", "--branch", "main", "file://"+dir, shallow)
	if _, err := open(t, shallow).Reachable(t.Context(), []string{side}); err == nil || !strings.Contains(err.Error(), "git fetch --unshallow") {
		t.Errorf("in a shallow clone: %v", err)
	}
}

func TestBranches(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.New(t, 1)
	gittest.Run(t, dir, "branch", "feature/x")
	clone := t.TempDir()
	gittest.Run(t, dir, "clone", "--quiet", dir, clone)
	gittest.Run(t, clone, "branch", "own")
	got, err := open(t, clone).Branches(t.Context())
	if want := map[string]bool{"main": true, "HEAD": true, "feature/x": true, "own": true}; err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}
