//go:build unix

package proc

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/perftrack/perftrack/runner/childenv"
)

// A supervisor is recognized by three conditions together: this argument and no others, the mode in
// this environment variable, and a socket and a pipe as descriptors 3 and 4. A user's command line
// can contain only the first.
const (
	superviseArg = "__supervise"
	superviseEnv = "PERFTRACK_SUPERVISE"

	modeRun   = "run"
	modeGuard = "guard"
)

// Orders sent over the lifeline, one byte each. Closing the lifeline makes the supervisor kill the
// program immediately.
const (
	orderRun     = 'p' // run the program in the request that follows; carries the descriptors for its stdout and stderr
	orderStop    = 's' // end the current program with SIGTERM and, after the grace period, SIGKILL
	orderRelease = 'r' // end the guard without cleaning up
)

// supervisable is set once main has called Supervise. Otherwise, the re-executed program would run
// main again, which would call Run again, without end.
var supervisable atomic.Bool

// Supervise turns this process into a supervisor and never returns if [Run] or [OnDeath] started it
// for this purpose. Otherwise it returns immediately. It must be the first call in main and in
// TestMain.
func Supervise() {
	if len(os.Args) != 2 || os.Args[1] != superviseArg || os.Getenv(superviseEnv) == "" {
		supervisable.Store(true)
		return
	}
	if !isA(3, unix.S_IFSOCK) || !isA(4, unix.S_IFIFO) {
		fmt.Fprintf(os.Stderr, "%s is internal: only perftrack itself may start it\n", superviseArg)
		os.Exit(2)
	}
	_ = childenv.Seal() // each request comes with its own environment
	closeOnExec()
	lifeline, status := os.NewFile(3, "lifeline"), os.NewFile(4, "status")

	// Only perftrack handles Ctrl-C and SIGTERM. Signals are caught rather than ignored, because an
	// ignored signal would remain ignored in the program.
	deaf := make(chan os.Signal, 1)
	signal.Notify(deaf, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)

	switch os.Getenv(superviseEnv) {
	case modeRun:
		superviseRuns(lifeline, status)
	case modeGuard:
		var req request
		if readFrame(lifeline, &req) == nil { // otherwise perftrack died before it sent the request
			superviseGuard(req, lifeline, status)
		}
	}
	// os.Exit would write to the program's stderr in a build that measures coverage.
	syscall.Exit(0)
}

func isA(fd int, kind uint32) bool {
	var st unix.Stat_t
	return unix.Fstat(fd, &st) == nil && uint32(st.Mode)&unix.S_IFMT == kind
}

// request is a frame sent over the lifeline. It contains bytes instead of strings, because JSON
// would replace invalid UTF-8 in paths.
type request struct {
	Path []byte `json:",omitempty"`
	Argv [][]byte
	Env  [][]byte
	Dir  []byte

	Grace time.Duration
	CPUs  []int `json:",omitempty"`
	Boxed bool  `json:",omitempty"` // the program's process ID differs outside of its box

	Cleanups []request `json:",omitempty"` // only for a guard: the commands to run; their Env is not set
	Remove   [][]byte  `json:",omitempty"` // only for a guard
}

// report is a frame sent over the status pipe. The first report says whether the program was
// started, or why it was not, and the last one how it ended. A guard sends only one report, when it
// is ready.
type report struct {
	Pid      int
	Errno    uintptr `json:",omitempty"` // why the program could not be started
	Unpinned bool    `json:",omitempty"` // the program could not be bound to its CPUs

	Final      bool
	Exited     bool // if false, the program itself survived SIGKILL
	WaitStatus uint32
	Stopped    bool // the supervisor killed the program because of an order, or because perftrack died
	OOMKilled  bool
	Elapsed    time.Duration
	User, Sys  time.Duration
	MaxRSS     int64
	Survivors  []int `json:",omitempty"`
}

// writeFrame writes v as JSON, preceded by its length in four bytes.
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

// receive reads one order from the lifeline fd, together with the descriptors attached to it. It
// returns io.EOF if the lifeline is closed.
func receive(fd int) (order byte, rights []int, err error) {
	one := make([]byte, 1)
	oob := make([]byte, unix.CmsgSpace(2*4))
	for {
		n, oobn, _, _, err := unix.Recvmsg(fd, one, oob, 0)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return 0, nil, err
		case n == 0:
			return 0, nil, io.EOF
		}
		messages, err := unix.ParseSocketControlMessage(oob[:oobn])
		for _, m := range messages {
			fds, _ := unix.ParseUnixRights(&m)
			rights = append(rights, fds...)
		}
		for _, fd := range rights {
			unix.CloseOnExec(fd) // nothing is forked in the meantime
		}
		return one[0], rights, err
	}
}
