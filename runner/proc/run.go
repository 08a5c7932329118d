//go:build unix

package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/perftrack/perftrack/runner/childenv"
)

const (
	// stderrLimit is the number of bytes of stderr to keep. Half of them come from the beginning,
	// where the first compiler error is, and half from the end, where a panic is.
	stderrLimit = 1 << 20

	// killLimit is how long the supervisor tries to kill processes before it reports the survivors.
	// Only processes of another user and those stuck in the kernel live longer than a few
	// milliseconds.
	killLimit = 5 * time.Second

	// drainLimit is how long Run keeps reading after the supervisor has ended. By then, only
	// surviving processes can hold the pipe open.
	drainLimit = 2 * time.Second
)

// Run executes c and returns when the program and all its descendants are gone. They are killed
// when the program exits, when c.Timeout has passed, when ctx is done and when this process dies.
//
// A failure of the program is not an error of Run; see [Result.Err]. Run returns an error if the
// program was not found or is not executable, if the supervisor was killed, if another user's
// descendants survived SIGKILL, or if a copy of the output could not be written. The Result is then
// incomplete.
func Run(ctx context.Context, c Command) (Result, error) {
	if c.StdoutFile != nil {
		defer c.StdoutFile.Close() // in case nothing was started; otherwise it is already closed
	}
	req, err := c.request()
	if err != nil {
		return Result{ExitCode: -1}, err
	}
	if ctx.Err() != nil {
		return Result{ExitCode: -1, Canceled: true}, nil
	}
	limit := c.OutputLimit
	if limit == 0 {
		limit = DefaultOutputLimit
	}
	stdout := &capture{head: limit, copy: c.Stdout}
	stderr := &capture{head: stderrLimit / 2, tail: stderrLimit / 2, copy: c.Stderr}

	began := time.Now()
	s, output, err := engage(req, c.Box, c.StdoutFile, stdout, stderr)
	if err != nil {
		return Result{ExitCode: -1}, fmt.Errorf("supervise %s: %w", c.Argv[0], err)
	}
	end, ended := s.await(ctx, c)
	waitErr := output.drain()
	if end.clean() && ended == endedByItself {
		waitErr = errors.Join(waitErr, s.rest())
	} else {
		waitErr = errors.Join(waitErr, s.wait())
	}

	res := Result{ExitCode: -1}
	end.fill(&res, ended)
	res.limit = c.Timeout
	if ended == endedByDeadline {
		res.limit = time.Since(began).Round(time.Millisecond)
	}
	var dropped int64
	var outErr, errErr error
	res.Stdout, dropped, outErr = stdout.finish()
	res.Truncated = dropped > 0
	if res.Truncated {
		res.Stdout = wholeLines(res.Stdout)
	}
	res.Stderr, _, errErr = stderr.finish()
	return res, runError(c.Argv[0], end, waitErr, errors.Join(outErr, errErr))
}

// engage hands req to a supervisor and starts reading the program's output. If given is not nil,
// the program's stdout goes there instead.
func engage(req request, box *Box, given *os.File, stdout, stderr io.Writer) (s *supervisor, out *output, err error) {
	out, err = newOutput(given)
	if err != nil {
		return nil, nil, err
	}
	s, err = hand(req, box, out.writers[0], out.writers[1])
	for _, w := range out.writers {
		_ = w.Close() // the supervisor has its own copies now
	}
	out.read(stdout, stderr)
	if err != nil {
		return nil, nil, errors.Join(err, out.drain())
	}
	return s, out, nil
}

// request turns c into a request for the supervisor.
func (c Command) request() (request, error) {
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return request{}, errors.New("start program: the command is empty")
	}
	path, err := lookPath(c.Argv[0])
	if err != nil {
		return request{}, fmt.Errorf("start %s: %w", c.Argv[0], err)
	}
	if c.Dir != "" {
		// Checked here because execve reports a missing directory as if the program were missing.
		if info, err := os.Stat(c.Dir); err != nil {
			return request{}, fmt.Errorf("start %s: %w", c.Argv[0], err)
		} else if !info.IsDir() {
			return request{}, fmt.Errorf("start %s: %s: %w", c.Argv[0], c.Dir, syscall.ENOTDIR)
		}
	}
	// The supervisor may have been started in another directory.
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return request{}, fmt.Errorf("start %s: %w", c.Argv[0], err)
	}
	env := c.Env
	if env == nil {
		env = append(childenv.Measured(nil), "PWD="+dir)
	}
	env = (&exec.Cmd{Env: env}).Environ() // removes duplicate keys
	return request{Path: []byte(path), Argv: toBytes(c.Argv), Env: toBytes(env), Dir: []byte(dir), Grace: c.Grace, CPUs: c.CPUs}, nil
}

// lookPath searches PATH for name if it contains no slash. A name with a slash is returned
// unchanged, and is relative to the program's directory.
func lookPath(name string) (string, error) {
	if strings.Contains(name, "/") {
		return name, nil
	}
	return exec.LookPath(name)
}

// A stopCause is the reason why Run ended the program.
type stopCause int

const (
	endedByItself stopCause = iota
	endedByTimeout
	endedByDeadline // the context's deadline passed
	endedByCancel
)

// await waits for the final report. When the timeout has passed or ctx is done, it makes the
// supervisor end the program and its descendants, and keeps waiting for a limited time.
func (s *supervisor) await(ctx context.Context, c Command) (report, stopCause) {
	var timeout <-chan time.Time
	if c.Timeout > 0 {
		timer := time.NewTimer(c.Timeout)
		defer timer.Stop()
		timeout = timer.C
	}
	reports := make(chan report, 1)
	go func() { reports <- s.lastReport(c.Started) }()

	var ended stopCause
	select {
	case r := <-reports:
		return r, endedByItself
	case <-timeout:
		ended = endedByTimeout
		_ = s.lifeline.Close()
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			ended = endedByDeadline
			_ = s.lifeline.Close()
		} else {
			ended = endedByCancel
			// This fails only if the supervisor is gone, which also ends the wait.
			_, _ = s.lifeline.Write([]byte{orderStop})
		}
	}
	// The leader and its remaining descendants get one killLimit each. A supervisor that takes
	// longer has been stopped and must be killed.
	late := time.NewTimer(c.Grace + 2*killLimit + drainLimit)
	defer late.Stop()
	select {
	case r := <-reports:
		return r, ended
	case <-late.C:
		s.kill()
		return <-reports, ended
	}
}

// fill copies the supervisor's report into res.
func (r report) fill(res *Result, ended stopCause) {
	if !r.Final || r.Errno != 0 {
		return
	}
	res.Elapsed, res.User, res.Sys, res.MaxRSS = r.Elapsed, r.User, r.Sys, r.MaxRSS
	if r.Exited {
		ws := syscall.WaitStatus(r.WaitStatus)
		res.ExitCode = ws.ExitStatus()
		if ws.Signaled() {
			res.Signal = ws.Signal()
		}
	}
	// If Stopped is false, the program ended just before our request and counts as finished.
	if r.Stopped {
		res.TimedOut = ended == endedByTimeout || ended == endedByDeadline
		res.Canceled = ended == endedByCancel
	}
	res.OOMKilled = r.OOMKilled
}

// clean reports whether the program ended and left nothing running.
func (r report) clean() bool {
	return r.Final && r.Exited && r.Errno == 0 && len(r.Survivors) == 0
}

// runError returns the error of Run, or nil if supervising the program worked.
func runError(name string, end report, waitErr, copyErr error) error {
	switch {
	case end.Unpinned:
		return fmt.Errorf("start %s: pin it to its CPUs: %w (did the machine's CPUs or the control group's cpuset change?)", name, syscall.Errno(end.Errno))
	case end.Errno != 0:
		return fmt.Errorf("start %s: %w", name, syscall.Errno(end.Errno))
	case !end.Final && waitErr != nil:
		return fmt.Errorf("supervise %s: %w: %w", name, ErrLost, waitErr)
	case !end.Final:
		return fmt.Errorf("supervise %s: %w", name, ErrLost)
	case len(end.Survivors) > 0:
		return fmt.Errorf("supervise %s: processes %v survived SIGKILL; end them by hand", name, end.Survivors)
	case waitErr != nil:
		return fmt.Errorf("supervise %s: %w", name, waitErr)
	case copyErr != nil:
		return fmt.Errorf("copy output from %s: %w", name, copyErr)
	}
	return nil
}

func toBytes(list []string) [][]byte {
	out := make([][]byte, len(list))
	for i, s := range list {
		out[i] = []byte(s)
	}
	return out
}

func toStrings(list [][]byte) []string {
	out := make([]string, len(list))
	for i, b := range list {
		out[i] = string(b)
	}
	return out
}
