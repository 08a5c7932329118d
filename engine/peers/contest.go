package main

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// A contestant does one thing, as often in a row as it is told.
type contestant struct {
	name  string
	run   func(times int)
	work  float64 // how often one call does what the contest is about; 0 is once
	flops float64 // of one call, where that counts

	times   int       // calls of a repetition
	long    bool      // one call is longer than that
	seconds []float64 // of each repetition that nothing disturbed, for one call
	all     []float64
}

// A contest lets contestants take turns. The first one is ours.
type contest struct {
	contestants []*contestant
	threads     int
}

// How long a repetition takes, and how much longer than it computed one that the machine disturbed.
const (
	repetition = 4 * time.Millisecond
	disturbed  = 1.04
)

// run measures for as long as it is given, and at least three rounds. In each round every contestant has one
// repetition, so that whatever the machine does meets all alike.
func (c *contest) run(length time.Duration) {
	for _, x := range c.contestants {
		x.prepare()
	}
	began := time.Now()
	for round := 0; round < 3 || time.Since(began) < length; round++ {
		for i := range c.contestants {
			x := c.contestants[(i+round)%len(c.contestants)]
			if !x.long {
				x.run(1) // what lay in the caches is somebody else's
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

// prepare calls it until it is warm and finds how many calls are a repetition.
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

// rate is in GFLOPS.
func (x *contestant) rate() float64 { return x.flops / x.median() / 1e9 }

func timed(f func()) (wall, cpu float64) {
	began, before := time.Now(), cpuTime()
	f()
	return time.Since(began).Seconds(), cpuTime() - before
}

// cpuTime is what all threads of this process have computed.
func cpuTime() float64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		return math.NaN()
	}
	return float64(t.Nano()) / 1e9
}

// median is the time of one call. Where most repetitions were disturbed it is that of all.
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

// alone keeps Go to one thread at a time, so that every repetition is of one core.
func alone() (restore func()) {
	before := runtime.GOMAXPROCS(1)
	return func() { runtime.GOMAXPROCS(before) }
}
