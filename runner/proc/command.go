package proc

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// DefaultOutputLimit is how much of stdout Run keeps when the command does
// not say. A thousand rounds of a hundred benchmarks are below 10 MiB.
const DefaultOutputLimit = 16 << 20

// Command is one program to execute. Its stdin is empty, its process group is its
// own, it has no terminal and no descriptors but 0, 1 and 2.
type Command struct {
	Argv    []string      // Argv[0] is looked up in PATH when it has no slash; with one it is relative to Dir
	Dir     string        // working directory; empty is the caller's
	Env     []string      // "key=value"; nil is what [childenv.Measured] leaves of the caller's
	Timeout time.Duration // wall time after which the tree is killed; 0 is none

	// Grace is the time between SIGTERM to the process group and SIGKILL to
	// the tree when the context is cancelled, for programs that tidy up, such
	// as make and git. 0 is SIGKILL at once, and so are a timeout and the
	// death of perftrack whatever Grace says.
	Grace time.Duration

	// CPUs are the ones that the program and everything it starts may run on, as
	// Linux numbers them, see [UsableCPUs]; nil is this process's own. What the
	// program was told by other means, such as its arguments, may narrow that.
	CPUs []int

	// Box, when set, isolates the program.
	Box *Box

	OutputLimit int64 // bytes of stdout to keep; 0 is DefaultOutputLimit

	// Stdout and Stderr, when set, get a copy of everything as it arrives,
	// also of what is beyond the limits. A writer that blocks blocks the
	// program.
	Stdout, Stderr io.Writer

	// StdoutFile, when set, is the program's stdout itself, such as the writing end of a
	// pipe that the caller reads: Result.Stdout stays empty, and Stdout gets nothing. Run
	// closes it, so that what reads the pipe sees the end of the program.
	StdoutFile *os.File

	// Started, when set, is called with the program's process id, which is its process
	// group, too. A program that ends at once may be gone by then.
	Started func(pid int)
}

// ErrLost is in the error of a program whose supervisor was killed or stopped, perhaps by the program.
// Its process group was killed; other programs are not concerned.
var ErrLost = errors.New("the supervisor ended early")

// Result is how a program ended and what it said.
type Result struct {
	Stdout []byte // whole lines from the start, at most OutputLimit bytes
	Stderr []byte // at most 1 MiB: head and tail, with a line between them saying how much is missing

	// Truncated says that Stdout is not all that was written. The program was
	// never held up by it.
	Truncated bool

	ExitCode int            // -1 when a signal ended the program or it never started
	Signal   syscall.Signal // what ended it, 0 when it exited

	TimedOut  bool // killed because of Command.Timeout or the context's deadline
	Canceled  bool // killed, or not started, because the context was cancelled
	OOMKilled bool // killed by the kernel for want of memory

	Elapsed   time.Duration // monotonic, from fork to exit of the program itself
	User, Sys time.Duration // CPU time of the program and the descendants it waited for

	// MaxRSS is the largest resident set in bytes among the program and the
	// descendants it waited for; 0 is not known. Linux counts the moment before exec,
	// too, when the program had the memory of its supervisor, which is this same
	// executable: of a program that never had more nothing is known.
	MaxRSS int64

	limit time.Duration // the time limit that TimedOut is about
}

// Err is nil for exit status 0 and else says how the program ended:
// "exit status 1", "killed: timed out after 10s", "killed: out of memory",
// "interrupted", "signal: segmentation fault".
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

// Cleanup is a command that a [Guard] runs when perftrack died, such as
// `git worktree remove --force DIR` in the repository.
type Cleanup struct {
	Dir  string // working directory, absolute
	Argv []string
}
