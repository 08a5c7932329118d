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

// ownRSS is the largest resident set that this process had, in bytes: what its children are said to
// have had at least. Not getrusage(2), which knows what this process had before its own exec, too.
func ownRSS() int64 { return 1024 * max(counter("/proc/self/status", "VmHWM:"), 0) }

// ownExecutable is this very binary, also after its file was replaced by
// another version or removed.
func ownExecutable() (string, error) {
	const self = "/proc/self/exe"
	if _, err := os.Stat(self); err == nil {
		return self, nil
	}
	return os.Executable()
}

// becomeSubreaper makes this process, and not init, inherit the orphans among
// its descendants (Linux 3.4, prctl(2)).
func becomeSubreaper() error {
	return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
}

// deafToStops keeps the kernel from telling this process when a child is stopped or
// continued, which it has no use for: a program that is stopped a hundred times a second
// would have it wake as often, beside what is measured. Package signal does not offer that,
// so it asks for the action that Go's runtime has set and adds SA_NOCLDSTOP (sigaction(2)).
func deafToStops() {
	if strings.HasPrefix(runtime.GOARCH, "mips") {
		return // has the words of the action in another order
	}
	const noStops = 1
	var action [16]uintptr // handler, flags, then what differs between architectures
	at, size := uintptr(unsafe.Pointer(&action)), unsafe.Sizeof(uint64(0))
	if _, _, errno := unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(unix.SIGCHLD), 0, at, size, 0, 0); errno != 0 {
		return
	}
	action[1] |= noStops
	_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(unix.SIGCHLD), at, 0, size, 0, 0)
}

// closeOnExec keeps every descriptor but 0, 1 and 2 from the program: the
// pipes 3 and 4 and whatever perftrack itself inherited.
func closeOnExec() {
	if unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) == nil {
		return
	}
	// Before Linux 5.11.
	unix.CloseOnExec(3)
	unix.CloseOnExec(4)
	entries, _ := os.ReadDir("/proc/self/fd")
	for _, e := range entries {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
}

// programAttr puts the program into its own process group and ties its life to
// the supervisor's, in case that is killed.
func programAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// groupAlive is about systems without subreapers. Here a process without
// children has no descendants.
func groupAlive(int) bool { return false }

// killDescendants sends SIGKILL to every living descendant of this process, by
// group where it can: signalling a group excludes fork(2) in it, so a process
// that forks faster than /proc can be read is hit all the same. It returns the
// pids.
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
		// A group number of 0 or 1 (from another pid namespace) would make
		// kill(2) mean our own group, or everybody.
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

// descendants reads /proc. A process whose parent ended while it was read can
// be missing; it is this process's child by the next call.
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

// parseStat reads "pid (name) state ppid pgrp ..." of proc_pid_stat(5). The name
// may hold anything, so the last parenthesis counts.
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
