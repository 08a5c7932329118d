//go:build unix

package proc

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// A supervisor is perftrack's end of a supervisor process.
type supervisor struct {
	cmd      *exec.Cmd
	lifeline *os.File // the only copy of this end; closing it makes the supervisor kill its program
	status   *os.File
	box      string // the command that created its box, or ""
}

// startSupervisor re-executes this program as a supervisor in the given mode.
func startSupervisor(mode string, box *Box) (*supervisor, error) {
	if !supervisable.Load() {
		return nil, errors.New("main must call proc.Supervise first")
	}
	self, err := ownExecutable()
	if err != nil {
		return nil, err
	}
	argv, name, err := commandOf(self, box)
	if err != nil {
		return nil, err
	}
	lifeline, lifelineEnd, err := socketPair()
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
		Path:       argv[0],
		Args:       append([]string{name}, argv[1:]...),
		Env:        append(supervisorEnv(os.Environ()), superviseEnv+"="+mode),
		ExtraFiles: []*os.File{lifelineEnd, statusEnd},
		// Because the supervisor has its own session, Ctrl-C and a hang-up of the terminal reach
		// only perftrack. A program asking for a password on the terminal gets an error instead of
		// being stopped as a background job.
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	if err := cmd.Start(); err != nil {
		_ = lifeline.Close()
		_ = status.Close()
		return nil, err
	}
	return &supervisor{cmd: cmd, lifeline: lifeline, status: status, box: keyOf(box, argv)}, nil
}

// commandOf returns the command that starts a supervisor, and the name that it gets in process
// lists.
func commandOf(self string, box *Box) (argv []string, name string, err error) {
	if box == nil {
		return []string{self, superviseArg}, os.Args[0], nil
	}
	if self, err = os.Executable(); err != nil { // /proc/self/exe is something else in a box
		return nil, "", err
	}
	if argv, err = box.argv(self, superviseArg); err != nil {
		return nil, "", err
	}
	return argv, argv[0], nil
}

// keyOf returns a string that identifies a box.
func keyOf(box *Box, argv []string) string {
	if box == nil {
		return ""
	}
	return strings.Join(argv, "\x00")
}

// socketPair returns two connected sockets that other processes do not inherit.
func socketPair() (near, far *os.File, err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("socketpair: %w", err)
	}
	for _, fd := range fds {
		unix.CloseOnExec(fd)
	}
	return os.NewFile(uintptr(fds[0]), "lifeline"), os.NewFile(uintptr(fds[1]), "lifeline"), nil
}

// supervisorEnv returns the environment of the supervisor itself, which every benchmark can read.
// It keeps only the variables of the dynamic loader from env, and GORACE for binaries built with
// the race detector. The request contains the environment of the program.
func supervisorEnv(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		return !strings.HasPrefix(kv, "LD_LIBRARY_PATH=") && !strings.HasPrefix(kv, "DYLD_") && !strings.HasPrefix(kv, "GORACE=")
	})
}

// idleLimit is the number of supervisors kept for later programs. Up to two programs run at the
// same time, one per side.
const idleLimit = 2

// idle holds the supervisors waiting for their next program.
var idle struct {
	sync.Mutex
	waiting []*supervisor
}

// hand passes req to a waiting supervisor, or to a new one.
func hand(req request, box *Box, stdout, stderr *os.File) (*supervisor, error) {
	argv, _, err := commandOf("", box)
	if err != nil {
		return nil, err
	}
	key := keyOf(box, argv)
	req.Boxed = box != nil
	for {
		s, waited := nextIdle(func(s *supervisor) bool { return s.box == key })
		if !waited {
			var err error
			if s, err = startSupervisor(modeRun, box); err != nil {
				return nil, err
			}
		}
		err := s.ask(req, stdout, stderr)
		if err == nil {
			return s, nil
		}
		if !waited {
			// The supervisor died, or it ends now without the request. Run returns an error because
			// the report is missing.
			_ = s.lifeline.Close()
			return s, nil
		}
		_ = s.wait() // it was killed while it was waiting
	}
}

// nextIdle removes and returns the most recently added waiting supervisor accepted by of.
func nextIdle(of func(*supervisor) bool) (s *supervisor, ok bool) {
	idle.Lock()
	defer idle.Unlock()
	for i := len(idle.waiting) - 1; i >= 0; i-- {
		if s = idle.waiting[i]; of(s) {
			idle.waiting = slices.Delete(idle.waiting, i, i+1)
			return s, true
		}
	}
	return nil, false
}

// rest keeps the supervisor for the next program. If too many supervisors are waiting, it ends the
// supervisor that has waited longest.
func (s *supervisor) rest() error {
	idle.Lock()
	idle.waiting = append(idle.waiting, s)
	var most *supervisor // the one that has waited longest
	if len(idle.waiting) > idleLimit {
		most, idle.waiting = idle.waiting[0], idle.waiting[1:]
	}
	idle.Unlock()
	if most == nil {
		return nil
	}
	return most.wait()
}

// Dismiss ends the waiting supervisors and waits until they are gone. Without it, they would still
// end after this process, but not necessarily immediately.
func Dismiss() {
	for {
		s, ok := nextIdle(func(*supervisor) bool { return true })
		if !ok {
			return
		}
		_ = s.wait()
	}
}

// ask sends the request together with the descriptors for the program's output. Fd puts these into
// blocking mode; otherwise programs would lose output whenever a write would block.
func (s *supervisor) ask(req request, stdout, stderr *os.File) error {
	rights := unix.UnixRights(int(stdout.Fd()), int(stderr.Fd()))
	for {
		err := unix.Sendmsg(int(s.lifeline.Fd()), []byte{orderRun}, rights, nil, 0)
		if err == nil {
			return writeFrame(s.lifeline, req)
		}
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// lastReport reads the reports for a program until the last one, and calls started, if it is not
// nil, once the program runs. If the supervisor dies first, its parent-death signal kills the
// program as well, and lastReport kills the program's process group. Descendants outside the group
// survive.
func (s *supervisor) lastReport(started func(pid int)) report {
	var last report
	for !last.Final {
		var r report
		if readFrame(s.status, &r) != nil {
			break
		}
		if !r.Final {
			if r.Pid = s.pidOf(r); started != nil && r.Pid > 0 {
				started(r.Pid)
			}
		}
		last = r
	}
	if !last.Final && last.Pid > 1 {
		_ = unix.Kill(-last.Pid, unix.SIGKILL)
	}
	return last
}

// wait ends the supervisor and waits for it.
func (s *supervisor) wait() error {
	_ = s.lifeline.Close()
	err := s.cmd.Wait()
	_ = s.status.Close()
	return err
}
