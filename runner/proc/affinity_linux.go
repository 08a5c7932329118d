package proc

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sys/unix"
)

// maxCPUs is twice what any kernel is built for (CONFIG_NR_CPUS is at most
// 8192). A mask that is smaller than the kernel's own is refused.
const maxCPUs = 1 << 14

// UsableCPUs returns the numbers of the CPUs, ascending, that [Command.CPUs] may
// name: those that are online and that the cpuset of the control group leaves to
// this process. They can be more than it runs on itself: taskset or a service's
// settings may have narrowed that, and the CPUs that the kernel isolates
// (isolcpus) are nobody's until he asks for them.
func UsableCPUs() ([]int, error) {
	type answer struct {
		cpus []int
		err  error
	}
	answers := make(chan answer)
	go func() { // in a thread that ends with this goroutine if it cannot be put back
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

// widestMask asks for all CPUs, of which the kernel grants those that are usable
// (sched_setaffinity(2)), and puts the thread's mask back. Where a sandbox
// forbids to ask, the mask is all that can be had.
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

// ownMask is the calling thread's.
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

// pin binds the calling thread, which must be locked, to the CPUs: what it forks
// is bound from its first instruction on, and so are all descendants. The
// function that it returns puts the thread back. No CPUs are no change.
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
	// Nothing can be done about a mask that does not go back: the supervisor then
	// waits where the program runs, which costs it no time worth the name.
	unpin = func() { _ = unix.SchedSetaffinityDynamic(0, own) }
	if err := unix.SchedSetaffinityDynamic(0, want); err != nil {
		return nil, errors.Join(errPin, err)
	}
	// The kernel takes silently what is left of a mask in the cpuset.
	got, err := ownMask()
	if err != nil || slices.ContainsFunc(cpus, func(cpu int) bool { return !got.IsSet(cpu) }) {
		unpin()
		return nil, errors.Join(errPin, unix.EINVAL)
	}
	return unpin, nil
}
