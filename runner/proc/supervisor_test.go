//go:build unix

package proc

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// supervisorOf runs a program and returns the pid of its supervisor.
func supervisorOf(t *testing.T, c Command) string {
	t.Helper()
	c.Argv = []string{"sh", "-c", "echo $PPID; " + strings.Join(c.Argv, " ")}
	res, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	pid, _, _ := strings.Cut(string(res.Stdout), "\n")
	return pid
}

// theIdle returns the only waiting supervisor.
func theIdle(t *testing.T) *supervisor {
	t.Helper()
	idle.Lock()
	defer idle.Unlock()
	if len(idle.waiting) != 1 {
		t.Fatalf("%d supervisors wait, want 1", len(idle.waiting))
	}
	return idle.waiting[0]
}

// One supervisor runs one program after another, as long as it can end each of them cleanly.
func TestSupervisorServesAgain(t *testing.T) {
	Dismiss()
	defer Dismiss()
	first := supervisorOf(t, Command{})
	for _, c := range []Command{
		{Argv: []string{"exit", "3"}},
		{Argv: []string{"kill", "-9", "$$"}},
		{Argv: []string{"sleep", "60", "&"}}, // killed when its parent ends
		{},
	} {
		if again := supervisorOf(t, c); again != first {
			t.Errorf("before %q: supervisor %s, want %s as for the first program", c.Argv, again, first)
		}
	}
	late := Command{Argv: []string{"sleep", "60"}, Timeout: 100 * time.Millisecond}
	if again := supervisorOf(t, late); again != first {
		t.Errorf("with a time limit: supervisor %s, want %s", again, first)
	}
	if again := supervisorOf(t, Command{}); again == first {
		t.Error("the supervisor that killed a program serves on")
	}
}

// A program does not run in the directory of its supervisor.
func TestSupervisorFollowsTheCaller(t *testing.T) {
	Dismiss()
	defer Dismiss()
	supervisorOf(t, Command{})
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "below"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for where, want := range map[string]string{"": dir, "below": filepath.Join(dir, "below")} {
		res, err := Run(context.Background(), Command{Argv: []string{"pwd", "-P"}, Dir: where})
		if got := strings.TrimSpace(string(res.Stdout)); err != nil || got != want {
			t.Errorf("in %q: %s, %v; want %s", where, got, err, want)
		}
	}
}

// A supervisor killed while it waits is replaced.
func TestSupervisorKilledWhileItWaits(t *testing.T) {
	Dismiss()
	defer Dismiss()
	first := supervisorOf(t, Command{})
	waiting := theIdle(t)
	if err := waiting.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	gone := func() bool { _, err := waiting.lifeline.Write([]byte{orderStop}); return err != nil }
	if !within(gone) {
		t.Fatal("the supervisor survives SIGKILL")
	}
	if second := supervisorOf(t, Command{}); second == first {
		t.Error("a dead supervisor ran a program")
	}
}

// Dismissed supervisors are gone when Dismiss returns. Supervisors end with their owner even
// without a call to Dismiss.
func TestDismiss(t *testing.T) {
	Dismiss()
	pid := supervisorOf(t, Command{})
	alive := func(pid string) bool { return exists("/proc", pid) }
	if !alive(pid) {
		t.Skip("no /proc here")
	}
	Dismiss()
	if alive(pid) {
		t.Error("a dismissed supervisor goes on")
	}
	res, err := Run(context.Background(), helper(newToken(t), "leaver"))
	if err != nil || res.Err() != nil {
		t.Fatal(err, res.Err())
	}
	if left := strings.TrimSpace(string(res.Stdout)); left == "" || alive(left) {
		t.Errorf("supervisor %q outlives its owner", left)
	}
}

// leaverProgram ends while its supervisor is waiting.
func leaverProgram([]string) {
	res, _ := Run(context.Background(), Command{Argv: []string{"sh", "-c", "echo $PPID"}})
	_, _ = os.Stdout.Write(res.Stdout)
}

// An order to stop a program does not affect the next one if it arrives after the program has
// ended.
func TestSupervisorIgnoresLateStop(t *testing.T) {
	Dismiss()
	defer Dismiss()
	first := supervisorOf(t, Command{})
	if _, err := theIdle(t).lifeline.Write([]byte{orderStop}); err != nil {
		t.Fatal(err)
	}
	res, err := Run(context.Background(), Command{Argv: []string{"sh", "-c", "sleep 0.2; echo $PPID"}})
	if err != nil || res.Err() != nil || strings.TrimSpace(string(res.Stdout)) != first {
		t.Errorf("%v, %v, supervisor %q, want %s", err, res.Err(), res.Stdout, first)
	}
}

// The descriptors of one program are closed in the next program and in the supervisor.
func TestSupervisorKeepsNoOutputOpen(t *testing.T) {
	Dismiss()
	defer Dismiss()
	if !exists("/proc/self/fd") {
		t.Skip("no /proc here")
	}
	count := func(pid string) int {
		entries, err := os.ReadDir(filepath.Join("/proc", pid, "fd"))
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	first := supervisorOf(t, Command{})
	before := count(first)
	for range 20 {
		supervisorOf(t, Command{})
		supervisorOf(t, Command{Argv: []string{"exit", "1"}})
		if _, err := Run(context.Background(), Command{Argv: []string{"/no/such"}}); err == nil {
			t.Fatal("started what is not there")
		}
	}
	if again := supervisorOf(t, Command{}); again == first && count(first) != before {
		t.Errorf("%d descriptors are open, %d were after the first program", count(first), before)
	}
	res, err := Run(context.Background(), Command{Argv: []string{"ls", "/proc/self/fd"}})
	if err != nil || strings.Join(strings.Fields(string(res.Stdout)), " ") != "0 1 2 3" { // 3 is ls's own
		t.Errorf("open in a program: %q, %v", res.Stdout, err)
	}
}
