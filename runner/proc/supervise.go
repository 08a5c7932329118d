//go:build unix

package proc

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A supervisor is recognised by three things at once: this only argument, the
// mode in this variable, and pipes as descriptors 3 and 4. A user's command
// line has at most the first.
const (
	superviseArg = "__supervise"
	superviseEnv = "PERFTRACK_SUPERVISE"

	modeRun   = "run"
	modeGuard = "guard"
)

// Orders on the lifeline, one byte each. Its end is the strongest: kill.
const (
	orderStop    = 's' // to a run: SIGTERM, grace, SIGKILL
	orderRelease = 'r' // to a guard: end without cleaning up
)

// supervisable is set when main called Supervise. Without that, re-executing
// ourselves would run main again, and that would call Run again, for ever.
var supervisable atomic.Bool

// Supervise turns this process into a supervisor, and never returns, when
// [Run] or [OnDeath] started it as one. Else it returns at once. It must be the
// first call in main and in TestMain.
func Supervise() {
	if len(os.Args) != 2 || os.Args[1] != superviseArg || os.Getenv(superviseEnv) == "" {
		supervisable.Store(true)
		return
	}
	if !isPipe(3) || !isPipe(4) {
		fmt.Fprintf(os.Stderr, "%s is internal: only perftrack itself starts it\n", superviseArg)
		os.Exit(2)
	}
	closeOnExec()
	lifeline, status := os.NewFile(3, "lifeline"), os.NewFile(4, "status")

	// perftrack alone decides what a Ctrl-C or a polite kill means. Notify and
	// not Ignore: ignored signals stay ignored in the program.
	deaf := make(chan os.Signal, 1)
	signal.Notify(deaf, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)

	var req request
	if readFrame(lifeline, &req) != nil {
		syscall.Exit(0) // perftrack died before it asked for anything
	}
	switch os.Getenv(superviseEnv) {
	case modeRun:
		superviseRun(req, lifeline, status)
	case modeGuard:
		superviseGuard(req, lifeline, status)
	}
	// Not os.Exit: a coverage build would write to the program's stderr there.
	syscall.Exit(0)
}

func isPipe(fd int) bool {
	var st unix.Stat_t
	return unix.Fstat(fd, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFIFO
}

// request is the first frame on the lifeline. Bytes and not strings, because
// JSON would replace what is not UTF-8 in a path.
type request struct {
	Path []byte `json:",omitempty"`
	Argv [][]byte
	Env  [][]byte
	Dir  []byte

	Grace time.Duration
	CPUs  []int `json:",omitempty"`

	Cleanups []request `json:",omitempty"` // guard: Argv and Dir are used
	Remove   [][]byte  `json:",omitempty"` // guard
}

// report is a frame on the status pipe: first the started program or why it did
// not start, then its end. A guard reports once, that it is ready.
type report struct {
	Pid      int
	Errno    uintptr `json:",omitempty"` // the program could not be started
	Unpinned bool    `json:",omitempty"` // because it could not be bound to its CPUs

	Final      bool
	Exited     bool // false: the program itself survived SIGKILL
	WaitStatus uint32
	Stopped    bool // the supervisor killed it on order, or because perftrack died
	OOMKilled  bool
	Elapsed    time.Duration
	User, Sys  time.Duration
	MaxRSS     int64
	Survivors  []int `json:",omitempty"`
}

// writeFrame sends v as JSON after its length, four bytes.
func writeFrame(w io.Writer, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	frame := binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(body)), uint32(len(body)))
	_, err = w.Write(append(frame, body...))
	return err
}

func readFrame(r io.Reader, v any) error {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return err
	}
	body := make([]byte, binary.BigEndian.Uint32(size[:]))
	if _, err := io.ReadFull(r, body); err != nil {
		return err
	}
	return json.Unmarshal(body, v)
}

// supervisor is perftrack's end of a supervisor process.
type supervisor struct {
	cmd      *exec.Cmd
	lifeline *os.File // the only writing end there is; closing it means kill
	status   *os.File
}

// startSupervisor re-executes this program in mode. The output of the program
// that it will start goes to stdout and stderr; nil is /dev/null.
func startSupervisor(mode string, stdout, stderr io.Writer) (*supervisor, error) {
	if !supervisable.Load() {
		return nil, errors.New("main must call proc.Supervise first")
	}
	self, err := ownExecutable()
	if err != nil {
		return nil, err
	}
	lifelineEnd, lifeline, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer lifelineEnd.Close()
	status, statusEnd, err := os.Pipe()
	if err != nil {
		_ = lifeline.Close()
		return nil, err
	}
	defer statusEnd.Close()
	cmd := &exec.Cmd{
		Path:       self,
		Args:       []string{os.Args[0], superviseArg},
		Env:        append(supervisorEnv(os.Environ()), superviseEnv+"="+mode),
		Stdout:     stdout,
		Stderr:     stderr,
		ExtraFiles: []*os.File{lifelineEnd, statusEnd},
		WaitDelay:  drainLimit,
		// A session of its own: a terminal's Ctrl-C and hang-up reach only
		// perftrack, and a program that asks the terminal for a password gets
		// an error where it would be stopped as a background job for ever.
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	if err := cmd.Start(); err != nil {
		_ = lifeline.Close()
		_ = status.Close()
		return nil, err
	}
	return &supervisor{cmd: cmd, lifeline: lifeline, status: status}, nil
}

// supervisorEnv is the environment of the supervisor itself: the program gets
// its own by request. Without Go's variables, since GODEBUG=gctrace=1 would
// make the supervisor write into the program's stderr.
func supervisorEnv(env []string) []string {
	kept := make([]string, 0, len(env)+1)
	for _, kv := range env {
		if !strings.HasPrefix(kv, "GO") && !strings.HasPrefix(kv, superviseEnv+"=") {
			kept = append(kept, kv)
		}
	}
	return kept
}

// lastReport reads reports until the pipe ends. Where the supervisor died
// before the final one, the program is dead too (its parent-death signal), and
// its process group is killed here: what left the group survives.
func (s *supervisor) lastReport() report {
	var last report
	for {
		var r report
		if readFrame(s.status, &r) != nil {
			break
		}
		last = r
	}
	if !last.Final && last.Pid > 1 {
		_ = unix.Kill(-last.Pid, unix.SIGKILL)
	}
	return last
}

// wait ends the supervisor and waits for it and for the rest of the output.
func (s *supervisor) wait() error {
	_ = s.lifeline.Close()
	err := s.cmd.Wait()
	_ = s.status.Close()
	if errors.Is(err, exec.ErrWaitDelay) {
		return errors.New("output still open after the end")
	}
	return err
}
