package proc

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sys/unix"
)

// maxCPUs is twice the limit of any kernel, because CONFIG_NR_CPUS is at most 8192. The kernel
// refuses a mask smaller than its own.
const maxCPUs = 1 << 14

// UsableCPUs returns the numbers of the CPUs allowed in [Command.CPUs], in ascending order. They
// are the online CPUs in the cpuset of the control group. This process itself may run on fewer,
// because of taskset or the settings of a service, or because the kernel reserves isolated CPUs
// (isolcpus) for processes that ask for them.
func UsableCPUs() ([]int, error) {
	type answer struct {
		cpus []int
		err  error
	}
	answers := make(chan answer)
	go func() { // in a thread that ends with this goroutine if its mask cannot be restored
		runtime.LockOSThread()
		cpus, restored, err := widestMask()
		if restored {
			runtime.UnlockOSThread()
		}
		answers <- answer{cpus, err}
	}()
	a := <-answers
	return a.cpus, a.err
}

// widestMask requests all CPUs, reads the granted ones (sched_setaffinity(2)), and restores the
// thread's mask. If a sandbox forbids this, it returns the CPUs in the current mask.
func widestMask() (cpus []int, restored bool, err error) {
	own, err := ownMask()
	if err != nil {
		return nil, true, err
	}
	all := unix.NewCPUSet(maxCPUs)
	all.Fill()
	if unix.SchedSetaffinityDynamic(0, all) != nil {
		return members(own), true, nil
	}
	widest, err := ownMask()
	restored = unix.SchedSetaffinityDynamic(0, own) == nil
	return members(widest), restored, err
}

// OwnCPUs returns the numbers of the CPUs on which this process may run, in ascending order, or nil
// if it may run on every usable CPU.
func OwnCPUs() ([]int, error) {
	usable, err := UsableCPUs()
	if err != nil {
		return nil, err
	}
	mask, err := ownMask()
	own := members(mask)
	if err != nil || len(own) >= len(usable) {
		return nil, err
	}
	return own, nil
}

// ownMask returns the calling thread's mask.
func ownMask() (unix.CPUSetDynamic, error) {
	set := unix.NewCPUSet(maxCPUs)
	if err := unix.SchedGetaffinityDynamic(0, set); err != nil {
		return nil, fmt.Errorf("read the CPU affinity: %w", err)
	}
	return set, nil
}

func members(set unix.CPUSetDynamic) []int {
	var cpus []int
	for cpu := range maxCPUs {
		if set.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpus
}

// pin binds the calling thread to the CPUs. The thread must be locked to its goroutine. A process
// it forks is bound from its first instruction on, and so are all its descendants. unpin restores
// the thread's mask. If cpus is empty, pin changes nothing.
func pin(cpus []int) (unpin func(), err error) {
	if len(cpus) == 0 {
		return func() {}, nil
	}
	own, err := ownMask()
	if err != nil {
		return nil, errors.Join(errPin, err)
	}
	want := unix.NewCPUSet(maxCPUs)
	for _, cpu := range cpus {
		want.Set(cpu)
	}
	// If the mask cannot be restored, the supervisor stays on the program's CPUs while it waits, at
	// almost no cost.
	unpin = func() { _ = unix.SchedSetaffinityDynamic(0, own) }
	if err := unix.SchedSetaffinityDynamic(0, want); err != nil {
		return nil, errors.Join(errPin, err)
	}
	// The kernel silently drops CPUs outside the cpuset from a mask.
	got, err := ownMask()
	if err != nil || slices.ContainsFunc(cpus, func(cpu int) bool { return !got.IsSet(cpu) }) {
		unpin()
		return nil, errors.Join(errPin, unix.EINVAL)
	}
	return unpin, nil
}
