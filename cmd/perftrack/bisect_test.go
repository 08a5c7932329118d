package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/bisect"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
)

// A failed step of git bisect stops the bisection. A crash exits with 2, and git would treat this
// as a bad commit.
func TestBisectStepCrashes(t *testing.T) {
	for _, tt := range []struct {
		script string
		want   int
	}{
		{"exit 0", 0}, {"exit 1", 1}, {"exit 125", 125}, {"exit 2", 128}, {"exit 130", 128}, {"exit 77", 128}, {"kill -9 $$", 128}, {"kill -ABRT $$", 128},
	} {
		if got := bisect.RunGuarded(t.Context(), []string{"/bin/sh", "-c", tt.script}, "X=1"); got != tt.want {
			t.Errorf("%s: exit code %d, want %d", tt.script, got, tt.want)
		}
	}
	if got := bisect.RunGuarded(t.Context(), []string{"/nonexistent"}, "X=1"); got != 128 {
		t.Errorf("a program that cannot be started: exit code %d, want 128", got)
	}
}

func TestStepExit(t *testing.T) {
	root := newRootCommand(&console.Console{})
	for _, tt := range []struct {
		args      string
		code, out int
	}{
		{"bisect-helper --bench X", 0, 0}, {"bisect-helper --bench X", 1, 1}, {"bisect-helper --bench X", 125, 125},
		{"bisect-helper --bench X", 2, 128}, {"-q --db x bisect-helper", 130, 128}, {"bisect-helper --bnch X", 2, 128},
		{"bisect-helper auto a..b", 2, 2}, {"bisect-helper status", 130, 130}, {"run", 2, 2}, {"nonsense", 2, 2},
	} {
		if got := stepExit(root, strings.Fields(tt.args), tt.code); got != tt.out {
			t.Errorf("%s: exit code %d becomes %d, want %d", tt.args, tt.code, got, tt.out)
		}
	}
}

// A repeatedly interrupted or killed search loses at most the current pair, leaves nothing behind,
// and finds the same culprit.
func TestBisectIsResumed(t *testing.T) {
	live(t)
	v := newVictim(t)
	v.killed = true
	bench := func(ns string) string {
		return "sleep 0.01\nn=$(cat counter 2>/dev/null || echo 0); n=$(( (n + 1) % 5 )); echo $n > counter\necho \"BenchmarkX 1000 " + ns + "$n ns/op\"\n"
	}
	commit := func(ns, subject string) {
		if err := os.WriteFile(filepath.Join(v.repo, "bench.sh"), []byte(bench(ns)), 0o644); err != nil {
			t.Fatal(err)
		}
		v.git("add", "-A")
		v.git("commit", "-q", "--allow-empty", "-m", subject)
	}
	commit("10", "good")
	v.git("tag", "good")
	for _, c := range [][2]string{{"10", "a"}, {"10", "b"}, {"13", "the culprit"}, {"13", "c"}, {"13", "d"}} {
		commit(c[0], c[1])
	}
	args := []string{"bisect-helper", "auto", "good..HEAD", "--bench", "X"}
	pairs, over := 0, false
	for i := 0; !over && i < 60; i++ {
		c, out := v.command(args...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(300+100*i) * time.Millisecond)
		_ = c.Process.Signal([]os.Signal{os.Interrupt, os.Kill}[i%2]) // the process may have ended
		var exit *exec.ExitError
		switch err := c.Wait(); {
		case err == nil:
			over = true
		case !errors.As(err, &exit), exit.ExitCode() != console.ExitInterrupted && !exit.Sys().(syscall.WaitStatus).Signaled():
			t.Fatalf("run %d: %v\n%s", i, err, out)
		}
		v.nothingLeft()
		log, err := os.ReadFile(filepath.Join(v.repo, ".perftrack", "bisect", "auto.jsonl"))
		if err != nil && i > 2 {
			t.Fatal(err)
		}
		if now := strings.Count(string(log), `"event":"pair"`); now < pairs {
			t.Fatalf("run %d: %d pairs are left of %d", i, now, pairs)
		} else {
			pairs = now
		}
	}
	if text := v.must("bisect-helper", "status"); !over || !strings.Contains(text, "is the first regressed commit") || strings.Index(text, "the culprit") > strings.Index(text, " d ") && strings.Contains(text, " d ") {
		t.Errorf("over %v, %d pairs:\n%s", over, pairs, text)
	}
	if got := v.must("db", "verify"); !strings.HasPrefix(got, "ok: ") {
		t.Errorf("db verify: %s", got)
	}
	// The log is read even if its last line is truncated.
	path := filepath.Join(v.repo, ".perftrack", "bisect", "auto.jsonl")
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"event":"pa`); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	v.must("bisect-helper", "undo")
	if text := v.must("bisect-helper", "status"); !strings.Contains(text, "search not finished") {
		t.Errorf("after undo:\n%s", text)
	}
}
