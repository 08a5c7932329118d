package proc

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// survivors returns the living processes with the token in their environment or name. It finds them
// without using the process tree.
func survivors(token string) (pids []int) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		env, _ := os.ReadFile("/proc/" + e.Name() + "/environ")
		line, _ := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if !bytes.Contains(env, []byte(tokenEnv+"="+token+"\x00")) && !bytes.HasPrefix(line, []byte("helper-"+token+"\x00")) {
			continue
		}
		stat, _ := os.ReadFile("/proc/" + e.Name() + "/stat")
		if p, ok := parseStat(stat); ok && !p.zombie {
			pids = append(pids, pid)
		}
	}
	return pids
}

// expectNoSurvivors fails the test if processes with the token do not end within patience, and
// kills them.
func expectNoSurvivors(t *testing.T, token string) {
	t.Helper()
	if within(func() bool { return len(survivors(token)) == 0 }) {
		return
	}
	left := survivors(token)
	t.Errorf("%d survivors: %v", len(left), left)
	for ; len(left) > 0; left = survivors(token) {
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

var scripts = []string{"grandchild", "setsid", "daemon", "early", "stubborn"}

func TestNoDescendantSurvives(t *testing.T) {
	endings := map[string]func(t *testing.T, script, token string){
		"end":     endNormally,
		"timeout": endByTimeout,
		"cancel":  endByCancel,
		"killed":  endByKillingOwner,
	}
	for _, script := range scripts {
		for name, end := range endings {
			t.Run(script+"/"+name, func(t *testing.T) {
				t.Parallel()
				token := newToken(t)
				end(t, script, token)
				expectNoSurvivors(t, token)
			})
		}
	}
}

func endNormally(t *testing.T, script, token string) {
	res, err := Run(context.Background(), helper(token, "tree", script, ""))
	if err != nil || res.Err() != nil || !bytes.Contains(res.Stdout, []byte("ready")) {
		t.Errorf("%v, %v, stdout %.100q", res.Err(), err, res.Stdout)
	}
	if left := survivors(token); len(left) > 0 {
		t.Errorf("%d descendants alive when Run returned", len(left))
	}
}

func endByTimeout(t *testing.T, script, token string) {
	c := helper(token, "tree", script, "hold")
	c.Timeout = 1500 * time.Millisecond
	began := time.Now()
	res, err := Run(context.Background(), c)
	took := time.Since(began)
	if err != nil {
		t.Error(err)
	}
	if script == "early" { // the leader ended by itself
		if res.Err() != nil {
			t.Error(res.Err())
		}
		return
	}
	if got := fmt.Sprint(res.Err()); got != "killed: timed out after 1.5s" || !res.TimedOut || res.Signal != syscall.SIGKILL {
		t.Errorf("%s, signal %d", got, res.Signal)
	}
	if took < c.Timeout {
		t.Errorf("timed out after %v, not %v", took, c.Timeout)
	}
	if left := survivors(token); len(left) > 0 {
		t.Errorf("%d descendants alive when Run returned", len(left))
	}
}

func endByCancel(t *testing.T, script, token string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := helper(token, "tree", script, "hold")
	out := newTail()
	c.Stdout = out
	done := make(chan struct{})
	go func() {
		defer close(done)
		res, err := Run(ctx, c)
		if script == "early" {
			if err != nil || res.Err() != nil && !res.Canceled {
				t.Error(res.Err(), err)
			}
		} else if err != nil || !res.Canceled || fmt.Sprint(res.Err()) != "interrupted" {
			t.Error(res.Err(), err)
		}
	}()
	out.waitFor(t, "ready")
	cancel()
	<-done
}

func endByKillingOwner(t *testing.T, script, token string) {
	out := newTail()
	owner := start(helper(token, "owner", script, "hold"), false, out)
	out.waitFor(t, "ready")
	if n := len(survivors(token)); n < 2 {
		t.Errorf("only %d processes to kill: the test proves nothing", n)
	}
	_ = owner.Process.Kill()
	// Do not call owner.Wait, because survivors would hold the output open.
	_, _ = owner.Process.Wait()
}

// perftrack can be killed at any moment, even while a supervisor is starting.
func TestOwnerKilledAnyTime(t *testing.T) {
	t.Parallel()
	trials := 30
	if testing.Short() {
		trials = 5
	}
	rng := rand.New(rand.NewPCG(1, 0))
	token := newToken(t)
	for range trials {
		owner := start(helper(token, "owner", "daemon", "hold"), false, nil)
		time.Sleep(time.Duration(rng.Int64N(int64(150 * time.Millisecond))))
		_ = owner.Process.Kill()
		_ = owner.Wait()
	}
	expectNoSurvivors(t, token)
}

func TestSupervisorKilled(t *testing.T) {
	t.Parallel()
	token := newToken(t)
	c := helper(token, "tree", "grandchild", "hold")
	out := newTail()
	c.Stdout = out
	failed := make(chan error, 1)
	go func() {
		_, err := Run(context.Background(), c)
		failed <- err
	}()
	pid, err := strconv.Atoi(strings.Fields(out.waitFor(t, "ready"))[1])
	if err != nil {
		t.Fatal(err)
	}
	_ = syscall.Kill(pid, syscall.SIGTERM) // ignored
	_ = syscall.Kill(pid, syscall.SIGINT)
	select {
	case err := <-failed:
		t.Fatalf("the supervisor obeyed SIGTERM or SIGINT: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
	if err := <-failed; err == nil || !strings.HasSuffix(err.Error(), "the supervisor process exited early: signal: killed") {
		t.Errorf("error %v", err)
	}
	expectNoSurvivors(t, token)
}

// Programs that fork while they are being killed do not survive.
func TestForkingWhileKilled(t *testing.T) {
	t.Parallel()
	// In a comet, each generation leaves its session and group, starts the next one and exits. A
	// comet stops by itself after some seconds.
	comet := filepath.Join(t.TempDir(), "comet.sh")
	if err := os.WriteFile(comet, []byte(`[ "$1" = 0 ] && echo ready; [ "$1" -lt 3000 ] && setsid sh "$0" $(($1 + 1)) & exit`), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		argv []string
		hold bool
	}{
		{"spawner", nil, true},
		{"comet", []string{"sh", "-c", `sh "$0" 0; sleep 180`, comet}, true},
		{"comet left behind", []string{"sh", comet, "0"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			token := newToken(t)
			c := helper(token, "spawner")
			if tt.argv != nil {
				if _, err := exec.LookPath("setsid"); err != nil {
					t.Skip("no setsid(1) here")
				}
				c.Argv = tt.argv
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			out := newTail()
			c.Stdout = out
			go func() {
				defer cancel()
				out.waitFor(t, "ready")
				time.Sleep(50 * time.Millisecond)
			}()
			res, err := Run(ctx, c)
			if err != nil || tt.hold && !res.Canceled {
				t.Error(res.Err(), err)
			}
			if left := survivors(token); len(left) > 0 {
				t.Errorf("%d descendants alive when Run returned", len(left))
			}
			expectNoSurvivors(t, token)
		})
	}
}

// A bisection may replace the perftrack that runs it.
func TestRunAfterOwnBinaryIsGone(t *testing.T) {
	t.Parallel()
	c := helper(newToken(t), "deleted")
	gone := filepath.Join(t.TempDir(), "perftrack")
	copyFile(t, c.Argv[0], gone)
	c.Argv[0] = gone
	res, err := Run(context.Background(), c)
	if want := "<nil> <nil> <nil> still works\n"; err != nil || string(res.Stdout) != want {
		t.Errorf("%q, %v; want %q", res.Stdout, err, want)
	}
}

func TestRunDescriptors(t *testing.T) {
	// Not parallel: the descriptor below would leak into other tests' helpers.
	fd, err := syscall.Open("/dev/null", syscall.O_RDONLY, 0) // without O_CLOEXEC
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	// This is not a Go program, because Go's runtime opens files of its own. The descriptor for the
	// directory listing is closed again by the time the loop looks at it.
	list := Command{Argv: []string{"sh", "-c", `for f in /proc/$$/fd/*; do [ -L "$f" ] && echo "${f##*/}"; done; readlink /proc/$$/fd/0`}}
	res, err := Run(context.Background(), list)
	if want := "0\n1\n2\n/dev/null\n"; err != nil || string(res.Stdout) != want {
		t.Errorf("%v, descriptors of the program:\n%swant\n%s", err, res.Stdout, want)
	}
	res, err = Run(context.Background(), helper(newToken(t), "nonblocking"))
	if err != nil || string(res.Stdout) != "0 false\n1 false\n2 false\n" {
		t.Errorf("%v, nonblocking:\n%s", err, res.Stdout)
	}
}

// The program has its own process group in the supervisor's session, so Ctrl-C in a terminal does
// not reach them.
func TestRunSession(t *testing.T) {
	t.Parallel()
	res, err := Run(context.Background(), helper(newToken(t), "session"))
	var self, parent, group, session, parentGroup int
	if _, scanErr := fmt.Sscan(string(res.Stdout), &self, &parent, &group, &session, &parentGroup); err != nil || scanErr != nil {
		t.Fatal(err, scanErr)
	}
	if group != self || session != parent || parentGroup != parent {
		t.Errorf("program %d of supervisor %d: group %d, session %d, supervisor's group %d", self, parent, group, session, parentGroup)
	}
}

func TestParseStat(t *testing.T) {
	tests := []struct {
		stat string
		want process
		ok   bool
	}{
		{"7 (sh) S 3 5 5 0 -1", process{parent: 3, group: 5}, true},
		{"7 (a) R 9 9 (b) Z 3 5 5", process{parent: 3, group: 5, zombie: true}, true},
		{"7 (x", process{}, false},
		{"7 (x) S", process{}, false},
		{"", process{}, false},
	}
	for _, tt := range tests {
		if got, ok := parseStat([]byte(tt.stat)); got != tt.want || ok != tt.ok {
			t.Errorf("parseStat(%q) = %+v, %v; want %+v, %v", tt.stat, got, ok, tt.want, tt.ok)
		}
	}
}

// A supervisor sleeps while its program is stopped and continued, no matter how often.
func TestSupervisorIsDeafToStops(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	pids, ended := make(chan int, 1), make(chan error, 1)
	go func() {
		_, err := Run(ctx, Command{Argv: []string{"sleep", "180"}, Started: func(pid int) { pids <- pid }})
		ended <- err
	}()
	pid := <-pids
	state := func() (process, string) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			t.Fatal(err)
		}
		p, _ := parseStat(text)
		return p, strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))[0]
	}
	supervisor, _ := state()
	// Go's runtime occasionally wakes a process for reasons of its own, especially just after the
	// process has started. If stops woke it, every series would show this.
	const stops = 60
	least := math.MaxInt
	for range 10 {
		before := switches(t, supervisor.parent)
		for range stops {
			for _, sig := range []unix.Signal{unix.SIGSTOP, unix.SIGCONT} {
				if err := unix.Kill(pid, sig); err != nil {
					t.Fatal(err)
				}
				if !within(func() bool { _, s := state(); return (s == "T") == (sig == unix.SIGSTOP) }) {
					t.Fatalf("signal %v has no effect", sig)
				}
			}
		}
		if least = min(least, switches(t, supervisor.parent)-before); least < stops/2 {
			break
		}
	}
	if least >= stops/2 {
		t.Errorf("the supervisor woke at least %d times in %d stops", least, stops)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// switches returns how often the threads of a process have waited.
func switches(t *testing.T, pid int) (n int) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if rest, ok := strings.CutPrefix(line, "voluntary_ctxt_switches:"); ok {
				count, _ := strconv.Atoi(strings.TrimSpace(rest))
				n += count
			}
		}
	}
	return n
}
