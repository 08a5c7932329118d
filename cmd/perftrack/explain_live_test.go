package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
)

// Ctrl-C during the explanation of a regression keeps the verdict and the exit status.
func TestCheckInterruptedWhileExplaining(t *testing.T) {
	live(t)
	v := newVictim(t)
	v.env = append(v.env, "GOCACHE="+goEnv("GOCACHE"), "GOMODCACHE="+goEnv("GOMODCACHE"), "GOTOOLCHAIN=local", "GOFLAGS=")
	h := &slowHistory{victim: v, steps: 2000, names: []string{"mix", "fold", "spin"}}
	h.git("rm", "-q", "bench.sh")
	h.write("go.mod", "module example.com/spin\n\ngo 1.26\n")
	h.write("perftrack.toml", "[[target]]\nname = \"spin\"\nkind = \"gotest\"\nlayout = \"accept\"\n")
	h.source("")
	h.commit("good")
	h.steps *= 10
	h.source("")
	h.commit("bad")
	for _, format := range []string{"text", "json"} {
		c, _ := h.command("check", "--base", "HEAD~1", "--explain", "--benchtime", "5ms", "--format", format)
		var stdout bytes.Buffer
		stderr := &watcher{text: "explaining Spin", seen: make(chan bool, 1)}
		c.Stdout, c.Stderr = &stdout, stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-stderr.seen:
			time.Sleep(300 * time.Millisecond)
		case <-time.After(time.Minute):
			t.Errorf("%s: no explanation began", format)
		}
		if err := c.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		if err := c.Wait(); c.ProcessState.ExitCode() != console.ExitRegression {
			t.Errorf("%s: %v, want exit status %d", format, err, console.ExitRegression)
		}
		if out := stdout.String(); !strings.Contains(out, "regressed") || strings.Contains(out, "example.com/spin.spin") {
			t.Errorf("%s:\n%s", format, out)
		}
		if !strings.Contains(stderr.out.String(), "the explanation was interrupted") {
			t.Errorf("%s:\n%s", format, stderr.out.String())
		}
		h.nothingLeft()
	}
	if out, err := exec.Command("git", "-C", h.repo, "worktree", "list").Output(); err != nil || strings.Count(string(out), "\n") != 1 {
		t.Errorf("%v\n%s", err, out)
	}
}

// A watcher collects the output of a process and waits for texts in it.
type watcher struct {
	out  bytes.Buffer // not embedded, because io.Copy would then bypass Write
	text string
	seen chan bool
}

func (w *watcher) Write(p []byte) (int, error) {
	n, err := w.out.Write(p)
	if strings.Contains(w.out.String(), w.text) {
		select {
		case w.seen <- true:
		default:
		}
	}
	return n, err
}
