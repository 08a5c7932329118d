package workspacetest

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/proc"
)

// New returns a session in a new git repository with a benchmark program, and a function that makes
// a commit there with the given date and returns its hash.
func New(t *testing.T) (a *workspace.Session, commit func(date string) string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, ".cache"))
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	git := func(env []string, args ...string) string {
		c := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=T", "-c", "user.email=t@example.com"}, args...)...)
		c.Dir, c.Env = dir, append(os.Environ(), env...)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	text := "[[target]]\nname = \"echo\"\nkind = \"command\"\nrun = \"echo BenchmarkX 1 5 ns/op\"\n"
	for name, text := range map[string]string{"perftrack.toml": text, ".gitignore": ".cache\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git(nil, "init", "-q")
	git(nil, "add", ".")
	commit = func(date string) string {
		git([]string{"GIT_AUTHOR_DATE=" + date, "GIT_COMMITTER_DATE=" + date}, "commit", "-q", "--allow-empty", "-m", date)
		return git(nil, "rev-parse", "HEAD")
	}
	return &workspace.Session{Dir: dir, Version: "test", Now: time.Now, Rand: rand.New(rand.NewPCG(1, 1))}, commit
}

// Main is the TestMain of packages with tests that start programs. It lets the test binary also act
// as the supervisor of these programs.
func Main(m *testing.M) {
	proc.Supervise()
	os.Exit(m.Run())
}
