package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/store/postgres/pgtest"
)

// The script in docs/scaling.md reaches a verdict on PostgreSQL. Its first four commands start a
// server; the test starts its own.
func TestScalingScript(t *testing.T) {
	live(t)
	if err := proc.Boxable(t.Context()); err != nil {
		t.Skip(err)
	}
	text, err := os.ReadFile("../../docs/scaling.md")
	if err != nil {
		t.Fatal(err)
	}
	_, script, ok := strings.Cut(string(text), "createdb -h /tmp -p 5433 perf\n")
	script, _, end := strings.Cut(script, "perftrack serve\n")
	if !ok || !end || strings.Count(script, "\n") != 5 {
		t.Fatalf("the script is not the five commands from migrate to compare:\n%s", script)
	}
	bin, repo, home := fleetPrograms(t), t.TempDir(), t.TempDir()
	env := append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+home, "XDG_CACHE_HOME="+filepath.Join(home, "cache"),
		"GOCACHE="+goEnv("GOCACHE"), "GOMODCACHE="+goEnv("GOMODCACHE"), "PERFTRACK_DB="+pgtest.Start(t).URL("postgres"), "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=Test", "GIT_AUTHOR_EMAIL=test@example.com", "GIT_COMMITTER_NAME=Test", "GIT_COMMITTER_EMAIL=test@example.com")
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(repo, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("perftrack.toml", "[[target]]\nname = \"bench\"\nkind = \"command\"\nlayout = \"accept\"\nrun = \"cat result.txt\"\n")
	write("result.txt", "BenchmarkParse 100 1000 ns/op\n")
	gitIn(t, repo, env, "init", "-q", "-b", "main")
	gitIn(t, repo, env, "add", ".")
	gitIn(t, repo, env, "commit", "-q", "-m", "base")
	write("result.txt", "BenchmarkParse 100 1250 ns/op\n")
	gitIn(t, repo, env, "commit", "-q", "-a", "-m", "slower")
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	// The workers end with the shell.
	sh := exec.CommandContext(ctx, "bash", "-ec", script+"kill $(jobs -p)\nwait || true\n")
	sh.Dir, sh.Env, sh.WaitDelay = repo, env, 5*time.Second
	out, err := sh.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "1 benchmark: 1 regressed") {
		t.Errorf("%v\n%s", err, out)
	}
}
