//go:build unix

package proc

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// guardedProgram stands in for a perftrack that owns a directory. args are the directory and the
// shell commands that the guard runs in the parent directory.
func guardedProgram(args []string) {
	var cleanups []Cleanup
	for _, c := range args[1:] {
		cleanups = append(cleanups, Cleanup{Dir: filepath.Dir(args[0]), Argv: []string{"sh", "-c", c}})
	}
	if _, err := OnDeath(args[:1], cleanups...); err != nil {
		fmt.Println("failed", err)
	}
	fmt.Println("ready")
	time.Sleep(forEver)
}

func makeTree(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "deep", "er"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "deep", "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// killGuarded starts a process with a guard, and kills the process.
func killGuarded(t *testing.T, args ...string) {
	t.Helper()
	out := newTail()
	owner := start(helper(newToken(t), "guarded", args...), false, out)
	out.waitFor(t, "ready")
	time.Sleep(100 * time.Millisecond)
	if !exists(args[0]) {
		t.Error("the guard removed the directory of a living owner")
	}
	_ = owner.Process.Kill()
	if err := owner.Wait(); err == nil || err.Error() != "signal: killed" {
		t.Errorf("owner: %v", err)
	}
}

func TestGuardCleansUp(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	dir := filepath.Join(top, "worktree")
	makeTree(t, dir)
	// The second command succeeds the second time.
	killGuarded(t, dir, "echo a >>log", "echo b >>log; test $(wc -l <log) -gt 3", "echo c >>log")
	if !within(func() bool { return !exists(dir) }) {
		t.Error("directory not removed after its owner was killed")
	}
	log := func() string { text, _ := os.ReadFile(filepath.Join(top, "log")); return string(text) }
	if !within(func() bool { return log() == "a\nb\nc\nb\n" }) {
		t.Errorf("commands ran as %q", log())
	}
}

// A build that is being killed may keep writing for a while.
func TestGuardRemovesAgain(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "worktree")
	makeTree(t, dir)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				sub := filepath.Join(dir, "build", fmt.Sprint(i%10))
				_ = os.MkdirAll(sub, 0o700)
				_ = os.WriteFile(filepath.Join(sub, "object"), nil, 0o600)
				time.Sleep(time.Millisecond)
			}
		}
	}()
	killGuarded(t, dir)
	time.Sleep(700 * time.Millisecond)
	close(stop)
	<-stopped
	if !within(func() bool { return !exists(dir) }) {
		t.Error("directory not removed after the last write")
	}
}

func TestGuardRemovesGitWorktree(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	top := t.TempDir()
	dir := filepath.Join(top, "worktree")
	git := func(args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir = top
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
		return string(out)
	}
	git("init", "--quiet")
	git("-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "--quiet", "--allow-empty", "-m", "first")
	git("worktree", "add", "--quiet", "--detach", dir)
	makeTree(t, dir)
	killGuarded(t, dir, "git worktree remove --force worktree")
	clean := func() bool { return !exists(dir) && strings.Count(git("worktree", "list"), "\n") == 1 }
	if !within(clean) {
		t.Errorf("worktree left: %s", git("worktree", "list"))
	}
}

func TestGuardRelease(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	dir := filepath.Join(top, "worktree")
	makeTree(t, dir)
	g, err := OnDeath([]string{dir}, Cleanup{Dir: top, Argv: []string{"touch", "ran"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if err := g.s.cmd.Process.Signal(sig); err != nil {
			t.Error(err)
		}
	}
	time.Sleep(100 * time.Millisecond)
	for range 2 {
		if err := g.Release(); err != nil {
			t.Error(err)
		}
	}
	time.Sleep(2 * cleanupPause)
	if !exists(dir, "deep", "file") || exists(top, "ran") {
		t.Error("a released guard has cleaned up")
	}
}

func TestGuardKilled(t *testing.T) {
	t.Parallel()
	g, err := OnDeath(nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = g.s.cmd.Process.Kill()
	time.Sleep(100 * time.Millisecond)
	if err := g.Release(); err == nil || !strings.HasPrefix(err.Error(), "release guard: ") {
		t.Errorf("release of a killed guard: %v", err)
	}
}

func TestGuardRefuses(t *testing.T) {
	tests := []struct {
		dirs     []string
		cleanups []Cleanup
		want     string
	}{
		{[]string{""}, nil, `guard "": not an absolute path below the root`},
		{[]string{"a"}, nil, `guard "a": not an absolute path below the root`},
		{[]string{"/a/.."}, nil, `guard "/a/..": not an absolute path below the root`},
		{nil, []Cleanup{{Dir: "/"}}, `guard: clean up with [] in "/": needs a program and an absolute directory`},
		{nil, []Cleanup{{Argv: []string{"true"}}}, `guard: clean up with ["true"] in "": needs a program and an absolute directory`},
		{nil, []Cleanup{{Dir: "/", Argv: []string{"no-such-program-here"}}}, `guard: clean up with no-such-program-here: exec: "no-such-program-here": executable file not found in $PATH`},
	}
	for _, tt := range tests {
		if g, err := OnDeath(tt.dirs, tt.cleanups...); err == nil || err.Error() != tt.want {
			t.Errorf("OnDeath(%q, %q) = %v, want %s", tt.dirs, tt.cleanups, err, tt.want)
			if g != nil {
				_ = g.Release()
			}
		}
	}
}

// Go's module cache is read-only, including its directories.
func TestRemoveReadOnly(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may remove anything")
	}
	dir := filepath.Join(t.TempDir(), "cache")
	makeTree(t, dir)
	_ = os.Chmod(filepath.Join(dir, "deep"), 0o500)
	if err := RemoveAll(dir); err != nil || exists(dir) {
		t.Errorf("not removed: %v", err)
	}
}
