package sqlite

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Whichever system call kills the process or fails, the database is whole and has every
// acknowledged run. A process that stores less than it was asked to says why, and names the file.
func TestEverySystemCall(t *testing.T) {
	strace, random := straceOrSkip(t), dice(t)
	for _, what := range []string{"signal=SIGKILL", "error=EIO", "error=ENOSPC"} {
		for _, name := range []string{"pwrite64", "fsync", "fdatasync", "ftruncate", "unlink"} {
			t.Run(name+"/"+what, func(t *testing.T) {
				step := scale(16, 1)
				done := 0
				for when := 1 + random.IntN(step); ; when += step {
					hit, fault := injected(t, strace, "ingest", name, what, when)
					if !hit {
						break
					}
					if fault != nil {
						t.Errorf("%s %d: %v", name, when, fault)
					}
					done++
				}
				t.Logf("%d calls", done)
			})
		}
	}
}

// If runs are acknowledged before they are stored, the same kills are seen to lose some.
func TestControlEverySystemCall(t *testing.T) {
	strace := straceOrSkip(t)
	for when := 1; ; when += 9 {
		hit, fault := injected(t, strace, "ingest early", "pwrite64", "signal=SIGKILL", when)
		if !hit {
			t.Fatal("no kill did any harm")
		}
		if fault != nil {
			return
		}
	}
}

// injected lets one system call of a process that stores runs in a new database fail, and reports
// whether the process made that many calls, and what is wrong afterwards.
func injected(t *testing.T, strace, role, name, what string, when int) (hit bool, fault error) {
	t.Helper()
	const runs = 3
	folder, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	path, trace := filepath.Join(folder, "perftrack.db"), filepath.Join(folder, "trace")
	c := newChild(role, path, "", runs)
	under(c, strace, "-f", "-o", trace, "-e", "trace="+name, "-e", fmt.Sprintf("inject=%s:%s:when=%d", name, what, when))
	failed := c.Run()
	if exit := (*exec.ExitError)(nil); failed != nil && !errors.As(failed, &exit) {
		t.Fatal(failed)
	}
	text, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	killed := what == "signal=SIGKILL"
	if !strings.Contains(string(text), "INJECTED") && !(killed && failed != nil) {
		return false, nil
	}
	acked := c.lines()
	fault = whole(path, acked)
	switch said := c.err.String(); {
	case fault != nil || killed:
	case failed == nil && len(acked) < runs:
		fault = fmt.Errorf("%d runs acknowledged without an error", len(acked))
	case failed != nil && (!strings.Contains(said, path) || !strings.Contains(said, "I/O error") && !strings.Contains(said, "no space left")):
		fault = fmt.Errorf("the error does not say which file and why: %s", said)
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	return true, fault
}
