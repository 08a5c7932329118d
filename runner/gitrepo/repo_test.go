package gitrepo

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/gittest"
)

func open(t *testing.T, dir string) *Repo {
	t.Helper()
	repo, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

func resolve(t *testing.T, repo *Repo, rev string) Commit {
	t.Helper()
	commit, err := repo.Resolve(t.Context(), rev)
	if err != nil {
		t.Fatal(err)
	}
	return commit
}

func TestOpen(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.New(t, 2)
	gittest.WriteFile(t, dir, "sub/deep/file", "")
	linked := filepath.Join(gittest.TempDir(t), "linked\nworktree")
	gittest.Run(t, dir, "worktree", "add", "--quiet", linked, "HEAD~1")
	bare := filepath.Join(gittest.TempDir(t), "bare.git")
	gittest.Run(t, dir, "clone", "--quiet", "--bare", dir, bare)
	ofBare := filepath.Join(gittest.TempDir(t), "ofbare")
	gittest.Run(t, bare, "worktree", "add", "--quiet", "--detach", ofBare)

	for _, tt := range []struct{ dir, root, err string }{
		{dir, dir, ""},
		{filepath.Join(dir, "sub/deep"), dir, ""},
		{linked, linked, ""},
		{ofBare, ofBare, ""},
		{bare, "", "bare repository has no work tree"},
		{filepath.Join(dir, ".git"), "", "it is the git directory"},
		{gittest.TempDir(t), "", "not a git repository"},
		{filepath.Join(dir, "gone"), "", "no such file"},
		{filepath.Join(dir, "n"), "", "not a directory"},
	} {
		repo, err := Open(t.Context(), tt.dir)
		switch {
		case tt.err == "" && err != nil:
			t.Errorf("Open(%q) = %v", tt.dir, err)
		case tt.err == "" && repo.Root() != tt.root:
			t.Errorf("Open(%q).Root() = %q, want %q", tt.dir, repo.Root(), tt.root)
		case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
			t.Errorf("Open(%q) error = %v, want %q", tt.dir, err, tt.err)
		}
		if want := tt.err == "not a git repository"; errors.Is(err, ErrNotRepository) != want {
			t.Errorf("Open(%q): errors.Is(%v, ErrNotRepository) = %v", tt.dir, err, !want)
		}
	}
	if got := resolve(t, open(t, linked), "HEAD").Subject; got != "change a" {
		t.Errorf("HEAD of the linked worktree is %q", got)
	}
}

func TestOpenForeignOwner(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.New(t, 1)
	t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
	_, err := Open(t.Context(), dir)
	if want := "git config --global --add safe.directory " + dir + "`"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Fatalf("error = %v, want the remedy %q", err, want)
	}
	// Containers use the environment to allow git in their checkout.
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "safe.directory")
	t.Setenv("GIT_CONFIG_VALUE_0", dir)
	open(t, dir)
}

func TestOpenWithoutGit(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.New(t, 1)
	t.Setenv("PATH", t.TempDir())
	_, err := Open(t.Context(), dir)
	if err == nil || !errors.Is(err, exec.ErrNotFound) || !strings.Contains(err.Error(), "install git") {
		t.Fatalf("error = %v", err)
	}
}
