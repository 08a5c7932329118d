// Package disturbtest makes a machine noisy on purpose, to test measurements on it. It puts bursts
// of load on every CPU at random times, like neighbors on a shared machine or other jobs on a build
// server. During a burst, threads compute and access random memory, so they take CPU time from a
// benchmark and evict its cache lines.
//
// A test runs [Main] in a process of its own, which always ends with the test.
package disturbtest

import (
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"sync/atomic"
	"time"
)

// A Load describes a disturbance.
type Load struct {
	Seed    uint64        // seed for the random lengths of bursts and rests
	On, Off time.Duration // mean lengths of a burst and of the rest between two bursts, both exponentially distributed
	PerCPU  int           // threads per CPU in a burst
}

// Default is meant to disturb samples of 100 ms. Bursts and rests are about as long as a sample,
// and during a burst a benchmark gets about 40 % of a CPU.
var Default = Load{Seed: 1, On: 70 * time.Millisecond, Off: 70 * time.Millisecond, PerCPU: 2}

// Until disturbs the machine until it reads EOF or an error from r.
func (l Load) Until(r io.Reader) {
	var on, ended atomic.Bool
	threads := l.PerCPU * runtime.NumCPU()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads + 1))
	for range threads {
		go burn(&on, &ended)
	}
	go func() {
		rng := rand.New(rand.NewPCG(l.Seed, 0))
		for !ended.Load() {
			time.Sleep(time.Duration(rng.ExpFloat64() * float64(l.Off)))
			on.Store(true)
			time.Sleep(time.Duration(rng.ExpFloat64() * float64(l.On)))
			on.Store(false)
		}
	}()
	_, _ = io.Copy(io.Discard, r) // an error also ends the disturbance
	ended.Store(true)
}

// burn computes and accesses random memory whenever on is set. It returns when ended is set.
func burn(on, ended *atomic.Bool) {
	runtime.LockOSThread()
	memory := make([]uint64, 1<<20)
	x := uint64(1)
	for !ended.Load() {
		if !on.Load() {
			time.Sleep(time.Millisecond)
			continue
		}
		for range 4096 {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			memory[x%uint64(len(memory))] += x
		}
	}
}

// Main is the main function of the program. It disturbs the machine as specified by its flags until
// its standard input ends, at the latest when the process at the other end exits.
func Main() {
	l := Default
	f := flag.NewFlagSet("disturb", flag.ExitOnError)
	f.Uint64Var(&l.Seed, "seed", l.Seed, "of the lengths")
	f.DurationVar(&l.On, "on", l.On, "mean length of a burst")
	f.DurationVar(&l.Off, "off", l.Off, "mean length of a rest")
	f.IntVar(&l.PerCPU, "per-cpu", l.PerCPU, "threads for each CPU in a burst")
	_ = f.Parse(os.Args[1:]) // exits on failure
	l.Until(os.Stdin)
}
