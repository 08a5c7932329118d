package slicing

import (
	"math"
	"time"
)

// A Reward tells how many slices of the next round are worth their time, from what the rounds before it
// differed by and what their slices did. Of the ratios of rounds it knows the sizes and not the signs, so it
// tells the test of rounds nothing.
type Reward struct {
	n       float64 // rounds
	sizes   float64 // sum of the sizes of their log ratios
	squares float64 // of these
	within  float64 // sum of the variances that slices gave the rounds
	ofOne   float64 // sum of the variances of a pair of slices
}

// rewardedAfter is after how many rounds their differences say something.
const rewardedAfter = 5

const (
	// middleVariance is the variance of the mean of the middle fifth of some normal values, as a multiple of that of
	// their mean; of the median it is pi/2.
	middleVariance = 1.45

	// unsigned is the variance of normal values as a multiple of the variance of their sizes: 2.75 if their mean is 0, and 1
	// if it is far from 0. This is between the two.
	unsigned = 1.7
)

// Add takes a round of so many slices into account.
func (r *Reward) Add(round Round, slices int) {
	size := math.Abs(math.Log(valueOf(round.Results[1], 0, "ns/op")) - math.Log(valueOf(round.Results[0], 0, "ns/op")))
	if !(size < math.Inf(1)) || slices < 1 {
		return
	}
	one := middleVariance * round.Spread * round.Spread
	r.n, r.sizes, r.squares = r.n+1, r.sizes+size, r.squares+size*size
	r.ofOne, r.within = r.ofOne+one, r.within+one/float64(slices)
}

// Slices is how many pairs of slices the next round of the way has: as many as were chosen, or fewer where
// rounds differ by more than their slices explain, which no number of slices makes smaller (Kalibera and Jones, see
// Choose). Benchtime is that of the choice.
func (r *Reward) Slices(w Way, benchtime time.Duration) int {
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
