package turnstile

import (
	"os"
	"runtime"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// All threads of a process are moved to one CPU and may use all CPUs again afterwards, except for a
// thread that has chosen its own CPU.
func TestPlacement(t *testing.T) {
	at := placementOf(os.Getpid())
	cpus, all := at.cpus, at.all
	if len(cpus) < 2 {
		t.Skip("there is one CPU only")
	}
	p, err := openProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	var own unix.CPUSet
	own.Set(cpus[0])
	runtime.LockOSThread() // never unlocked, so the thread ends with the test
	if err := unix.SchedSetaffinity(0, &own); err != nil {
		t.Fatal(err)
	}
	if _, _, err := p.look(false); err != nil {
		t.Fatal(err)
	}
	count := func(want unix.CPUSet) (n int) {
		for id := range p.threads {
			tid, _ := strconv.Atoi(id)
			var has unix.CPUSet
			if unix.SchedGetaffinity(tid, &has) == nil && has == want {
				n++
			}
		}
		return n
	}
	var last unix.CPUSet
	last.Set(cpus[1])
	before := count(all)
	err = at.move(p, last)
	if err != nil || before == 0 || count(last) != before || count(own) != 1 || count(all) != 0 {
		t.Errorf("of %d threads %d are on CPU %d, %d on all; %d chose its own: %v", before, count(last), cpus[1], count(all), count(own), err)
	}
	if err := at.move(p, all); err != nil || count(all) != before || count(own) != 1 {
		t.Errorf("of %d threads %d may use all CPUs again: %v", before, count(all), err)
	}
}

// With OnCPU, both sides stay on one CPU, and numbers above the last CPU wrap around.
func TestOnCPU(t *testing.T) {
	for _, on := range []int{1, 2, 3, 1024} {
		tr := newTrial(t, "Plain")
		tr.OnCPU = on
		p := tr.open(t)
		cpus := p.sides[0].cpus
		if len(cpus) < 2 {
			t.Skip("there is one CPU only")
		}
		for side := range Order(0, 4) {
			if _, err := p.Slice(side); err != nil {
				t.Fatal(err)
			}
		}
		var want unix.CPUSet
		want.Set(cpus[(on-1)%len(cpus)])
		for i, s := range p.sides {
			var has unix.CPUSet
			if err := unix.SchedGetaffinity(s.process.pid, &has); err != nil || has != want {
				t.Errorf("on CPU %d side %d may use %d CPUs, not the one that is asked for: %v", on, i, has.Count(), err)
			}
		}
	}
}

// The side given by First starts first.
func TestFirst(t *testing.T) {
	for first := range 2 {
		tr := newTrial(t, "Plain")
		tr.First = first
		p := tr.open(t)
		if a, b := p.sides[first].process.pid, p.sides[1-first].process.pid; a > b {
			t.Errorf("side %d is process %d, and the other one %d", first, a, b)
		}
	}
}
