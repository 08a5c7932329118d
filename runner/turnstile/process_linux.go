package turnstile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// A process is the leader of a process group that can be stopped and continued.
type process struct {
	pid     int
	fd      int // pidfd: refers to this process even when the number is another's
	tasks   *os.File
	threads map[string]*thread
}

// A thread of a process, and what /proc says of it.
type thread struct {
	status    *os.File
	preempted int
	seen      bool
}

func openProcess(pid int) (*process, error) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return nil, fmt.Errorf("open process %d: %w", pid, err)
	}
	tasks, err := os.Open(filepath.Join("/proc", strconv.Itoa(pid), "task"))
	if err != nil {
		_ = unix.Close(fd)
		return nil, err
	}
	return &process{pid: pid, fd: fd, tasks: tasks, threads: map[string]*thread{}}, nil
}

// signal reaches the whole group, unless its leader is gone: then the number may be
// somebody else's.
func (p *process) signal(sig unix.Signal) error {
	if p == nil {
		return unix.ESRCH
	}
	if err := unix.PidfdSendSignal(p.fd, 0, nil, 0); err != nil {
		return err
	}
	return unix.Kill(-p.pid, sig)
}

// time is the CPU time that the process has used: clock_getcpuclockid(3).
func (p *process) time() (time.Duration, error) {
	if p == nil {
		return 0, unix.ESRCH
	}
	const scheduled = 2 // CPUCLOCK_SCHED of the kernel: all threads, nanoseconds
	var ts unix.Timespec
	err := unix.ClockGettime(int32(^p.pid<<3|scheduled), &ts)
	if errors.Is(err, unix.EINVAL) {
		err = unix.ESRCH // clock_gettime(2) has no number of its own for a process that is gone
	}
	if err != nil {
		return 0, fmt.Errorf("read the CPU clock of process %d: %w", p.pid, err)
	}
	return time.Duration(ts.Nano()), nil
}

// stopped reports whether every thread stands, and how often threads were preempted since
// it was last asked. A thread that is gone has taken its count with it.
func (p *process) stopped() (all bool, preempted int, err error) {
	if _, err := p.tasks.Seek(0, 0); err != nil {
		return false, 0, err
	}
	ids, err := p.tasks.Readdirnames(-1)
	if err != nil {
		return false, 0, err
	}
	all = len(ids) > 0
	for _, t := range p.threads {
		t.seen = false
	}
	text := make([]byte, 8192)
	for _, id := range ids {
		t := p.threads[id]
		if t == nil {
			status, err := os.Open(filepath.Join(p.tasks.Name(), id, "status"))
			if err != nil {
				continue // it ended meanwhile
			}
			t = &thread{status: status}
			p.threads[id] = t
		}
		n, _ := t.status.ReadAt(text, 0) // nothing, of a thread that ended
		state, count := parseStatus(text[:n])
		if n == 0 {
			continue
		}
		t.seen = true
		all = all && (state == 'T' || state == 'Z' || state == 'X') // stopped, or ended
		preempted += count - t.preempted
		t.preempted = count
	}
	for id, t := range p.threads {
		if !t.seen {
			_ = t.status.Close()
			delete(p.threads, id)
		}
	}
	return all, preempted, nil
}

// parseStatus reads /proc/PID/task/TID/status, proc_pid_status(5).
func parseStatus(text []byte) (state byte, preempted int) {
	for line := range bytes.Lines(text) {
		if rest, ok := bytes.CutPrefix(line, []byte("State:\t")); ok && len(rest) > 0 {
			state = rest[0]
		} else if rest, ok := bytes.CutPrefix(line, []byte("nonvoluntary_ctxt_switches:\t")); ok {
			preempted, _ = strconv.Atoi(string(bytes.TrimSpace(rest)))
		}
	}
	return state, preempted
}

func (p *process) close() {
	_ = unix.Close(p.fd)
	_ = p.tasks.Close()
	for _, t := range p.threads {
		_ = t.status.Close()
	}
}
