package turnstile

import (
	"fmt"
	"strconv"

	"golang.org/x/sys/unix"
)

// The CPUs of a virtual machine are not alike: for some tenths of a second a neighbour slows one of them by
// half, and not the other. A process that waits goes on where it stood, so each side would keep a CPU
// of its own for the whole round, and what the CPUs differ by would be read as a change. So both slices of a
// pair begin on the same CPU, the next pair on the next one. Only where they begin, since each may need all CPUs,
// unless the benchmark is known to need only one: then all of them stay there.

// A placement is where the slices of a process begin.
type placement struct {
	cpus []int       // in turns; nil where there is nothing to choose
	all  unix.CPUSet // these
	now  unix.CPUSet // those that its threads may use
}

// placementOf is that of a process that may use all its CPUs.
func placementOf(pid int) (p placement) {
	if err := unix.SchedGetaffinity(pid, &p.all); err != nil || p.all.Count() < 2 {
		return p
	}
	p.now = p.all
	for c := range len(p.all) * strconv.IntSize {
		if p.all.IsSet(c) {
			p.cpus = append(p.cpus, c)
		}
	}
	return p
}

// place moves the process to the CPU of its next slice.
func (s *side) place() error {
	if len(s.cpus) == 0 {
		return nil
	}
	var one unix.CPUSet
	at := s.taken
	if s.OnCPU > 0 {
		at = s.OnCPU - 1
	}
	one.Set(s.cpus[at%len(s.cpus)])
	if one == s.now {
		return nil
	}
	return s.move(s.process, one)
}

// spread lets the process use all its CPUs again.
func (s *side) spread() error {
	if len(s.cpus) == 0 || s.OnCPU > 0 {
		return nil
	}
	return s.move(s.process, s.all)
}

// move lets all threads of a process that may use the CPUs of now use these ones: a thread that chose its own
// keeps them.
func (p *placement) move(of *process, to unix.CPUSet) error {
	for id := range of.threads {
		tid, err := strconv.Atoi(id)
		if err != nil {
			continue
		}
		var has unix.CPUSet
		if unix.SchedGetaffinity(tid, &has) != nil || has != p.now {
			continue
		}
		if err := unix.SchedSetaffinity(tid, &to); err != nil && !gone(err) {
			return fmt.Errorf("move thread %d: %w", tid, err)
		}
	}
	p.now = to
	return nil
}
