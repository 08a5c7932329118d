package proc

import (
	"bytes"
	"math"
	"os"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// maxRSSUnit is the unit of Rusage.Maxrss in bytes.
const maxRSSUnit = 1024

// ownRSS returns the peak resident set of this process in bytes, a lower bound on the values for
// its children. getrusage(2) would include the time before this process's own exec.
func ownRSS() int64 { return 1024 * max(counter("/proc/self/status", "VmHWM:"), 0) }

// ownExecutable returns a path of the running binary. It works even if the file was replaced or
// removed.
func ownExecutable() (string, error) {
	const self = "/proc/self/exe"
	if _, err := os.Stat(self); err == nil {
		return self, nil
	}
	return os.Executable()
}

// becomeSubreaper makes this process inherit orphaned descendants instead of init (Linux 3.4,
// prctl(2)).
func becomeSubreaper() error {
	return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
}

// deafToStops turns off SIGCHLD for stopped or continued children. Otherwise, a program that is
// stopped a hundred times a second would wake this process equally often, during the measurement.
// Package signal cannot do this, so deafToStops reads the action that Go's runtime has set and adds
// SA_NOCLDSTOP (sigaction(2)).
func deafToStops() {
	if strings.HasPrefix(runtime.GOARCH, "mips") {
		return // the fields of the action are in a different order there
	}
	const noStops = 1
	var action [16]uintptr // the handler, the flags, and then parts that depend on the architecture
	at, size := uintptr(unsafe.Pointer(&action)), unsafe.Sizeof(uint64(0))
	if _, _, errno := unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(unix.SIGCHLD), 0, at, size, 0, 0); errno != 0 {
		return
	}
	action[1] |= noStops
	_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(unix.SIGCHLD), at, 0, size, 0, 0)
}

// closeOnExec keeps the program from inheriting any descriptors other than 0, 1 and 2. The others
// are the socket (3), the pipe (4) and the descriptors inherited by perftrack itself.
func closeOnExec() {
	if unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) == nil {
		return
	}
	// CloseRange needs Linux 5.11.
	unix.CloseOnExec(3)
	unix.CloseOnExec(4)
	entries, _ := os.ReadDir("/proc/self/fd")
	for _, e := range entries {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
}

// programAttr gives the program its own process group, and the parent-death signal in case the
// supervisor is killed.
func programAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// groupAlive returns false. Only systems without subreapers need it; here, a process without
// children has no descendants.
func groupAlive(int) bool { return false }

// killDescendants sends SIGKILL to every living descendant of this process and returns their IDs.
// It signals whole groups where possible. A process cannot fork while its group is being signaled,
// so this also reaches processes that fork faster than /proc can be read.
func killDescendants(int) []int {
	self := os.Getpid()
	ownGroup := unix.Getpgrp()
	var alive []int
	groups := map[int]bool{}
	for pid, p := range descendants(self) {
		if p.zombie {
			continue
		}
		alive = append(alive, pid)
		// A group number of 0 or 1, possibly from another PID namespace, would make kill(2) signal
		// our own group or all processes.
		if p.group > 1 && p.group != ownGroup && !groups[p.group] {
			groups[p.group] = true
			_ = unix.Kill(-p.group, unix.SIGKILL)
		}
		_ = unix.Kill(pid, unix.SIGKILL)
	}
	sort.Ints(alive)
	return alive
}

type process struct {
	parent, group int
	zombie        bool
}

// descendants returns the descendants found in /proc. A process may be missing if its parent has
// just ended; by the next call, it is a child of this process.
func descendants(of int) map[int]process {
	entries, _ := os.ReadDir("/proc")
	all := make(map[int]process, len(entries))
	children := map[int][]int{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		if p, ok := parseStat(stat); ok {
			all[pid] = p
			children[p.parent] = append(children[p.parent], pid)
		}
	}
	found := map[int]process{}
	for todo := children[of]; len(todo) > 0; todo = todo[1:] {
		pid := todo[0]
		found[pid] = all[pid]
		todo = append(todo, children[pid]...)
	}
	return found
}

// parseStat parses "pid (name) state ppid pgrp ...", see proc_pid_stat(5). The name may contain any
// character, so the last parenthesis ends it.
func parseStat(stat []byte) (process, bool) {
	i := bytes.LastIndexByte(stat, ')')
	if i < 0 {
		return process{}, false
	}
	fields := bytes.Fields(stat[i+1:])
	if len(fields) < 3 {
		return process{}, false
	}
	parent, err1 := strconv.Atoi(string(fields[1]))
	group, err2 := strconv.Atoi(string(fields[2]))
	state := fields[0][0]
	return process{parent: parent, group: group, zombie: state == 'Z' || state == 'X'}, err1 == nil && err2 == nil
}
