package slicing

import (
	"math"
	"slices"
)

// A Mean is what all slices of a side of a round took together: also those that the [Estimator] leaves
// out, among which is all that the benchmark does now and then.
//
// It is of one side's slices alone. So the ratio of both sides' means is inverted, to the last bit,
// when they change places.
type Mean struct {
	Time float64 // ns/op; 0 is none
	Slow float64 // part of the slices, 0 to 1, that take far longer than the usual one
}

// farLonger is how many times as long as the usual slice one takes at least that takes far longer. Where
// slices scatter it is more: see offLimit.
const farLonger = 1.5

// MeanOf is of the slices of a side: their times, and how long each waited for a CPU, both by operation.
//
// Waiting is what other programs did. By it a slice may be late, which then counts as the usual one, and
// no slice counts as less than it took or than the usual one. Waits of all threads, and those outside of
// what is timed, are among it: too much is taken off rather than too little, but never more than what a
// slice took longer than usual.
func MeanOf(times, waited []float64) Mean {
	var own []float64
	var waits []float64
	for i, t := range times {
		if t >= 0 && !math.IsInf(t, 1) {
			own, waits = append(own, t), append(waits, waited[i])
		}
	}
	if len(own) == 0 {
		return Mean{}
	}
	usual := middleOf(slices.Sorted(slices.Values(own)))
	sum := 0.0
	for i, t := range own {
		own[i] = withoutWait(t, waits[i], usual)
		sum += own[i]
	}
	return Mean{Time: sum / float64(len(own)), Slow: slow(own, usual)}
}

// withoutWait is the time of a slice without its wait for a CPU: never less than the usual one, or than it took
// if that was quicker.
func withoutWait(time, waited, usual float64) float64 { return max(min(time, usual), time-waited) }

// slow is the part of the times that are far longer than the usual one.
func slow(times []float64, usual float64) float64 {
	spread := normalMAD * middleOf(deviations(times, usual))
	limit := max(farLonger*usual, usual+offLimit*spread)
	n := 0
	for _, t := range times {
		if t > limit {
			n++
		}
	}
	return float64(n) / float64(len(times))
}
