package turnstile

import (
	"fmt"
	"strconv"

	"golang.org/x/sys/unix"
)

// The CPUs of a virtual machine differ, because another virtual machine may slow one of them down
// by half for some tenths of a second. A process resumes on its last CPU, so each side would keep a
// CPU of its own for the whole round, and a difference between the CPUs would look like a change.
// Therefore both slices of a pair begin on the same CPU, and the next pair begins on the next one.
// Slices only begin there, because a benchmark may need all CPUs. If it is known to need only one,
// it stays on one CPU for the whole round.

// A placement determines the CPUs on which the slices of a process begin.
type placement struct {
	cpus []int       // used in turn; nil if there is no choice
	all  unix.CPUSet // all CPUs of the process
	now  unix.CPUSet // CPUs its threads may use now
}

// placementOf returns the placement of a process that may currently use all its CPUs.
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

// place moves the process to the CPU on which its next slice begins.
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

// move moves all threads with the affinity p.now to the CPUs in to. A thread with its own affinity
// keeps it.
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
