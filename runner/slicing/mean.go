package slicing

import (
	"math"
	"slices"
)

// A Mean describes all slices of a side in a round. They include those not selected by the
// [Estimator], and therefore everything the benchmark does only occasionally.
//
// It depends on the slices of one side only, so exchanging the sides exactly inverts the ratio of
// their means.
type Mean struct {
	Time float64 // ns/op; 0 if unknown
	Slow float64 // fraction of slices far longer than usual, from 0 to 1
}

// farLonger is the smallest ratio of a slow slice's time to the usual time. If the times vary a
// lot, the limit is higher; see offLimit.
const farLonger = 1.5

// MeanOf returns the mean of a side's slices, given the time of each slice and its wait for a CPU,
// both per operation.
//
// Other programs cause the waits. If a slice is slow only because it waited, the usual time is
// used. Subtracting the wait never reduces a time below the usual one, and does not change a
// shorter time. Because waits include those of all threads and those outside the timed part, too
// much may be subtracted, but never more than the excess over the usual slice.
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

// withoutWait returns the time of a slice minus its wait for a CPU, but not less than the usual
// time, or the slice's own time if shorter.
func withoutWait(time, waited, usual float64) float64 { return max(min(time, usual), time-waited) }

// slow returns the fraction of times far longer than the usual one.
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
