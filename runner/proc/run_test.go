//go:build unix

package proc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/childenv"
)

func TestResultErr(t *testing.T) {
	tests := []struct {
		res  Result
		want string
	}{
		{Result{}, "<nil>"},
		{Result{ExitCode: 1}, "exit status 1"},
		{Result{ExitCode: -1, Signal: syscall.SIGSEGV}, "signal: segmentation fault"},
		{Result{ExitCode: -1, Signal: syscall.SIGKILL}, "signal: killed"},
		{Result{ExitCode: -1, Signal: syscall.SIGKILL, OOMKilled: true}, "killed: out of memory"},
		{Result{ExitCode: 137, OOMKilled: true}, "killed: out of memory"},
		{Result{ExitCode: -1, Signal: syscall.SIGKILL, TimedOut: true, limit: 10 * time.Second}, "killed: timed out after 10s"},
		{Result{ExitCode: -1, Signal: syscall.SIGKILL, Canceled: true}, "interrupted"},
		{Result{ExitCode: 0, Canceled: true}, "interrupted"}, // ended by itself after SIGTERM
		{Result{Truncated: true}, "<nil>"},
	}
	for _, tt := range tests {
		if got := fmt.Sprint(tt.res.Err()); got != tt.want {
			t.Errorf("%+v: Err() = %s, want %s", tt.res, got, tt.want)
		}
	}
}

func TestRunReportsTheEnd(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		args     []string
		want     string
		exitCode int
		signal   syscall.Signal
	}{
		{"exit", []string{"0"}, "<nil>", 0, 0},
		{"exit", []string{"3"}, "exit status 3", 3, 0},
		{"exit", []string{"137"}, "exit status 137", 137, 0},
		{"signal", nil, "signal: terminated", -1, syscall.SIGTERM},
	}
	for _, tt := range tests {
		res, err := Run(context.Background(), helper(newToken(t), tt.name, tt.args...))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(res.Err()); got != tt.want || res.ExitCode != tt.exitCode || res.Signal != tt.signal {
			t.Errorf("%s %v: %s, exit code %d, signal %d; want %s, %d, %d",
				tt.name, tt.args, got, res.ExitCode, res.Signal, tt.want, tt.exitCode, tt.signal)
		}
		if res.Elapsed <= 0 || res.User+res.Sys <= 0 {
			t.Errorf("%s: elapsed %v, user %v, sys %v", tt.name, res.Elapsed, res.User, res.Sys)
		}
	}
}

// MaxRSS is known only if a program used more memory than its supervisor, because every program
// starts out with its supervisor's memory. For a program that does almost nothing, MaxRSS is
// unknown.
func TestRunReportsMemory(t *testing.T) {
	t.Parallel()
	const much = 128 << 20
	res, err := Run(context.Background(), helper(newToken(t), "touch", strconv.Itoa(much)))
	if err = errors.Join(err, res.Err()); err != nil || res.MaxRSS < much || res.MaxRSS > 100*much {
		t.Errorf("%v, a program that touched %d bytes had %d", err, much, res.MaxRSS)
	}
	res, err = Run(context.Background(), Command{Argv: []string{"true"}})
	if err = errors.Join(err, res.Err()); err != nil || runtime.GOOS == "linux" && res.MaxRSS != 0 {
		t.Errorf("%v, a program that needs nothing had %d bytes", err, res.MaxRSS)
	}
}

// The supervisor ignores some signals, but the program does not.
func TestRunSignalsAreDefault(t *testing.T) {
	t.Parallel()
	for name, sig := range map[string]syscall.Signal{"HUP": syscall.SIGHUP, "INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "QUIT": syscall.SIGQUIT, "CHLD": 0} {
		res, err := Run(context.Background(), Command{Argv: []string{"sh", "-c", "kill -" + name + " $$"}})
		if err != nil || res.Signal != sig {
			t.Errorf("SIG%s: %v, %v", name, res.Err(), err)
		}
	}
}

func TestSupervisorIsSilent(t *testing.T) {
	t.Setenv("GODEBUG", "inittrace=1")
	res, err := Run(context.Background(), Command{Argv: []string{"true"}})
	if err != nil || len(res.Stdout)+len(res.Stderr) > 0 {
		t.Errorf("%v, the supervisor wrote %.300q", err, append(res.Stdout, res.Stderr...))
	}
}

func TestRunDoesNotStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, []byte("#!/bin/sh\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		c    Command
		want error
		text string
	}{
		{Command{}, nil, "start program: the command is empty"},
		{Command{Argv: []string{"no-such-program-here"}}, exec.ErrNotFound, `start no-such-program-here: exec: "no-such-program-here": executable file not found in $PATH`},
		{Command{Argv: []string{"/no/such"}}, fs.ErrNotExist, "start /no/such: no such file or directory"},
		{Command{Argv: []string{plain}}, fs.ErrPermission, "start " + plain + ": permission denied"},
		{Command{Argv: []string{"true"}, Dir: "/no/such"}, fs.ErrNotExist, "start true: stat /no/such: no such file or directory"},
		{Command{Argv: []string{"true"}, Dir: plain}, syscall.ENOTDIR, "start true: " + plain + ": not a directory"},
		{Command{Argv: []string{"true", "a\x00b"}}, syscall.EINVAL, "start true: invalid argument"},
	}
	for _, tt := range tests {
		res, err := Run(context.Background(), tt.c)
		if err == nil || err.Error() != tt.text || tt.want != nil && !errors.Is(err, tt.want) {
			t.Errorf("%q: error %v, want %s", tt.c.Argv, err, tt.text)
		}
		if res.ExitCode != -1 {
			t.Errorf("%q: exit code %d, want -1", tt.c.Argv, res.ExitCode)
		}
	}
}

func TestRunCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	made := filepath.Join(t.TempDir(), "made")
	res, err := Run(ctx, Command{Argv: []string{"touch", made}})
	if err != nil || !res.Canceled || exists(made) {
		t.Errorf("Run after cancel: %+v, %v, program ran: %v", res, err, exists(made))
	}
}

func TestRunContextDeadlineIsATimeout(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	res, err := Run(ctx, Command{Argv: []string{"sleep", "60"}})
	if err != nil || !res.TimedOut || res.Canceled || !strings.HasPrefix(fmt.Sprint(res.Err()), "killed: timed out after ") {
		t.Errorf("got %+v, %v, %v", res, res.Err(), err)
	}
}

// A program does not count as killed if it exits by itself just as it is canceled.
func TestRunEndBeatsCancel(t *testing.T) {
	t.Parallel()
	for range 20 {
		ctx, cancel := context.WithCancel(context.Background())
		c := Command{Argv: []string{"sh", "-c", "echo done"}}
		c.Stdout = writerFunc(func(p []byte) (int, error) { cancel(); return len(p), nil })
		res, err := Run(ctx, c)
		if err != nil {
			t.Fatal(err)
		}
		if killed := res.Signal == syscall.SIGKILL; killed != res.Canceled {
			t.Fatalf("signal %d, exit code %d, yet Canceled = %v", res.Signal, res.ExitCode, res.Canceled)
		}
	}
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestRunGrace(t *testing.T) {
	t.Parallel()
	tests := []struct {
		program string
		grace   time.Duration
		out     string
		signal  syscall.Signal
		atLeast time.Duration
	}{
		{"polite", patience, "ready\ntidied up\n", 0, 0},
		{"polite", 0, "ready\n", syscall.SIGKILL, 0},
		{"tree", 400 * time.Millisecond, "", syscall.SIGKILL, 400 * time.Millisecond},
	}
	for _, tt := range tests {
		ctx, cancel := context.WithCancel(context.Background())
		c := helper(newToken(t), tt.program, "stubborn", "hold")
		out := newTail()
		c.Stdout, c.Grace = out, tt.grace
		var cancelled time.Time
		go func() {
			defer cancel()
			out.waitFor(t, "ready")
			cancelled = time.Now()
		}()
		res, err := Run(ctx, c)
		took := time.Since(cancelled)
		if err != nil || !res.Canceled || res.Signal != tt.signal || fmt.Sprint(res.Err()) != "interrupted" {
			t.Errorf("%s, grace %v: signal %d, %v, %v", tt.program, tt.grace, res.Signal, res.Err(), err)
		}
		if tt.out != "" && string(res.Stdout) != tt.out {
			t.Errorf("%s, grace %v: stdout %q, want %q", tt.program, tt.grace, res.Stdout, tt.out)
		}
		if took < tt.atLeast {
			t.Errorf("%s, grace %v: ended %v after the cancel", tt.program, tt.grace, took)
		}
	}
}

func TestRunLimitsOutput(t *testing.T) {
	t.Parallel()
	c := helper(newToken(t), "tree", "stubborn", "")
	c.OutputLimit = 1<<20 + 400
	all := new(bytes.Buffer)
	c.Stdout = all
	res, err := Run(context.Background(), c)
	if err != nil || res.Err() != nil {
		t.Fatal(err, res.Err())
	}
	if !res.Truncated || len(res.Stdout) != 1_048_000 {
		t.Errorf("kept %d bytes, truncated %v; want 1048 whole lines of 1000 bytes", len(res.Stdout), res.Truncated)
	}
	if !bytes.HasPrefix(all.Bytes(), res.Stdout) || all.Len() < 10_000_000 {
		t.Errorf("the copy has %d bytes, want all 10 MB", all.Len())
	}
	if string(res.Stderr) != "10 MB written\n" {
		t.Errorf("stderr %q: the program did not get to its end", res.Stderr)
	}
}

func TestRunCopyFails(t *testing.T) {
	t.Parallel()
	full := errors.New("disk full")
	c := Command{Argv: []string{"sh", "-c", "echo one; sleep 0.1; echo two"}}
	c.Stdout = writerFunc(func([]byte) (int, error) { return 0, full })
	res, err := Run(context.Background(), c)
	if !errors.Is(err, full) || res.Err() != nil || string(res.Stdout) != "one\ntwo\n" {
		t.Errorf("stdout %q, %v, error %v; want everything kept and the copy's error", res.Stdout, res.Err(), err)
	}
}

func TestRunEnvironment(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := helper("", "print", "a b", "\xff\xfe")
	c.Dir = dir
	c.Env = []string{helperEnv + "=print", "B=\xff", "A=first", "GODEBUG=", "A=second", "GORACE=atexit_sleep_ms=0"}
	res, err := Run(context.Background(), c)
	if err != nil || res.Err() != nil {
		t.Fatal(err, res.Err())
	}
	want := fmt.Sprintf("%q\n%q\n%q\n%q\n%q\n%q\n", []string{"a b", "\xff\xfe"}, helperEnv+"=print", "B=\xff", "GODEBUG=", "A=second", "GORACE=atexit_sleep_ms=0")
	if string(res.Stdout) != want {
		t.Errorf("got:\n%swant:\n%s", res.Stdout, want)
	}

	res, err = Run(context.Background(), Command{Argv: []string{"env"}, Dir: dir}) // without the caller's token
	if err != nil || res.Err() != nil {
		t.Fatal(err, res.Err())
	}
	got := strings.Split(strings.TrimSuffix(string(res.Stdout), "\n"), "\n")
	inherited := (&exec.Cmd{Env: append(childenv.Measured(nil), "PWD="+dir)}).Environ()
	slices.Sort(got)
	slices.Sort(inherited)
	if !slices.Equal(got, inherited) || !slices.Contains(got, "PWD="+dir) {
		t.Errorf("inherited environment: got %q, want %q", got, inherited)
	}
}

// No process becomes a supervisor by accident.
func TestSuperviseMarker(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		args, env []string
		want      string
	}{
		{[]string{superviseArg}, nil, "[\"__supervise\"]"},
		{[]string{"list"}, []string{superviseEnv + "=run"}, "[\"list\"]"},
		{[]string{superviseArg, "x"}, []string{superviseEnv + "=run"}, "[\"__supervise\" \"x\"]"},
		{[]string{superviseArg}, []string{superviseEnv + "=run"}, "__supervise is internal: only perftrack itself may start it"},
		{[]string{superviseArg}, []string{superviseEnv + "=guard"}, "__supervise is internal: only perftrack itself may start it"},
	}
	for _, tt := range tests {
		cmd := exec.Command(self, tt.args...)
		cmd.Env = append(tt.env, helperEnv+"=print", "GORACE=atexit_sleep_ms=0")
		out, _ := cmd.CombinedOutput()
		if line, _, _ := strings.Cut(string(out), "\n"); line != tt.want {
			t.Errorf("%q %q: %s, want %s", tt.env, tt.args, line, tt.want)
		}
	}
}

func TestRunNeedsSupervise(t *testing.T) {
	Dismiss()
	supervisable.Store(false)
	defer supervisable.Store(true)
	_, err := Run(context.Background(), Command{Argv: []string{"true"}})
	if err == nil || err.Error() != "supervise true: main must call proc.Supervise first" {
		t.Errorf("error %v", err)
	}
	if _, err := OnDeath(nil); err == nil {
		t.Error("OnDeath started without Supervise")
	}
}

// A freshly written binary can be busy for a moment.
func TestRunTextFileBusy(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "program")
	copyFile(t, "/bin/true", path)
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(100*time.Millisecond, func() { f.Close() })
	res, err := Run(context.Background(), Command{Argv: []string{path}})
	if err != nil || res.Err() != nil {
		t.Errorf("%v, %v", res.Err(), err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, text, 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// BenchmarkTrue measures the cost of supervising one process.
func BenchmarkTrue(b *testing.B) {
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			var out bytes.Buffer
			cmd := exec.Command("/bin/true")
			cmd.Stdout = &out
			if err := cmd.Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("supervised", func(b *testing.B) {
		for b.Loop() {
			if res, err := Run(context.Background(), Command{Argv: []string{"/bin/true"}}); err != nil || res.Err() != nil {
				b.Fatal(err, res.Err())
			}
		}
	})
}

// The caller can provide the file for a program's output, and gets the program's process ID.
func TestRunToAFile(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	pid := 0
	res, err := Run(context.Background(), Command{Argv: []string{"sh", "-c", "echo $$; echo to stderr >&2"}, StdoutFile: w, Started: func(p int) { pid = p }})
	if err != nil || res.Err() != nil || len(res.Stdout) > 0 || string(res.Stderr) != "to stderr\n" {
		t.Errorf("%+v, %v", res, err)
	}
	// ReadAll reaches the end because no process holds the writing end anymore.
	if text, err := io.ReadAll(r); err != nil || string(text) != fmt.Sprintln(pid) {
		t.Errorf("read %q, %v; started %d", text, err, pid)
	}
	// A closed file is an error, and Run does not block.
	if _, err := Run(context.Background(), Command{Argv: []string{"true"}, StdoutFile: w}); err == nil {
		t.Error("a program has run that could not be given its file")
	}
}
