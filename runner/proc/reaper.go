//go:build unix

package proc

import (
	"errors"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// shellKilled is how a shell reports that SIGKILL ended what it waited for.
const shellKilled = 128 + int(unix.SIGKILL)

// tree is the supervisor's view of the program it started. Everything about it
// happens in one goroutine: a pid that this goroutine did not reap cannot be
// somebody else's, so no signal goes astray.
type tree struct {
	leader int
	exited bool // the leader was reaped
	termed bool // the leader got SIGTERM
	began  time.Time
	end    report
}

// superviseRuns runs one program after the other, until perftrack is gone.
func superviseRuns(lifeline, status *os.File) {
	// The program gets its parent-death signal when the thread that forked it
	// ends, so that thread must last.
	runtime.LockOSThread()
	subreaper := becomeSubreaper()
	children := make(chan os.Signal, 1)
	signal.Notify(children, syscall.SIGCHLD)
	deafToStops()
	orders := make(chan order)
	go readOrders(lifeline, orders)
	for o := range orders {
		switch {
		case o.run == nil: // came when the program had ended already
		case subreaper != nil:
			reportErrno(status, subreaper)
		default:
			superviseRun(*o.run, o.output, children, orders, lifeline, status)
		}
	}
}

// superviseRun starts the program, waits for its end or an order, kills all
// that is left and only then reports.
func superviseRun(req request, output [2]int, children <-chan os.Signal, orders <-chan order, lifeline, status *os.File) {
	ooms := countOOMKills()
	t := new(tree)
	var err error
	t.leader, t.began, err = startProgram(req, output)
	for _, fd := range output {
		_ = unix.Close(fd) // only the program and its descendants hold its output open
	}
	if err != nil {
		reportErrno(status, err)
		return
	}
	// A write fails only when perftrack is gone, which the lifeline tells too.
	_ = writeFrame(status, report{Pid: t.leader})
	if req.Boxed {
		sendProcess(lifeline, t.leader)
	}
	t.awaitLeader(children, orders, req.Grace)
	t.end.Survivors = t.killRest(children)

	ws := syscall.WaitStatus(t.end.WaitStatus)
	killed := ws.Signaled() && ws.Signal() == unix.SIGKILL
	if t.exited && !killed && !t.termed {
		t.end.Stopped = false // SIGKILL came when it was exiting already
	}
	byKill := killed || ws.Exited() && ws.ExitStatus() == shellKilled
	t.end.OOMKilled = byKill && !t.end.Stopped && countOOMKills().roseSince(ooms)
	t.end.Final, t.end.Pid = true, t.leader
	_ = writeFrame(status, t.end)
}

func reportErrno(status *os.File, err error) {
	errno := syscall.EINVAL // a NUL in an argument is the only error without a number
	errors.As(err, &errno)
	_ = writeFrame(status, report{Final: true, Errno: uintptr(errno), Unpinned: errors.Is(err, errPin)})
}

// errPin marks what went wrong with binding the program to its CPUs.
var errPin = errors.New("pin to CPUs")

// startProgram forks the program: stdin empty, stdout and stderr the pipes that
// perftrack reads.
func startProgram(req request, output [2]int) (pid int, began time.Time, err error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDONLY, 0)
	if err != nil {
		return 0, began, err
	}
	defer null.Close()
	attr := &syscall.ProcAttr{
		Dir:   string(req.Dir),
		Env:   toStrings(req.Env),
		Files: []uintptr{null.Fd(), uintptr(output[0]), uintptr(output[1])},
		Sys:   programAttr(),
	}
	unpin, err := pin(req.CPUs)
	if err != nil {
		return 0, began, err
	}
	defer unpin()
	// A binary that was just written is "text file busy" while a process forked
	// during the writing has not reached its exec (golang.org/issue/22315).
	for pause := time.Millisecond; ; pause *= 2 {
		began = time.Now()
		pid, err = syscall.ForkExec(string(req.Path), toStrings(req.Argv), attr)
		if !errors.Is(err, syscall.ETXTBSY) || pause > 500*time.Millisecond {
			return pid, began, err
		}
		time.Sleep(pause)
	}
}

// An order of perftrack is a program to run, or the end of the one that runs.
type order struct {
	run    *request
	output [2]int // descriptors of the program's stdout and stderr
}

// readOrders passes on what perftrack writes, and closes orders at its death.
func readOrders(lifeline *os.File, orders chan<- order) {
	defer close(orders)
	for {
		what, output, err := receive(int(lifeline.Fd()))
		if err != nil {
			return
		}
		var o order
		if what == orderRun {
			o.run = new(request)
			if len(output) != len(o.output) || readFrame(lifeline, o.run) != nil {
				return
			}
			o.output = [2]int(output)
		}
		orders <- o
	}
}

// awaitLeader returns when the leader is reaped, killing it when it is told to
// or when orders is closed. It gives up on a leader that survives SIGKILL.
func (t *tree) awaitLeader(children <-chan os.Signal, orders <-chan order, grace time.Duration) {
	var graceOver, giveUp <-chan time.Time
	stop := func(sig unix.Signal) {
		if t.reap(); t.exited {
			return // it ended first: nobody stopped it
		}
		t.end.Stopped = true
		t.signalLeader(sig)
		if sig != unix.SIGKILL {
			t.termed = true
		} else if giveUp == nil {
			giveUp = time.After(killLimit)
		}
	}
	for !t.exited {
		select {
		case <-children:
			t.reap()
		case _, alive := <-orders:
			switch {
			case !alive:
				orders = nil
				stop(unix.SIGKILL)
			case grace > 0:
				stop(unix.SIGTERM)
				graceOver = time.After(grace)
			default:
				stop(unix.SIGKILL)
			}
		case <-graceOver:
			stop(unix.SIGKILL)
		case <-giveUp:
			return
		}
	}
}

// signalLeader signals the leader and its process group. The group is signalled
// as one, so that a process which forks all the time cannot slip through.
func (t *tree) signalLeader(sig unix.Signal) {
	_ = unix.Kill(-t.leader, sig)
	// It may have moved to another group. Nobody should get SIGTERM twice,
	// many programs take the second as "no, now".
	if group, err := unix.Getpgid(t.leader); err != nil || group != t.leader {
		_ = unix.Kill(t.leader, sig)
	}
}

// ownRSSError is how far two of the kernel's counts of the same pages may be apart: it keeps them by
// CPU, and adds them up when some dozen have come together.
func ownRSSError() int64 {
	const least, most = 1 << 20, 16 << 20 // on many CPUs few are ever used at once
	return min(max(int64(runtime.NumCPU())*64*int64(os.Getpagesize()), least), most)
}

// reap collects every child that ended: the leader and, as subreaper, orphans.
// It reports whether children are left.
func (t *tree) reap() (left bool) {
	for {
		var ws syscall.WaitStatus
		var usage syscall.Rusage
		pid, err := syscall.Wait4(-1, &ws, syscall.WNOHANG, &usage)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return false // ECHILD: no child, hence no descendant
		case pid == 0:
			return true
		case pid == t.leader && !t.exited:
			t.exited = true
			t.end.Exited = true
			t.end.Elapsed = time.Since(t.began)
			t.end.WaitStatus = uint32(ws)
			t.end.User = time.Duration(usage.Utime.Nano())
			t.end.Sys = time.Duration(usage.Stime.Nano())
			if rss := int64(usage.Maxrss) * maxRSSUnit; rss > ownRSS()+ownRSSError() {
				t.end.MaxRSS = rss
			}
		}
	}
}

// killRest kills what the leader left behind until nothing is left, and returns
// the survivors when that takes longer than killLimit. Killing one generation
// makes the next one our children, so a tree takes some turns.
func (t *tree) killRest(children <-chan os.Signal) (survivors []int) {
	deadline := time.Now().Add(killLimit)
	for pause := 500 * time.Microsecond; ; pause = min(2*pause, 20*time.Millisecond) {
		left := t.reap()
		if !left && !groupAlive(t.leader) {
			return nil
		}
		alive := killDescendants(t.leader)
		if time.Now().After(deadline) {
			return alive
		}
		select {
		case <-children:
		case <-time.After(pause):
		}
	}
}
