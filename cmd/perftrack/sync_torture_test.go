package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Killed at any time, a sync has lost nothing and left nothing half-written, and the
// next one completes it.
func TestTortureKilledSync(t *testing.T) {
	n, seed := tortures(t, 4, 100)
	rng := rand.New(rand.NewPCG(seed, 0))
	v := newVictim(t)
	bare := filepath.Join(filepath.Dir(v.repo), "bare.git")
	v.git("init", "-q", "--bare", bare)
	v.git("remote", "add", "origin", bare)
	v.git("push", "-q", "origin", "HEAD:main")
	runs, killed := 0, 0
	for range n {
		for range 1 + rng.IntN(8) {
			runs++
			name := filepath.Join(v.temp, "results.txt")
			text := fmt.Sprintf("note: %d\nBenchmarkX 10 %d ns/op\n", runs, 100+rng.IntN(100))
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			v.must("import", name)
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
		args := []string{"sync"}
		if rng.IntN(4) == 0 {
			args = append(args, "--compact")
		}
		c, out := v.command(args...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(rng.IntN(400))*time.Millisecond, func() { _ = c.Process.Kill() })
		err := c.Wait()
		timer.Stop()
		var exit *exec.ExitError
		switch {
		case errors.As(err, &exit) && exit.ExitCode() == -1:
			killed++
		case err != nil:
			t.Fatalf("perftrack %v: %v\n%s", args, err, out)
		}
		v.git("--git-dir="+bare, "fsck", "--no-dangling", "--connectivity-only")
	}
	v.nothingLeft() // its last git may still be pushing
	v.must("sync")
	v.git("fsck", "--no-dangling")
	if got := v.must("db", "verify"); !strings.HasPrefix(got, fmt.Sprintf("ok: %d runs", runs)) {
		t.Errorf("db verify: %s, want %d runs", got, runs)
	}
	if crashes, err := filepath.Glob(filepath.Join(v.repo, ".git", "fast_import_crash_*")); err != nil || len(crashes) > 0 {
		t.Logf("git left %v, %v", crashes, err)
	}
	other := filepath.Join(filepath.Dir(v.repo), "other")
	v.git("clone", "-q", bare, other)
	v.repo = other
	v.must("sync")
	if got := v.must("db", "verify"); !bytes.HasPrefix([]byte(got), fmt.Appendf(nil, "ok: %d runs", runs)) {
		t.Errorf("a new clone: %s, want %d runs", got, runs)
	}
	t.Logf("%d of %d syncs were killed, %d runs", killed, n, runs)
}
