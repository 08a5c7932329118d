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

// A supervisor is recognised by three things at once: this only argument, the
// mode in this variable, and a socket and a pipe as descriptors 3 and 4. A user's
// command line has at most the first.
const (
	superviseArg = "__supervise"
	superviseEnv = "PERFTRACK_SUPERVISE"

	modeRun   = "run"
	modeGuard = "guard"
)

// Orders on the lifeline, one byte each. Its end is the strongest: kill.
const (
	orderRun     = 'p' // with the descriptors of its stdout and stderr, before its request
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
	if !isA(3, unix.S_IFSOCK) || !isA(4, unix.S_IFIFO) {
		fmt.Fprintf(os.Stderr, "%s is internal: only perftrack itself starts it\n", superviseArg)
		os.Exit(2)
	}
	_ = childenv.Seal() // it gets environments by request
	closeOnExec()
	lifeline, status := os.NewFile(3, "lifeline"), os.NewFile(4, "status")

	// perftrack alone decides what a Ctrl-C or a polite kill means. Notify and
	// not Ignore: ignored signals stay ignored in the program.
	deaf := make(chan os.Signal, 1)
	signal.Notify(deaf, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)

	switch os.Getenv(superviseEnv) {
	case modeRun:
		superviseRuns(lifeline, status)
	case modeGuard:
		var req request
		if readFrame(lifeline, &req) == nil { // else perftrack died before it asked for anything
			superviseGuard(req, lifeline, status)
		}
	}
	// Not os.Exit: a coverage build would write to the program's stderr there.
	syscall.Exit(0)
}

func isA(fd int, kind uint32) bool {
	var st unix.Stat_t
	return unix.Fstat(fd, &st) == nil && uint32(st.Mode)&unix.S_IFMT == kind
}

// request is the frame on the lifeline that says what to do. Bytes and not strings, because
// JSON would replace what is not UTF-8 in a path.
type request struct {
	Path []byte `json:",omitempty"`
	Argv [][]byte
	Env  [][]byte
	Dir  []byte

	Grace time.Duration
	CPUs  []int `json:",omitempty"`
	Boxed bool  `json:",omitempty"` // its process ID is another one outside

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

// receive reads one order from the lifeline in fd and the descriptors that come
// with it. The end of the lifeline is io.EOF.
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
			unix.CloseOnExec(fd) // nothing is forked meanwhile
		}
		return one[0], rights, err
	}
}
