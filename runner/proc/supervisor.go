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

// supervisor is perftrack's end of a supervisor process.
type supervisor struct {
	cmd      *exec.Cmd
	lifeline *os.File // the only other end there is; closing it means kill
	status   *os.File
	box      string // how the box was made that it is in, "" for none
}

// startSupervisor re-executes this program in mode.
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
	return &supervisor{cmd: cmd, lifeline: lifeline, status: status, box: keyOf(box, argv)}, nil
}

// commandOf is what starts a supervisor, and the name that it is shown by.
func commandOf(self string, box *Box) (argv []string, name string, err error) {
	if box == nil {
		return []string{self, superviseArg}, os.Args[0], nil
	}
	if self, err = os.Executable(); err != nil { // which /proc/self/exe is not in a box
		return nil, "", err
	}
	if argv, err = box.argv(self, superviseArg); err != nil {
		return nil, "", err
	}
	return argv, argv[0], nil
}

// keyOf tells boxes apart.
func keyOf(box *Box, argv []string) string {
	if box == nil {
		return ""
	}
	return strings.Join(argv, "\x00")
}

// socketPair returns two connected ends that no other process inherits.
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

// supervisorEnv is the environment of the supervisor itself, which every benchmark can read: the
// program gets its own by request. Only what a dynamic loader needs, and GORACE, which only a
// binary that is tested under the race detector reads.
func supervisorEnv(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		return !strings.HasPrefix(kv, "LD_LIBRARY_PATH=") && !strings.HasPrefix(kv, "DYLD_") && !strings.HasPrefix(kv, "GORACE=")
	})
}

// idleLimit is how many supervisors are kept for the next program. More than two
// programs, one a side, are never run at the same time for long.
const idleLimit = 2

// idle are the supervisors that wait for their next program.
var idle struct {
	sync.Mutex
	waiting []*supervisor
}

// hand gives req to a supervisor that waits, or to a new one.
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
			// It died, or could not be asked and ends now: the report that is missing tells.
			_ = s.lifeline.Close()
			return s, nil
		}
		_ = s.wait() // somebody killed it while it waited
	}
}

// nextIdle takes the last supervisor that waits and is of use.
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

// rest keeps the supervisor for the next program, and ends the one that waits longest where that is too many.
func (s *supervisor) rest() error {
	idle.Lock()
	idle.waiting = append(idle.waiting, s)
	var most *supervisor // the one that waits longest, if that is one too many
	if len(idle.waiting) > idleLimit {
		most, idle.waiting = idle.waiting[0], idle.waiting[1:]
	}
	idle.Unlock()
	if most == nil {
		return nil
	}
	return most.wait()
}

// Dismiss ends the supervisors that wait for another program. They end with this
// process in any case; a program that calls it before leaves not even those behind
// that have not noticed yet.
func Dismiss() {
	for {
		s, ok := nextIdle(func(*supervisor) bool { return true })
		if !ok {
			return
		}
		_ = s.wait()
	}
}

// ask sends the request with the descriptors for the program's output. Fd makes
// them blocking: programs lose output where a write would have to wait.
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

// lastReport reads reports until the last one of a program, and tells started, unless it
// is nil, that the program runs. Where the supervisor died before that, the program is dead
// too (its parent-death signal), and its process group is killed here: what left the group
// survives.
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
