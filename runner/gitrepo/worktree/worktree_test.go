package worktree

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/gitrepo/internal/gittest"
	"github.com/perftrack/perftrack/runner/proc"
)

// With these arguments, the test binary holds a worktree of a repository or deletes a folder.
const (
	holdArg   = "hold-worktree"
	removeArg = "remove-all"
)

// holdWorktree checks out HEAD, prints "ready", and waits to be killed.
func holdWorktree(dir string) {
	ctx := context.Background()
	repo, err := gitrepo.Open(ctx, dir)
	if err == nil {
		var commit gitrepo.Commit
		if commit, err = repo.Resolve(ctx, "HEAD"); err == nil {
			_, err = Add(ctx, repo, commit)
		}
	}
	fmt.Println("ready", err)
	time.Sleep(time.Minute)
	os.Exit(1)
}

func opened(t *testing.T, dir string) *gitrepo.Repo {
	t.Helper()
	repo, err := gitrepo.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

func resolved(t *testing.T, repo *gitrepo.Repo, rev string) gitrepo.Commit {
	t.Helper()
	commit, err := repo.Resolve(t.Context(), rev)
	if err != nil {
		t.Fatal(err)
	}
	return commit
}

func addWorktree(t *testing.T, repo *gitrepo.Repo, rev string) *Worktree {
	t.Helper()
	w, err := Add(t.Context(), repo, resolved(t, repo, rev))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Remove(context.Background()) })
	return w
}

// assertClean checks that no worktree has left anything behind.
func assertClean(t *testing.T, dir, temp string) {
	t.Helper()
	if left := gittest.Entries(t, temp); len(left) != 0 {
		t.Errorf("left in the temporary directory: %q", left)
	}
	if list := gittest.Run(t, dir, "worktree", "list"); strings.Contains(list, "\n") {
		t.Errorf("git worktree list:\n%s", list)
	}
	if _, err := os.Stat(filepath.Join(dir, ".git", "worktrees")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf(".git/worktrees: %v", err)
	}
}

func TestWorktreeLeavesUserAlone(t *testing.T) {
	temp := gittest.Isolate(t)
	dir := gittest.New(t, 3)
	gittest.WriteFile(t, dir, "n", "stashed")
	gittest.Run(t, dir, "stash", "--quiet")
	gittest.WriteFile(t, dir, "n", "staged")
	gittest.Run(t, dir, "add", "n")
	gittest.WriteFile(t, dir, "n", "edited")
	gittest.WriteFile(t, dir, "untracked", "")
	before := gittest.Fingerprint(t, dir)
	repo := opened(t, dir)

	base, head := addWorktree(t, repo, "HEAD~1"), addWorktree(t, repo, "HEAD")
	for w, want := range map[*Worktree]string{base: "xx", head: "xxx"} {
		text, err := os.ReadFile(filepath.Join(w.Dir, "n"))
		if err != nil || string(text) != want {
			t.Errorf("file of %s is %q, %v", w.Commit.Subject, text, err)
		}
		state, err := opened(t, w.Dir).WorkTree(t.Context(), gitrepo.Own{})
		if err != nil || state.Dirty || state.Branch != "" || state.Commit.SHA != w.Commit.SHA || len(w.Caveats) != 0 {
			t.Errorf("%+v, %v, caveats %q", state, err, w.Caveats)
		}
		info, err := os.Stat(filepath.Dir(w.Dir))
		if err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
	}
	if len(base.Dir) != len(head.Dir) || base.Dir == head.Dir || !strings.HasPrefix(base.Dir, temp) {
		t.Errorf("directories %s and %s", base.Dir, head.Dir)
	}
	if list := gittest.Run(t, dir, "worktree", "list", "--porcelain"); strings.Count(list, "\nlocked perftrack on ") != 2 {
		t.Errorf("git worktree list:\n%s", list)
	}
	for _, w := range []*Worktree{base, base, head} { // removing base twice does no harm
		if err := w.Remove(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if after := gittest.Fingerprint(t, dir); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
	assertClean(t, dir, temp)
}

func TestRemoveDamaged(t *testing.T) {
	temp := gittest.Isolate(t)
	dir := gittest.New(t, 1)
	repo := opened(t, dir)
	for name, damage := range map[string]func(w *Worktree){
		"read-only folders": func(w *Worktree) {
			gittest.WriteFile(t, w.Dir, "mod/cache/file", "")
			_ = os.Chmod(filepath.Join(w.Dir, "mod/cache"), 0o500)
			_ = os.Chmod(filepath.Join(w.Dir, "mod"), 0o500)
		},
		"no .git":         func(w *Worktree) { _ = os.Remove(filepath.Join(w.Dir, ".git")) },
		"other .git":      func(w *Worktree) { gittest.WriteFile(t, w.Dir, ".git", "gitdir: /nowhere\n") },
		"no files":        func(w *Worktree) { _ = os.RemoveAll(w.Dir) },
		"nothing":         func(w *Worktree) { _ = os.RemoveAll(filepath.Dir(w.Dir)) },
		"no registration": func(w *Worktree) { gittest.Run(t, dir, "worktree", "remove", "-f", "-f", w.Dir) },
		"unlocked":        func(w *Worktree) { gittest.Run(t, dir, "worktree", "unlock", w.Dir) },
		"new files":       func(w *Worktree) { gittest.WriteFile(t, w.Dir, "a/b", ""); gittest.Run(t, w.Dir, "add", ".") },
	} {
		w := addWorktree(t, repo, "HEAD")
		damage(w)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := w.Remove(ctx); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		assertClean(t, dir, temp)
	}
}

// Root may write into read-only folders, so the test uses another user.
func TestRemoveAllReadOnly(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "tree")
	gittest.WriteFile(t, dir, "a/b/file", "")
	uid := os.Getuid()
	if uid == 0 {
		uid = 65534
	}
	_ = filepath.WalkDir(parent, func(path string, entry fs.DirEntry, err error) error { return os.Chown(path, uid, -1) })
	for _, name := range []string{"a/b", "a", ""} {
		if err := os.Chmod(filepath.Join(dir, name), 0o500); err != nil {
			t.Fatal(err)
		}
	}
	if uid == os.Getuid() {
		if err := proc.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	} else {
		removeAs(t, uid, parent, dir)
	}
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("still there: %v", err)
	}
}

// removeAs deletes dir in a process that runs as another user.
func removeAs(t *testing.T, uid int, parent, dir string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(self)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	program := filepath.Join(parent, "program") // the original is in a private folder
	out, err := os.OpenFile(program, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	_ = out.Close()
	cmd := exec.CommandContext(t.Context(), program, removeArg, dir)
	cmd.Dir = parent
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	// The folders above t.TempDir are private too.
	for up := filepath.Dir(parent); up != filepath.Dir(up) && strings.HasPrefix(up, os.TempDir()+"/"); up = filepath.Dir(up) {
		_ = os.Chmod(up, 0o755)
	}
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestAddWorktreeFails(t *testing.T) {
	temp := gittest.Isolate(t)
	dir := gittest.New(t, 1)
	repo := opened(t, dir)
	before := gittest.Fingerprint(t, dir)
	head := resolved(t, repo, "HEAD")
	if _, err := Add(t.Context(), repo, gitrepo.Commit{SHA: "HEAD"}); err == nil || !strings.Contains(err.Error(), "not a full commit id") {
		t.Errorf("error = %v", err)
	}
	if _, err := Add(t.Context(), repo, gitrepo.Commit{SHA: strings.Repeat("1", 40)}); err == nil {
		t.Error("no error for an unknown commit")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Add(ctx, repo, head); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v", err)
	}
	assertClean(t, dir, temp)
	if after := gittest.Fingerprint(t, dir); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
	inside := filepath.Join(dir, "tmp")
	if err := os.Mkdir(inside, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", inside)
	if _, err := Add(t.Context(), repo, head); err == nil || !strings.Contains(err.Error(), "set TMPDIR to a directory outside") {
		t.Errorf("error = %v", err)
	}
	if left := gittest.Entries(t, inside); len(left) != 0 {
		t.Errorf("left: %q", left)
	}
}

// An interrupted checkout leaves nothing behind.
func TestAddWorktreeInterrupted(t *testing.T) {
	temp := gittest.Isolate(t)
	dir := gittest.New(t, 1)
	gittest.WriteFile(t, dir, ".gitattributes", "* filter=slow\n")
	gittest.Run(t, dir, "add", ".")
	gittest.Run(t, dir, "commit", "--quiet", "-m", "slow")
	global := filepath.Join(t.TempDir(), "gitconfig")
	started := filepath.Join(t.TempDir(), "started")
	gittest.WriteFile(t, filepath.Dir(global), "gitconfig", fmt.Sprintf("[filter \"slow\"]\n\tsmudge = ps -o pgid= -p $$ >%[1]s.new && mv %[1]s.new %[1]s && sleep 100000\n", started))
	t.Setenv("GIT_CONFIG_GLOBAL", global)
	repo := opened(t, dir)
	head := resolved(t, repo, "HEAD")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(started); err == nil {
				cancel()
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	if _, err := Add(ctx, repo, head); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v", err)
	}
	assertClean(t, dir, temp)
	// Ctrl-C in the terminal reaches only perftrack's process group.
	group, err := os.ReadFile(started)
	if err != nil || strings.TrimSpace(string(group)) == fmt.Sprint(syscall.Getpgrp()) {
		t.Errorf("git ran in process group %q, as did the test (%v)", group, err)
	}
}

// hold starts a process holding a worktree of the repository dir.
func hold(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, holdArg, dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line := make([]byte, 200)
	n, err := out.Read(line)
	if err != nil || string(line[:n]) != "ready <nil>\n" {
		t.Fatalf("%q, %v", line[:n], err)
	}
	return cmd
}

// eventually waits until the condition holds. It allows more time than even a busy machine needs.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !condition(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s did not happen", what)
		}
	}
}

// When the process that added a worktree is killed, its guard removes the worktree.
func TestKilled(t *testing.T) {
	temp := gittest.Isolate(t)
	dir := gittest.New(t, 1)
	before := gittest.Fingerprint(t, dir)
	holder := hold(t, dir)
	if len(gittest.Entries(t, temp)) != 1 {
		t.Fatalf("%q", gittest.Entries(t, temp))
	}
	if err := Prune(t.Context(), opened(t, dir)); err != nil || len(gittest.Entries(t, temp)) != 1 {
		t.Fatalf("Prune removed a worktree in use (%v)", err)
	}
	_ = holder.Process.Kill()
	eventually(t, "the clean-up by the guard", func() bool {
		return len(gittest.Entries(t, temp)) == 0 && !strings.Contains(gittest.Run(t, dir, "worktree", "list"), "\n")
	})
	assertClean(t, dir, temp)
	if after := gittest.Fingerprint(t, dir); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

// abandon leaves w in the state after its process and the guard were killed.
func abandon(t *testing.T, w *Worktree) {
	t.Helper()
	if err := w.onDeath.Release(); err != nil {
		t.Fatal(err)
	}
	_ = syscall.Close(w.owner)
	w.owner = -1
}

func TestPrune(t *testing.T) {
	temp := gittest.Isolate(t)
	dir := gittest.New(t, 1)
	repo := opened(t, dir)
	// The user has a worktree on a disk that is not mounted.
	users := filepath.Join(gittest.TempDir(t), "users")
	gittest.Run(t, dir, "worktree", "add", "--quiet", "--detach", users)
	_ = os.RemoveAll(users)
	// A container that shares the repository has a worktree.
	foreign := filepath.Join(gittest.TempDir(t), worktreePrefix+"00000000", checkoutName)
	gittest.Run(t, dir, "worktree", "add", "--quiet", "--detach", foreign)
	gittest.Run(t, dir, "worktree", "lock", "--reason", lockReason("another-host", 1), foreign)
	_ = os.RemoveAll(filepath.Dir(foreign))
	// Worktrees of another repository, and folders that only look like ours.
	other := opened(t, gittest.New(t, 1))
	ofOther := addWorktree(t, other, "HEAD")
	abandon(t, ofOther)
	lookalike := filepath.Join(temp, worktreePrefix+"11111111")
	gittest.WriteFile(t, lookalike, checkoutName+"/mine", "")
	_ = os.Chmod(lookalike, 0o700)

	alive := addWorktree(t, repo, "HEAD")
	dead := addWorktree(t, repo, "HEAD")
	abandon(t, dead)
	gone := addWorktree(t, repo, "HEAD")
	abandon(t, gone)
	_ = os.RemoveAll(filepath.Dir(gone.Dir))
	unregistered := addWorktree(t, repo, "HEAD")
	gittest.Run(t, dir, "worktree", "remove", "-f", "-f", unregistered.Dir)
	abandon(t, unregistered)
	elsewhere := gittest.TempDir(t)
	t.Setenv("TMPDIR", elsewhere)
	deadElsewhere := addWorktree(t, repo, "HEAD")
	abandon(t, deadElsewhere)
	t.Setenv("TMPDIR", temp)

	for range 2 {
		if err := Prune(t.Context(), repo); err != nil {
			t.Fatal(err)
		}
	}
	for _, w := range []*Worktree{dead, gone, unregistered, deadElsewhere} {
		if _, err := os.Lstat(filepath.Dir(w.Dir)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("still there: %s (%v)", w.Dir, err)
		}
	}
	for _, path := range []string{filepath.Join(alive.Dir, "n"), filepath.Join(ofOther.Dir, "n"), filepath.Join(lookalike, checkoutName, "mine")} {
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
	}
	list := gittest.Run(t, dir, "worktree", "list")
	for _, want := range []string{dir, users, foreign, alive.Dir} {
		if !strings.Contains(list, want+" ") {
			t.Errorf("%s is not registered any more", want)
		}
	}
	if n := strings.Count(list, "\n") + 1; n != 4 {
		t.Errorf("%d worktrees:\n%s", n, list)
	}
	if err := alive.Remove(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestMain(m *testing.M) {
	// Under the race detector, every process would otherwise take another second to exit.
	if os.Getenv("GORACE") == "" {
		os.Setenv("GORACE", "atexit_sleep_ms=0")
	}
	proc.Supervise()
	if len(os.Args) == 3 {
		switch os.Args[1] {
		case holdArg:
			holdWorktree(os.Args[2])
		case removeArg:
			if err := proc.RemoveAll(os.Args[2]); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}
