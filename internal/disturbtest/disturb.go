// Package disturbtest makes a machine noisy on purpose, for tests of what measures on it:
// bursts of load on every CPU, on and off at random, as neighbours on a shared machine and
// other jobs of a build server make them. A burst computes and walks through memory, so
// that it takes time from a benchmark and lines from its caches.
//
// The program that a test starts for it is [Main]; it ends with the test, however that ends.
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

// A Load says how the machine is disturbed.
type Load struct {
	Seed    uint64        // of the lengths
	On, Off time.Duration // mean length of a burst, and of the rest between two; both are exponential
	PerCPU  int           // how many threads want each CPU in a burst
}

// Default disturbs samples of 100 ms: bursts and rests are about as long as they are, and in a
// burst a benchmark has about 40 % of a CPU.
var Default = Load{Seed: 1, On: 70 * time.Millisecond, Off: 70 * time.Millisecond, PerCPU: 2}

// Until disturbs until r has nothing more.
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
	_, _ = io.Copy(io.Discard, r) // an error is an end, too
	ended.Store(true)
}

// burn computes and walks through memory while on is set.
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

// Main is the program: it disturbs as its flags say until its standard input ends, which the
// system sees to when the process that holds the other end is gone.
func Main() {
	l := Default
	f := flag.NewFlagSet("disturb", flag.ExitOnError)
	f.Uint64Var(&l.Seed, "seed", l.Seed, "of the lengths")
	f.DurationVar(&l.On, "on", l.On, "mean length of a burst")
	f.DurationVar(&l.Off, "off", l.Off, "mean length of a rest")
	f.IntVar(&l.PerCPU, "per-cpu", l.PerCPU, "threads for each CPU in a burst")
	_ = f.Parse(os.Args[1:]) // ends the program where it fails
	l.Until(os.Stdin)
}
