package slicing

import (
	"math"
	"time"
)

// A Reward decides on the number of slices in the next round from the spread of earlier rounds and
// of their slices. It uses the absolute values of the rounds' log ratios and never their signs, so
// the test on rounds stays exact.
type Reward struct {
	n       float64 // number of rounds
	sizes   float64 // sum of the absolute values of the rounds' log ratios
	squares float64 // sum of the squares of the log ratios
	within  float64 // sum of the variances contributed by the slices to the rounds
	ofOne   float64 // sum of the variances of a single pair of slices
}

// rewardedAfter is the number of rounds needed to estimate their spread.
const rewardedAfter = 5

const (
	// middleVariance is the variance of the mean of the middle fifth of normally distributed
	// values, as a multiple of the variance of the mean of all of them. For the median it would be
	// pi/2.
	middleVariance = 1.45

	// unsigned is the variance of normally distributed values as a multiple of the variance of
	// their absolute values. The true factor is 2.75 for a mean of 0 and 1 for a mean far from 0,
	// so this value is a compromise.
	unsigned = 1.7
)

// Add adds a round with the given number of pairs of slices.
func (r *Reward) Add(round Round, slices int) {
	size := math.Abs(math.Log(valueOf(round.Results[1], 0, "ns/op")) - math.Log(valueOf(round.Results[0], 0, "ns/op")))
	if !(size < math.Inf(1)) || slices < 1 {
		return
	}
	one := middleVariance * round.Spread * round.Spread
	r.n, r.sizes, r.squares = r.n+1, r.sizes+size, r.squares+size*size
	r.ofOne, r.within = r.ofOne+one, r.within+one/float64(slices)
}

// Slices returns the number of pairs of slices for the next round. It is the method's number, or
// fewer if rounds differ by more than their slices explain, because adding slices does not reduce
// the rest of the variance (Kalibera and Jones, "Rigorous benchmarking in reasonable time", ISMM
// 2013). The method was chosen for benchtime.
func (r *Reward) Slices(w Method, benchtime time.Duration) int {
	least := leastOf(w.N, w.Length, benchtime)
	if r.n < rewardedAfter || w.Slices <= least {
		return w.Slices
	}
	mean := r.sizes / r.n
	between := unsigned*(r.squares/r.n-mean*mean) - r.within/r.n
	if between <= 0 {
		return w.Slices
	}
	worth := math.Sqrt(r.ofOne / r.n / between * float64(roundCost) / float64(2*(w.Length+around)))
	return min(w.Slices, max(least, nextOf(worth)))
}
