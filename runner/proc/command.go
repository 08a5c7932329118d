package proc

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// DefaultOutputLimit is the default for Command.OutputLimit. The output of a thousand rounds of a
// hundred benchmarks is below 10 MiB.
const DefaultOutputLimit = 16 << 20

// Command is a program to execute. It gets an empty standard input and a process group of its own,
// but no terminal, and no file descriptors other than 0, 1 and 2.
type Command struct {
	Argv    []string      // Argv[0] is looked up in PATH if it contains no slash; otherwise it is relative to Dir
	Dir     string        // working directory; "" means the caller's
	Env     []string      // "key=value"; nil means childenv.Measured(nil) and PWD
	Timeout time.Duration // wall time limit for the program and its descendants; 0 means no limit

	// Grace applies when the context is canceled. It is the time between SIGTERM to the process
	// group and SIGKILL to all descendants, for programs that clean up after themselves, such as
	// make and git. If it is 0, SIGKILL is sent immediately. Grace has no effect after a timeout or
	// when perftrack dies.
	Grace time.Duration

	// CPUs are the CPUs allowed for the program and its descendants, as numbered by Linux; see
	// [UsableCPUs]. nil means the CPUs of this process. The program can restrict itself further,
	// for example because of its arguments.
	CPUs []int

	// Box isolates the program if it is not nil.
	Box *Box

	OutputLimit int64 // number of bytes of stdout to keep; 0 means DefaultOutputLimit

	// Stdout and Stderr, if not nil, receive a copy of everything as it arrives, even beyond the
	// limits. If a writer blocks, so does the program.
	Stdout, Stderr io.Writer

	// StdoutFile, if not nil, becomes the program's stdout, for example the writing end of a pipe
	// to the caller. Result.Stdout then stays empty, and Stdout receives nothing. Run closes the
	// file, so the reader sees the end of the program.
	StdoutFile *os.File

	// Started, if not nil, is called with the process ID of the program, which is also the ID of
	// its process group. A program that ends immediately may already be gone.
	Started func(pid int)
}

// ErrLost means that the supervisor of a program was killed or stopped, possibly by the program
// itself. The program's process group was killed; other programs continue.
var ErrLost = errors.New("the supervisor process exited early")

// Result describes the end and the output of a program.
type Result struct {
	Stdout []byte // whole lines from the beginning, at most OutputLimit bytes
	Stderr []byte // at most 1 MiB, from the beginning and the end; a line between them states how much is missing

	// Truncated reports whether Stdout is incomplete. The program was not delayed by this.
	Truncated bool

	ExitCode int            // -1 if a signal ended the program or it never started
	Signal   syscall.Signal // the fatal signal, or 0 if the program exited

	TimedOut  bool // killed because of Command.Timeout or the deadline of the context
	Canceled  bool // killed or not started because the context was canceled
	OOMKilled bool // killed by the kernel because the machine ran out of memory

	Elapsed   time.Duration // monotonic, from the fork to the exit of the program itself
	User, Sys time.Duration // CPU time of the program and its reaped descendants

	// MaxRSS is the largest resident set, in bytes, among the program and its reaped descendants.
	// It is 0 if unknown. Linux includes the moment before exec, when the process still has the
	// memory of its supervisor. MaxRSS is therefore unknown for a program using no more memory than
	// its supervisor, which runs the same executable.
	MaxRSS int64

	limit time.Duration // the exceeded limit if TimedOut is set
}

// Err returns nil if the exit status is 0. Otherwise it returns an error such as "exit status 1",
// "killed: timed out after 10s", "killed: out of memory", "interrupted" or "signal: segmentation
// fault".
func (r Result) Err() error {
	switch {
	case r.TimedOut:
		return fmt.Errorf("killed: timed out after %v", r.limit)
	case r.Canceled:
		return errors.New("interrupted")
	case r.OOMKilled:
		return errors.New("killed: out of memory")
	case r.Signal != 0:
		return fmt.Errorf("signal: %v", r.Signal)
	case r.ExitCode != 0:
		return fmt.Errorf("exit status %d", r.ExitCode)
	}
	return nil
}

// Cleanup is a command for a [Guard] to run after perftrack has died, such as `git worktree remove
// --force DIR` in the repository.
type Cleanup struct {
	Dir  string // absolute path of the working directory
	Argv []string
}
