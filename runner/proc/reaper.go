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

// shellKilled is the exit status of a shell whose child was killed by SIGKILL.
const shellKilled = 128 + int(unix.SIGKILL)

// tree holds the supervisor's state for its program. Only one goroutine uses it. Until the
// goroutine reaps a process, its ID cannot be reused, so no signal reaches the wrong process.
type tree struct {
	leader int
	exited bool // the leader was reaped
	termed bool // the leader got SIGTERM
	began  time.Time
	end    report
}

// superviseRuns runs one program after another until perftrack is gone.
func superviseRuns(lifeline, status *os.File) {
	// The kernel sends a program its parent-death signal when its parent thread ends, so this
	// thread must keep running.
	runtime.LockOSThread()
	subreaper := becomeSubreaper()
	children := make(chan os.Signal, 1)
	signal.Notify(children, syscall.SIGCHLD)
	deafToStops()
	orders := make(chan order)
	go readOrders(lifeline, orders)
	for o := range orders {
		switch {
		case o.run == nil: // the order arrived after the program had ended
		case subreaper != nil:
			reportErrno(status, subreaper)
		default:
			superviseRun(*o.run, o.output, children, orders, lifeline, status)
		}
	}
}

// superviseRun starts the program and waits until it ends or an order arrives. It then kills the
// remaining descendants before it reports.
func superviseRun(req request, output [2]int, children <-chan os.Signal, orders <-chan order, lifeline, status *os.File) {
	ooms := countOOMKills()
	t := new(tree)
	var err error
	t.leader, t.began, err = startProgram(req, output)
	for _, fd := range output {
		_ = unix.Close(fd) // only the program and its descendants may hold its output open
	}
	if err != nil {
		reportErrno(status, err)
		return
	}
	// A write fails only if perftrack is gone, which the lifeline shows as well.
	_ = writeFrame(status, report{Pid: t.leader})
	if req.Boxed {
		sendProcess(lifeline, t.leader)
	}
	t.awaitLeader(children, orders, req.Grace)
	t.end.Survivors = t.killRest(children)

	ws := syscall.WaitStatus(t.end.WaitStatus)
	killed := ws.Signaled() && ws.Signal() == unix.SIGKILL
	if t.exited && !killed && !t.termed {
		t.end.Stopped = false // the program was already exiting when it was sent SIGKILL
	}
	byKill := killed || ws.Exited() && ws.ExitStatus() == shellKilled
	t.end.OOMKilled = byKill && !t.end.Stopped && countOOMKills().roseSince(ooms)
	t.end.Final, t.end.Pid = true, t.leader
	_ = writeFrame(status, t.end)
}

func reportErrno(status *os.File, err error) {
	errno := syscall.EINVAL // a NUL byte in an argument is the only error without an error number
	errors.As(err, &errno)
	_ = writeFrame(status, report{Final: true, Errno: uintptr(errno), Unpinned: errors.Is(err, errPin)})
}

// errPin means that the program could not be bound to its CPUs.
var errPin = errors.New("pin to CPUs")

// startProgram forks the program with an empty stdin and with perftrack's pipes as stdout and
// stderr.
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
	// Executing a freshly written binary fails with "text file busy" until every process that was
	// forked while it was being written has reached its exec (golang.org/issue/22315).
	for pause := time.Millisecond; ; pause *= 2 {
		began = time.Now()
		pid, err = syscall.ForkExec(string(req.Path), toStrings(req.Argv), attr)
		if !errors.Is(err, syscall.ETXTBSY) || pause > 500*time.Millisecond {
			return pid, began, err
		}
		time.Sleep(pause)
	}
}

// An order from perftrack is either to run a program or to end the current one.
type order struct {
	run    *request
	output [2]int // descriptors for the program's stdout and stderr
}

// readOrders passes on the orders from perftrack and closes orders when perftrack dies.
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

// awaitLeader returns when the leader has been reaped. It kills the leader when it gets an order or
// when orders is closed, and it gives up if the leader survives SIGKILL.
func (t *tree) awaitLeader(children <-chan os.Signal, orders <-chan order, grace time.Duration) {
	var graceOver, giveUp <-chan time.Time
	stop := func(sig unix.Signal) {
		if t.reap(); t.exited {
			return // the leader ended before it could be stopped
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

// signalLeader signals the leader and its process group. Signaling the group as a whole also
// reaches processes that keep forking.
func (t *tree) signalLeader(sig unix.Signal) {
	_ = unix.Kill(-t.leader, sig)
	// The leader may have moved to another group. It should not get SIGTERM twice, because many
	// programs then stop immediately.
	if group, err := unix.Getpgid(t.leader); err != nil || group != t.leader {
		_ = unix.Kill(t.leader, sig)
	}
}

// ownRSSError returns the largest possible difference, in bytes, between two values from the kernel
// for the same pages. The kernel counts pages per CPU and updates the total only after a few dozen
// pages.
func ownRSSError() int64 {
	const least, most = 1 << 20, 16 << 20 // even with many CPUs, only a few are in use at once
	return min(max(int64(runtime.NumCPU())*64*int64(os.Getpagesize()), least), most)
}

// reap reaps all dead children: the leader and, because this process is a subreaper, orphaned
// descendants. It reports whether any children are left.
func (t *tree) reap() (left bool) {
	for {
		var ws syscall.WaitStatus
		var usage syscall.Rusage
		pid, err := syscall.Wait4(-1, &ws, syscall.WNOHANG, &usage)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return false // ECHILD: there are no children and therefore no descendants
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

// killRest kills the remaining descendants and returns those still alive after killLimit. When a
// generation is killed, its children become children of this process, so killing a tree takes
// several passes.
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
