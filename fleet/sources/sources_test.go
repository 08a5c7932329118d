package sources

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}

// A work tree has the files of head. It stays for the trial, and goes for the next one.
func TestCheckout(t *testing.T) {
	dir := t.TempDir()
	origin := filepath.Join(dir, "origin")
	write(t, filepath.Join(origin, "a.txt"), "base")
	run(t, origin, "init", "--quiet", "--initial-branch=main")
	run(t, origin, "add", ".")
	run(t, origin, "commit", "--quiet", "-m", "base")
	base := run(t, origin, "rev-parse", "HEAD")
	write(t, filepath.Join(origin, "a.txt"), "head")
	run(t, origin, "commit", "--quiet", "-a", "-m", "head")
	head := run(t, origin, "rev-parse", "HEAD")

	s := &Sources{Dir: filepath.Join(dir, "work")}
	check := func(trial, base, head, want string) string {
		t.Helper()
		tree, err := s.Checkout(t.Context(), origin, trial, base, head)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(filepath.Join(tree, "a.txt")); err != nil || string(text) != want {
			t.Errorf("%q, %v", text, err)
		}
		run(t, tree, "cat-file", "-e", base)
		return tree
	}
	first := check("T1", base, head, "head")
	write(t, filepath.Join(first, "built"), "")
	if again := check("T1", base, head, "head"); again != first {
		t.Errorf("%s, then %s", first, again)
	}
	second := check("T2", head, base, "base")
	if _, err := os.Stat(first); !os.IsNotExist(err) {
		t.Errorf("the work tree of the first trial: %v", err)
	}
	// A worker that was killed leaves a work tree and locks behind.
	s = &Sources{Dir: s.Dir}
	clones, err := filepath.Glob(filepath.Join(s.Dir, "clones", "*"))
	if err != nil || len(clones) != 1 {
		t.Fatal(clones, err)
	}
	write(t, filepath.Join(clones[0], "config.lock"), "")
	if err := os.Remove(filepath.Join(clones[0], "HEAD")); err != nil {
		t.Fatal(err)
	}
	if tree := check("T2", head, base, "base"); tree != second {
		t.Errorf("%s, then %s", second, tree)
	}
	if err := s.Release(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(second); !os.IsNotExist(err) {
		t.Errorf("the work tree of the second trial: %v", err)
	}
}

// Neither an address nor a repository makes git run a program.
func TestHostile(t *testing.T) {
	dir := t.TempDir()
	canary := filepath.Join(dir, "canary")
	origin := filepath.Join(dir, "origin")
	write(t, filepath.Join(origin, ".gitattributes"), "* filter=evil\n")
	write(t, filepath.Join(origin, ".git-hooks", "post-checkout"), "#!/bin/sh\ntouch "+canary+"\n")
	write(t, filepath.Join(origin, "a.txt"), "text")
	run(t, origin, "init", "--quiet", "--initial-branch=main")
	run(t, origin, "add", ".")
	run(t, origin, "commit", "--quiet", "-m", "base")
	run(t, origin, "config", "core.hooksPath", ".git-hooks")
	run(t, origin, "config", "filter.evil.smudge", "touch "+canary)
	run(t, origin, "config", "uploadpack.packObjectsHook", "touch "+canary)
	head := run(t, origin, "rev-parse", "HEAD")
	s := &Sources{Dir: filepath.Join(dir, "work")}
	if _, err := s.Checkout(t.Context(), origin, "T", head, head); err != nil {
		t.Error(err)
	}
	for _, tt := range []struct{ url, base, head string }{
		{"ext::touch " + canary, head, head},
		{"--upload-pack=touch " + canary, head, head},
		{"", head, head},
		{origin, "main", head},
		{origin, head, "--orphan"},
		{origin, head, strings.Repeat("0", 40)},
	} {
		if tree, err := s.Checkout(t.Context(), tt.url, "T2", tt.base, tt.head); err == nil {
			t.Errorf("%q, %q, %q: %s", tt.url, tt.base, tt.head, tree)
		}
	}
	if _, err := os.Stat(canary); err == nil {
		t.Error("a program of the repository ran")
	}
}
