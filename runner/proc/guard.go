//go:build unix

package proc

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/perftrack/perftrack/runner/childenv"
)

const (
	// cleanupLimit limits how long a guard cleans up. The supervisors kill builds within
	// milliseconds of perftrack's death, but before that, they may create new files in folders the
	// guard is removing.
	cleanupLimit = 10 * time.Second
	cleanupPause = 200 * time.Millisecond
)

// Guard is a process that cleans up if this process dies, even if it is killed by SIGKILL.
type Guard struct {
	s       *supervisor
	release sync.Once
	err     error
}

// OnDeath starts a Guard. If this process ends without calling [Guard.Release], the guard runs the
// commands in order and removes the directories and everything in them. It retries for 10 seconds,
// so it must be safe to run a command more than once. The guard has its own session, ignores
// SIGINT, SIGTERM and SIGHUP, and prints nothing.
//
// dirs must be absolute paths other than the root.
func OnDeath(dirs []string, commands ...Cleanup) (*Guard, error) {
	req := request{Env: toBytes(childenv.Tools()), Remove: toBytes(dirs)}
	for _, d := range dirs {
		if !filepath.IsAbs(d) || filepath.Clean(d) == "/" {
			return nil, fmt.Errorf("guard %q: not an absolute path below the root", d)
		}
	}
	for _, c := range commands {
		if len(c.Argv) == 0 || !filepath.IsAbs(c.Dir) {
			return nil, fmt.Errorf("guard: clean up with %q in %q: needs a program and an absolute directory", c.Argv, c.Dir)
		}
		path, err := lookPath(c.Argv[0])
		if err != nil {
			return nil, fmt.Errorf("guard: clean up with %s: %w", c.Argv[0], err)
		}
		req.Cleanups = append(req.Cleanups, request{Path: []byte(path), Argv: toBytes(c.Argv), Dir: []byte(c.Dir)})
	}
	s, err := startSupervisor(modeGuard, nil)
	if err != nil {
		return nil, fmt.Errorf("start guard: %w", err)
	}
	_ = writeFrame(s.lifeline, req)
	var ready report
	if err := readFrame(s.status, &ready); err != nil {
		_ = s.cmd.Process.Kill()
		return nil, fmt.Errorf("start guard: it ended early: %w", errors.Join(err, s.wait()))
	}
	return &Guard{s: s}, nil
}

// Release ends the guard without a cleanup. The caller must have cleaned up. It returns an error if
// the guard was already gone. Further calls return the same error.
func (g *Guard) Release() error {
	g.release.Do(func() {
		_, err := g.s.lifeline.Write([]byte{orderRelease})
		if err = errors.Join(err, g.s.wait()); err != nil {
			g.err = fmt.Errorf("release guard: %w", err)
		}
	})
	return g.err
}

// superviseGuard runs in the guard's process. It waits and then cleans up unless it was released.
func superviseGuard(req request, lifeline, status *os.File) {
	if writeFrame(status, report{Final: true}) != nil {
		// perftrack died in the meantime, so clean up.
		_ = lifeline.Close()
	}
	_ = status.Close()
	var b [1]byte
	if n, _ := lifeline.Read(b[:]); n == 1 && b[0] == orderRelease {
		return
	}
	deadline := time.Now().Add(cleanupLimit)
	pending := req.Cleanups
	for turn := 0; time.Now().Before(deadline); turn++ {
		pending = runCleanups(pending, toStrings(req.Env), deadline)
		back := false
		for _, dir := range req.Remove {
			if _, err := os.Lstat(string(dir)); !errors.Is(err, fs.ErrNotExist) {
				back = true
				_ = RemoveAll(string(dir)) // errors do not matter, because the removal is retried until the deadline
			}
		}
		// Only a second pass shows whether the directories stay removed.
		if turn > 0 && !back && len(pending) == 0 {
			return
		}
		time.Sleep(cleanupPause)
	}
}

// runCleanups runs the commands and returns the failed ones. It kills a command still running at
// the deadline.
func runCleanups(commands []request, env []string, deadline time.Time) (failed []request) {
	ctx, cancel := context.WithDeadline(context.Background(), deadline)
	defer cancel()
	for _, c := range commands {
		cmd := exec.CommandContext(ctx, string(c.Path))
		cmd.Args, cmd.Dir, cmd.Env = toStrings(c.Argv), string(c.Dir), env
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
		if cmd.Run() != nil {
			failed = append(failed, c)
		}
	}
	return failed
}
