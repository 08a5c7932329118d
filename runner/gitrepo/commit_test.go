package gitrepo

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/gittest"
)

func TestResolve(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.New(t, 3)
	gittest.Run(t, dir, "tag", "-a", "-m", "annotated", "v1", "HEAD~1")
	repo := open(t, dir)
	head := resolve(t, repo, "HEAD")
	for _, rev := range []string{"main", "refs/heads/main", head.SHA, head.SHA[:12], "HEAD~0", "@", "HEAD^{}"} {
		if got := resolve(t, repo, rev); got.SHA != head.SHA {
			t.Errorf("Resolve(%q) = %s, want %s", rev, got.SHA, head.SHA)
		}
	}
	if head.SHA != gittest.Run(t, dir, "rev-parse", "HEAD") || head.Tree != gittest.Run(t, dir, "rev-parse", "HEAD^{tree}") {
		t.Errorf("commit = %+v", head)
	}
	if len(head.Parents) != 1 || head.Parents[0] != resolve(t, repo, "v1").SHA {
		t.Errorf("parents = %q", head.Parents)
	}
	if head.Author != "A U Thor" || head.Subject != "change c" || !head.Time.Equal(time.Unix(1700000000, 0)) {
		t.Errorf("commit = %+v", head)
	}
}

func TestResolveSHA256(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.TempDir(t)
	gittest.Run(t, dir, "init", "--quiet", "--object-format=sha256")
	gittest.Run(t, dir, "commit", "--quiet", "--allow-empty", "-m", "wide")
	repo := open(t, dir)
	commit := resolve(t, repo, "HEAD")
	if len(commit.SHA) != 64 || len(commit.Tree) != 64 {
		t.Errorf("commit = %+v", commit)
	}
	if order, err := repo.Order(t.Context(), []string{commit.SHA}); err != nil || order[commit.SHA] != 0 || len(order) != 1 {
		t.Errorf("order = %v, %v", order, err)
	}
}

func TestCommitDates(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.New(t, 1)
	repo := open(t, dir)
	for _, tt := range []struct{ date, want string }{
		{"0 +0000", "1970-01-01T00:00:00Z"},
		{"1 -0730", "1969-12-31T16:30:01-07:30"},
		{"4294967296 -0330", "2106-02-07T02:58:16-03:30"}, // one second past 32 bits
		{"7258118400 +0545", "2200-01-01T05:45:00+05:45"},
		{"1700000000 -1200", "2023-11-14T10:13:20-12:00"},
	} {
		t.Setenv("GIT_COMMITTER_DATE", "@"+tt.date)
		gittest.Run(t, dir, "commit", "--quiet", "--allow-empty", "-m", "dated")
		if got := resolve(t, repo, "HEAD").Time.Format(time.RFC3339); got != tt.want {
			t.Errorf("date %q = %s, want %s", tt.date, got, tt.want)
		}
	}
}

// Other tools write commits that git commit refuses.
func TestParseCommit(t *testing.T) {
	for _, tt := range []struct{ raw, time, author, subject string }{
		{"tree 1\nauthor A <a> 1 +0\ncommitter C <c> 100 +9999\n\nm", "1970-01-01T00:01:40Z", "A", "m"},
		{"tree 1\nauthor A <a> 1 +0\ncommitter C <c> 100 -2400\n\nm", "1970-01-01T00:01:40Z", "A", "m"},
		{"tree 1\nauthor A <a>\ncommitter C <c>\n\nm", "1970-01-01T00:00:00Z", "A", "m"},
		{"tree 1\nauthor <a> 1 +0\ncommitter C> <c> 99999999999999999999 +0000\n\nm", "1970-01-01T00:00:00Z", "<a> 1 +0", "m"},
		{"tree 1\ncommitter C <c> 253402300800 +0000\n\n", "1970-01-01T00:00:00Z", "", ""},
		{"tree 1\ncommitter C <c> 60\n\none\ntwo\n\nbody", "1970-01-01T00:01:00Z", "", "one two"},
		{"tree 1\ngpgsig -----BEGIN\n tree 2\n committer X <x> 5 +0\ncommitter C <c> 60 +0000\n\n\n\nlate \xff", "1970-01-01T00:01:00Z", "", "late \uFFFD"},
		{"", "1970-01-01T00:00:00Z", "", ""},
	} {
		c := parseCommit("", []byte(tt.raw))
		if got := c.Time.Format(time.RFC3339); got != tt.time || c.Author != tt.author || c.Subject != tt.subject {
			t.Errorf("parseCommit(%q) = %s %q %q, want %s %q %q", tt.raw, got, c.Author, c.Subject, tt.time, tt.author, tt.subject)
		}
		if strings.HasPrefix(tt.raw, "tree") && c.Tree != "1" {
			t.Errorf("parseCommit(%q): tree %q", tt.raw, c.Tree)
		}
		if _, err := json.Marshal(c); err != nil {
			t.Errorf("parseCommit(%q): %v", tt.raw, err)
		}
	}
}

func TestResolveMissing(t *testing.T) {
	gittest.Isolate(t)
	upstream := gittest.New(t, 2)
	gittest.Run(t, upstream, "branch", "feature/x")
	clone := gittest.TempDir(t)
	gittest.Run(t, clone, "clone", "--quiet", upstream, ".")
	repo := open(t, clone)
	for _, tt := range []struct{ rev, want string }{
		{"nope", "resolve revision \"nope\": unknown in this repository; list revisions with `git branch -a`, `git tag` or `git log`"},
		{"feature/x~1", `; did you mean origin/feature/x~1?`},
		{"mian~1", `; did you mean main~1?; list revisions`},
		{"HEAD~7", `resolve revision "HEAD~7": unknown in this repository; list`},
		{"HEAD^2", `resolve revision "HEAD^2": unknown in this repository; list`},
		{strings.Repeat("1", 40), `": unknown in this repository; list`},
		{"^HEAD", `resolve revision "^HEAD": unknown`},
		{"a\nb", `resolve revision "a\nb": unknown`},
		{"a\x00b", `resolve revision "a\x00b": unknown`},
	} {
		_, err := repo.Resolve(t.Context(), tt.rev)
		var missing *MissingError
		ok := errors.As(err, &missing)
		if !ok || missing.Shallow || missing.Fetch != "" || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Resolve(%q) error = %v\nwant %s", tt.rev, err, tt.want)
		}
	}
	for rev, want := range map[string]string{
		"": "empty", "main@{u": "", "@{u}@{u}": "", strings.Repeat("x", 5000): "longer than 4096 bytes",
	} {
		if _, err := repo.Resolve(t.Context(), rev); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Resolve(%.20q) error = %v, want %q", rev, err, want)
		}
	}
	gittest.Run(t, clone, "checkout", "--quiet", "-b", "lonely")
	if _, err := repo.Resolve(t.Context(), "@{u}"); err == nil || !strings.Contains(err.Error(), "no upstream configured") {
		t.Errorf("error = %v", err)
	}
}

func TestResolveAmbiguous(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.New(t, 1)
	// Two blobs with the same first four digits in their ids.
	seen := map[string]bool{}
	var prefix string
	var text strings.Builder
	for i := range 2000 {
		gittest.WriteFile(t, dir, filepath.Join("b", string(rune('a'+i%26)), strings.Repeat("y", i/26+1)), "blob "+strings.Repeat("z", i))
		text.WriteString(filepath.Join("b", string(rune('a'+i%26)), strings.Repeat("y", i/26+1)) + "\n")
	}
	cmd := exec.CommandContext(t.Context(), "git", "hash-object", "-w", "--stdin-paths")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(text.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		if seen[line[:4]] {
			prefix = line[:4]
		}
		seen[line[:4]] = true
	}
	_, err = open(t, dir).Resolve(t.Context(), prefix)
	if err == nil || !strings.Contains(err.Error(), "2 objects match it; give more digits") {
		t.Fatalf("Resolve(%q) error = %v", prefix, err)
	}
}

// Running the suggested fetch command must make the revision resolvable.
func TestResolveShallow(t *testing.T) {
	gittest.Isolate(t)
	upstream := gittest.New(t, 5)
	gittest.Run(t, upstream, "config", "uploadpack.allowReachableSHA1InWant", "true")
	gittest.Run(t, upstream, "tag", "v1", "HEAD~2")
	gittest.Run(t, upstream, "branch", "topic", "HEAD~3")
	old := gittest.Run(t, upstream, "rev-parse", "HEAD~2")
	for _, tt := range []struct{ depth, rev, fetch string }{
		{"1", "HEAD~1", "git fetch --unshallow"},
		{"2", "HEAD^^~", "git fetch --unshallow"},
		{"1", "main~3^1", "git fetch --unshallow"},
		{"1", "topic", "git fetch --unshallow origin topic:topic"},
		{"1", "topic~1", "git fetch --unshallow origin topic:topic"},
		{"1", "origin/topic", "git fetch --unshallow origin topic:refs/remotes/origin/topic"},
		{"1", "v1", "git fetch --unshallow origin v1:v1"},
		{"1", old, "git fetch --unshallow origin " + old},
		{"1", old + "~1", "git fetch --unshallow origin " + old},
		{"1", old[:10], "git fetch --unshallow"},
		{"1", ":/change", ""},
	} {
		clone := gittest.TempDir(t)
		gittest.Run(t, clone, "clone", "--quiet", "--depth="+tt.depth, "--no-tags", "file://"+upstream, ".")
		repo := open(t, clone)
		_, err := repo.Resolve(t.Context(), tt.rev)
		var missing *MissingError
		ok := errors.As(err, &missing)
		if tt.fetch == "" {
			tt.fetch = "git fetch --unshallow"
			if !ok || missing.Fetch != tt.fetch {
				t.Errorf("Resolve(%q) at depth %s: %v", tt.rev, tt.depth, err)
			}
			continue
		}
		if !ok || !missing.Shallow || missing.Fetch != tt.fetch || !strings.HasSuffix(err.Error(), "fetch it with `"+tt.fetch+"`, or set fetch-depth: 0 in the workflow") {
			t.Errorf("Resolve(%q) at depth %s: %v, want %s", tt.rev, tt.depth, err, tt.fetch)
			continue
		}
		gittest.Run(t, clone, strings.Fields(tt.fetch)[1:]...)
		if _, err := repo.Resolve(t.Context(), tt.rev); err != nil {
			t.Errorf("after %s: %v", tt.fetch, err)
		}
	}
}

func TestResolveShallowEnd(t *testing.T) {
	gittest.Isolate(t)
	upstream := gittest.New(t, 2)
	clone := gittest.TempDir(t)
	gittest.Run(t, clone, "clone", "--quiet", "--depth=1", "file://"+upstream, ".")
	gittest.Run(t, clone, "remote", "remove", "origin")
	_, err := open(t, clone).Resolve(t.Context(), "other")
	if err == nil || !strings.HasSuffix(err.Error(), "; there is no remote to fetch it from") {
		t.Errorf("error = %v", err)
	}
	empty := gittest.TempDir(t)
	gittest.Run(t, empty, "init", "--quiet")
	if _, err := open(t, empty).Resolve(t.Context(), "HEAD"); err == nil || !strings.Contains(err.Error(), "has no commits yet") {
		t.Errorf("error = %v", err)
	}
}

func TestWorkTree(t *testing.T) {
	gittest.Isolate(t)
	for _, tt := range []struct {
		name    string
		change  func(dir string)
		dirty   string // first changed path
		branch  string
		subject string
	}{
		{"clean", func(string) {}, "", "main", "change b"},
		{"detached", func(dir string) { gittest.Run(t, dir, "checkout", "--quiet", "HEAD~1") }, "", "", "change a"},
		{"edited", func(dir string) { gittest.WriteFile(t, dir, "n", "edited") }, "n", "main", "change b"},
		{"staged", func(dir string) { gittest.WriteFile(t, dir, "n", "staged"); gittest.Run(t, dir, "add", "n") }, "n", "main", "change b"},
		{"deleted", func(dir string) { _ = os.Remove(filepath.Join(dir, "n")) }, "n", "main", "change b"},
		{"untracked", func(dir string) { gittest.WriteFile(t, dir, "pkg/new.go", "") }, "pkg/", "main", "change b"},
		{"odd name", func(dir string) { gittest.WriteFile(t, dir, "a\n\"b\xff", "") }, "a\n\"b\xff", "main", "change b"},
		{"ignored", func(dir string) {
			gittest.WriteFile(t, dir, ".git/info/exclude", "*.o\n")
			gittest.WriteFile(t, dir, "x.o", "")
		}, "", "main", "change b"},
		{"profiles", func(dir string) { gittest.WriteFile(t, dir, "cpu.prof", ""); gittest.WriteFile(t, dir, "x.test", "") }, "", "main", "change b"},
		{"database", func(dir string) { gittest.WriteFile(t, dir, ".perftrack/perftrack.db", "") }, "", "main", "change b"},
		{"another .perftrack", func(dir string) { gittest.WriteFile(t, dir, "sub/.perftrack/x", "") }, "sub/", "main", "change b"},
		{"results", func(dir string) {
			gittest.WriteFile(t, dir, "out/a.json", "")
			gittest.WriteFile(t, dir, "target/results/b/c", "")
		}, "", "main", "change b"},
		{"beside results", func(dir string) {
			gittest.WriteFile(t, dir, "out/a.json", "")
			gittest.WriteFile(t, dir, "out/a.jsonl", "")
		}, "out/a.jsonl", "main", "change b"},
		{"above results", func(dir string) { gittest.WriteFile(t, dir, "target/b", "") }, "target/b", "main", "change b"},
		{"hidden by configuration", func(dir string) {
			gittest.Run(t, dir, "config", "status.showUntrackedFiles", "no")
			gittest.WriteFile(t, dir, "new.go", "")
		}, "new.go", "main", "change b"},
	} {
		dir := gittest.New(t, 2)
		tt.change(dir)
		state, err := open(t, dir).WorkTree(t.Context(), Own{Results: []string{"out/a.json", "target/results"}})
		var first string
		if len(state.Changed) > 0 {
			first = state.Changed[0]
		}
		if err != nil || state.Dirty != (tt.dirty != "") || first != tt.dirty ||
			state.Branch != tt.branch || state.Commit.Subject != tt.subject || state.Unborn {
			t.Errorf("%s: %+v, %v", tt.name, state, err)
		}
	}
}

func TestWorkTreeUnborn(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.TempDir(t)
	gittest.Run(t, dir, "init", "--quiet", "--initial-branch=trunk")
	state, err := open(t, dir).WorkTree(t.Context(), Own{Results: []string{"out/a.json", "target/results"}})
	if err != nil || !state.Unborn || state.Dirty || state.Branch != "trunk" || state.Commit.SHA != "" {
		t.Errorf("state = %+v, %v", state, err)
	}
}
