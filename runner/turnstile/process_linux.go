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
	fd      int // pidfd, which refers to this process even if its number is reused
	tasks   *os.File
	threads map[string]*thread
}

// A thread is a thread of a process, with its files in /proc.
type thread struct {
	status   *os.File
	schedule *os.File // nil if the kernel does not provide this file
	waited   time.Duration
	seen     bool
}

func openThread(dir string) (*thread, error) {
	status, err := os.Open(filepath.Join(dir, "status"))
	if err != nil {
		return nil, err
	}
	t := &thread{status: status}
	if t.schedule, err = os.Open(filepath.Join(dir, "schedstat")); err != nil {
		t.schedule = nil
	}
	return t, nil
}

func (t *thread) close() {
	_ = t.status.Close()
	if t.schedule != nil {
		_ = t.schedule.Close()
	}
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

// signal sends a signal to the whole group. It returns an error if the leader is gone, because
// the number may then belong to another process.
func (p *process) signal(sig unix.Signal) error {
	if p == nil {
		return unix.ESRCH
	}
	if err := unix.PidfdSendSignal(p.fd, 0, nil, 0); err != nil {
		return err
	}
	return unix.Kill(-p.pid, sig)
}

// time returns the CPU time of the process; see clock_getcpuclockid(3).
func (p *process) time() (time.Duration, error) {
	if p == nil {
		return 0, unix.ESRCH
	}
	const scheduled = 2 // the kernel's CPUCLOCK_SCHED, which counts all threads in nanoseconds
	var ts unix.Timespec
	err := unix.ClockGettime(int32(^p.pid<<3|scheduled), &ts)
	if errors.Is(err, unix.EINVAL) {
		err = unix.ESRCH // clock_gettime(2) has no separate error number for a process that is gone
	}
	if err != nil {
		return 0, fmt.Errorf("read the CPU clock of process %d: %w", p.pid, err)
	}
	return time.Duration(ts.Nano()), nil
}

// look returns how long runnable threads have waited for a CPU since the last call, except for
// threads that are gone. If askStopped is set, it also reports whether every thread is stopped.
func (p *process) look(askStopped bool) (stopped bool, waited time.Duration, err error) {
	if _, err := p.tasks.Seek(0, 0); err != nil {
		return false, 0, err
	}
	ids, err := p.tasks.Readdirnames(-1)
	if err != nil {
		return false, 0, err
	}
	stopped = len(ids) > 0
	for _, t := range p.threads {
		t.seen = false
	}
	text := make([]byte, 8192)
	for _, id := range ids {
		t := p.threads[id]
		if t == nil {
			if t, err = openThread(filepath.Join(p.tasks.Name(), id)); err != nil {
				continue // the thread has ended in the meantime
			}
			p.threads[id] = t
		}
		t.seen = true
		if askStopped {
			n, _ := t.status.ReadAt(text, 0) // nothing can be read if the thread has ended
			if n == 0 {
				t.seen = false
				continue
			}
			state := parseState(text[:n])
			stopped = stopped && (state == 'T' || state == 'Z' || state == 'X') // stopped or ended
		}
		if t.schedule != nil {
			n, _ := t.schedule.ReadAt(text, 0)
			if total, ok := parseWaited(text[:n]); ok {
				waited, t.waited = waited+total-t.waited, total
			}
		}
	}
	for id, t := range p.threads {
		if !t.seen {
			t.close()
			delete(p.threads, id)
		}
	}
	return stopped, waited, nil
}

// parseState returns the state in the text of /proc/PID/task/TID/status. See proc_pid_status(5).
func parseState(text []byte) byte {
	for line := range bytes.Lines(text) {
		if rest, ok := bytes.CutPrefix(line, []byte("State:\t")); ok && len(rest) > 0 {
			return rest[0]
		}
	}
	return 0
}

// parseWaited returns the second of the three numbers in /proc/PID/task/TID/schedstat. They are the
// nanoseconds the thread spent on a CPU, the nanoseconds it waited for one, and the number of times
// it got one. See [sched-stats].
//
// [sched-stats]: https://docs.kernel.org/scheduler/sched-stats.html
func parseWaited(text []byte) (time.Duration, bool) {
	fields := bytes.Fields(text)
	if len(fields) < 3 {
		return 0, false
	}
	ns, err := strconv.ParseInt(string(fields[1]), 10, 64)
	return time.Duration(ns), err == nil
}

func (p *process) close() {
	_ = unix.Close(p.fd)
	_ = p.tasks.Close()
	for _, t := range p.threads {
		t.close()
	}
}
