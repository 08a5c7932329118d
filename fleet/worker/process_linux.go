package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// startGroup starts a process as the leader of a new group, on some CPUs. The kernel kills it when
// the calling thread ends, so the goroutine keeps its thread until the process has ended.
func startGroup(c *exec.Cmd, cpus string) error {
	runtime.LockOSThread()
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if cpus == "" {
		return c.Start()
	}
	set, err := parseCPUs(cpus)
	if err != nil {
		return err
	}
	var own unix.CPUSet
	if err := unix.SchedGetaffinity(0, &own); err != nil {
		return err
	}
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("run on the CPUs %s: %w", cpus, err)
	}
	if err := c.Start(); err != nil {
		return err
	}
	return unix.SchedSetaffinity(0, &own)
}

// killGroup kills a process and everything in its group.
func killGroup(c *exec.Cmd) { _ = unix.Kill(-c.Process.Pid, unix.SIGKILL) } // it may have ended

// terminateGroup asks a process and its group to end.
func terminateGroup(c *exec.Cmd) error { return unix.Kill(-c.Process.Pid, unix.SIGTERM) }

// pinAway moves this process away from the CPUs that measure.
func pinAway(cpus string) error {
	if cpus == "" {
		return nil
	}
	away, err := parseCPUs(cpus)
	if err != nil {
		return err
	}
	var own unix.CPUSet
	if err := unix.SchedGetaffinity(0, &own); err != nil {
		return fmt.Errorf("leave the CPUs %s: %w", cpus, err)
	}
	for i := range 8 * len(own) * 8 {
		if away.IsSet(i) {
			own.Clear(i)
		}
	}
	if own.Count() == 0 {
		return fmt.Errorf("leave the CPUs %s to the benchmarks: no other CPU remains for the worker: shorten -cpus", cpus)
	}
	if err := usable(away); err != nil {
		return fmt.Errorf("measure on the CPUs %s: %w", cpus, err)
	}
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return fmt.Errorf("leave the CPUs %s: %w", cpus, err)
	}
	for _, t := range threads {
		id, err := strconv.Atoi(t.Name())
		if err == nil {
			_ = unix.SchedSetaffinity(id, &own) // the thread may have ended
		}
	}
	return nil
}

// usable returns an error if this machine lacks one of the CPUs.
func usable(cpus unix.CPUSet) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var own, got unix.CPUSet
	err := unix.SchedGetaffinity(0, &own)
	if err == nil {
		err = unix.SchedSetaffinity(0, &cpus)
	}
	if err == nil {
		err = unix.SchedGetaffinity(0, &got)
		_ = unix.SchedSetaffinity(0, &own)
	}
	if err != nil || got != cpus {
		return errors.New("this machine lacks one of them, or does not let this process use it")
	}
	return nil
}

// parseCPUs parses a list as in 0-3,8.
func parseCPUs(list string) (set unix.CPUSet, err error) {
	for part := range strings.SplitSeq(list, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		first, err1 := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err1 != nil || err2 != nil || first < 0 || last < first || last >= 1024 {
			return set, fmt.Errorf("the list of CPUs %q is not valid: write it as 2-5,8", list)
		}
		for i := first; i <= last; i++ {
			set.Set(i)
		}
	}
	return set, nil
}

// isolates returns an error unless perftrack can run benchmarks in a sandbox.
func isolates(ctx context.Context, perftrack string) error {
	c := exec.CommandContext(ctx, perftrack, "rounds", "--isolate")
	c.Env = childEnv(os.Environ())
	out, err := c.CombinedOutput()
	if err != nil {
		return fmt.Errorf("run benchmarks in a sandbox: %w: %s; if you trust all code that is measured, use -trusted", err, strings.TrimSpace(string(out)))
	}
	return nil
}
