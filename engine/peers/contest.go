package main

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// A contestant is an implementation to be timed. All of its calls do the same work.
type contestant struct {
	name  string
	run   func(times int)
	work  float64 // operations per call; 0 means one
	flops float64 // floating-point operations per call, if they are counted

	times   int       // number of calls in a repetition
	long    bool      // whether one call takes longer than a repetition should
	seconds []float64 // time of one operation in each undisturbed repetition
	all     []float64
}

// A contest measures contestants in turns. The first contestant is ours.
type contest struct {
	contestants []*contestant
	threads     int
}

// repetition is the intended length of a repetition. A repetition counts as disturbed if its
// elapsed time is more than disturbed times its CPU time.
const (
	repetition = 4 * time.Millisecond
	disturbed  = 1.04
)

// run measures for the given time, but for at least three rounds. In each round, every contestant
// runs one repetition, so a disturbance affects all contestants.
func (c *contest) run(length time.Duration) {
	for _, x := range c.contestants {
		x.prepare()
	}
	began := time.Now()
	for round := 0; round < 3 || time.Since(began) < length; round++ {
		for i := range c.contestants {
			x := c.contestants[(i+round)%len(c.contestants)]
			if !x.long {
				x.run(1) // refill the caches, which hold another contestant's data
			}
			wall, cpu := timed(func() { x.run(x.times) })
			seconds := wall / float64(x.times) / cmp.Or(x.work, 1)
			x.all = append(x.all, seconds)
			if c.threads > 1 || wall <= disturbed*cpu {
				x.seconds = append(x.seconds, seconds)
			}
		}
	}
}

// prepare calls the contestant until it has warmed up, and determines how many calls make up a
// repetition.
func (x *contestant) prepare() {
	x.run(1)
	for x.times = 1; ; {
		wall, _ := timed(func() { x.run(x.times) })
		if wall >= repetition.Seconds()/2 || x.times > 1<<24 {
			x.long = wall/float64(x.times) > repetition.Seconds()
			x.times = max(1, int(float64(x.times)*repetition.Seconds()/wall))
			return
		}
		x.times *= 2
	}
}

// rate returns the rate in GFLOPS.
func (x *contestant) rate() float64 { return x.flops / x.median() / 1e9 }

func timed(f func()) (wall, cpu float64) {
	began, before := time.Now(), cpuTime()
	f()
	return time.Since(began).Seconds(), cpuTime() - before
}

// cpuTime returns the CPU time of all threads of this process.
func cpuTime() float64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		return math.NaN()
	}
	return float64(t.Nano()) / 1e9
}

// median returns the median time of one operation. It excludes disturbed repetitions unless most of
// them were disturbed.
func (x *contestant) median() float64 {
	s := slices.Sorted(slices.Values(x.seconds))
	if len(s) < 3 {
		s = slices.Sorted(slices.Values(x.all))
	}
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}

// alone restricts Go to one thread at a time, so that every repetition measures a single core.
func alone() (restore func()) {
	before := runtime.GOMAXPROCS(1)
	return func() { runtime.GOMAXPROCS(before) }
}
