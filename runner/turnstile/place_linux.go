package turnstile

import (
	"fmt"
	"strconv"

	"golang.org/x/sys/unix"
)

// The CPUs of a virtual machine are not alike: for some tenths of a second a neighbour slows one of them by
// half, and not the other. A process that waits goes on where it stood, so each side would keep a CPU
// of its own for the whole round, and what the CPUs differ by would be read as a change. So both slices of a pair
// begin on the same CPU, the next pair on the next one. Only where they begin: each may use all CPUs.

// A placement is the CPUs on which pairs of slices begin, in turns; nil where there is nothing to choose.
type placement []int

// placementOf returns the CPUs that a process may use.
func placementOf(pid int) (placement, unix.CPUSet) {
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(pid, &all); err != nil || all.Count() < 2 {
		return nil, all
	}
	var cpus placement
	for c := range len(all) * strconv.IntSize {
		if all.IsSet(c) {
			cpus = append(cpus, c)
		}
	}
	return cpus, all
}

// gather moves all threads of the process that may use all of its CPUs to one of them, and returns what lets
// them use all again.
func (p *process) gather(cpu int, all unix.CPUSet) (spread func() error, err error) {
	var one unix.CPUSet
	one.Set(cpu)
	moved, err := p.confine(all, one)
	if err != nil {
		return nil, err
	}
	return func() error {
		for _, tid := range moved {
			if err := unix.SchedSetaffinity(tid, &all); err != nil && !gone(err) {
				return fmt.Errorf("let thread %d use all CPUs: %w", tid, err)
			}
		}
		return nil
	}, nil
}

// confine returns the threads that had the CPUs from, and have to now. One that chose its own CPUs keeps
// them.
func (p *process) confine(from, to unix.CPUSet) (threads []int, err error) {
	for id := range p.threads {
		tid, err := strconv.Atoi(id)
		if err != nil {
			continue
		}
		var has unix.CPUSet
		if unix.SchedGetaffinity(tid, &has) != nil || has != from {
			continue
		}
		if err := unix.SchedSetaffinity(tid, &to); err != nil && !gone(err) {
			return threads, fmt.Errorf("move thread %d: %w", tid, err)
		}
		threads = append(threads, tid)
	}
	return threads, nil
}
