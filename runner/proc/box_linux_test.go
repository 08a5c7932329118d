package proc

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An isolated program sees no home directory, no network, no other processes and no hidden files.
// It can change only writable files and cannot kill its supervisor.
func TestBox(t *testing.T) {
	if err := Boxable(t.Context()); err != nil {
		t.Skip(err, "; .ci/run installs it")
	}
	read, write, home := t.TempDir(), t.TempDir(), t.TempDir()
	for _, path := range []string{filepath.Join(read, "seen"), filepath.Join(read, "hidden", "config"), filepath.Join(read, "p.db"), filepath.Join(home, ".secret")} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("content"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", home)
	t.Setenv("TMPDIR", "/tmp")
	box := &Box{Read: []string{read}, Write: []string{write}, Hide: []string{filepath.Join(read, "hidden"), filepath.Join(read, "p.db"), filepath.Join(read, "no such")}}
	const script = `cat seen; ls hidden; cat p.db; ls -A "$HOME"; (echo x >>seen) 2>/dev/null || echo ' read only'
		echo x >>$0/made && echo writes; grep -c : /proc/net/dev; ls /proc | grep -c '^[0-9]'; test -e /etc/shadow && echo shadow
		kill -9 $PPID; kill -STOP $PPID; touch /tmp/left; echo $((++n))`
	for range 2 {
		var outer string
		c := Command{Argv: []string{"/bin/sh", "-c", script, write}, Dir: read, Box: box, Started: func(pid int) {
			text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			outer = string(text)
		}}
		res, err := Run(t.Context(), c)
		if err != nil || res.Err() != nil {
			t.Fatalf("%v, %v: %s%s", err, res.Err(), res.Stdout, res.Stderr)
		}
		// The fourth line counts the visible processes: the program, ls, grep and the supervisor.
		if want := "content read only\nwrites\n1\n"; !strings.HasPrefix(string(res.Stdout), want) || strings.Contains(string(res.Stdout), "shadow") {
			t.Errorf("it says %q, want %q", res.Stdout, want)
		}
		if processes := strings.Split(string(res.Stdout), "\n")[3]; len(processes) != 1 {
			t.Errorf("%s processes are seen", processes)
		}
		if outer != "" && !strings.HasPrefix(outer, "/bin/sh\x00-c\x00") {
			t.Errorf("the process that was told of is %q", outer)
		}
	}
	if made, err := os.ReadFile(filepath.Join(write, "made")); err != nil || string(made) != "x\nx\n" {
		t.Errorf("made: %q, %v", made, err)
	}

	res, err := Run(t.Context(), Command{Argv: []string{"/bin/sh", "-c", "setsid sleep 1000 & sleep 1000"}, Dir: read, Box: box, Timeout: 100 * time.Millisecond})
	if err != nil || !res.TimedOut {
		t.Errorf("%v, %+v", err, res)
	}
}

// If isolation is not possible, the error suggests a remedy.
func TestBoxable(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if err := Boxable(t.Context()); err == nil || !strings.Contains(err.Error(), "install bubblewrap") {
		t.Errorf("without bubblewrap: %v", err)
	}
	fake := "#!/bin/sh\necho 'bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.' >&2\nexit 1\n"
	if err := os.WriteFile(filepath.Join(dir, bubblewrap), []byte(fake), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Boxable(t.Context()); err == nil || !strings.Contains(err.Error(), "does not let bubblewrap create namespaces: bwrap: No permissions") || !strings.Contains(err.Error(), "allow unprivileged user namespaces") {
		t.Errorf("refused: %v", err)
	}
}
