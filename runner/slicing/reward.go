package slicing

import (
	"math"
	"time"
)

// A Reward decides how many slices the next round gets, by how much earlier rounds differ and their slices
// scatter. It uses the sizes of the rounds' ratios and never their signs, so the test of rounds stays exact.
type Reward struct {
	n       float64 // rounds
	sizes   float64 // sum of the sizes of their log ratios
	squares float64 // of these
	within  float64 // sum of the variances that slices gave the rounds
	ofOne   float64 // sum of the variances of a pair of slices
}

// rewardedAfter is how many rounds it takes to know how much rounds differ.
const rewardedAfter = 5

const (
	// middleVariance is the variance of the mean of the middle fifth of normal values, as a multiple of the variance of
	// their mean. The median has pi/2.
	middleVariance = 1.45

	// unsigned is the variance of normal values as a multiple of the variance of their sizes: 2.75 if their mean is 0, and 1
	// if it is far from 0. This is between the two.
	unsigned = 1.7
)

// Add takes a round with this number of pairs of slices into account.
func (r *Reward) Add(round Round, slices int) {
	size := math.Abs(math.Log(valueOf(round.Results[1], 0, "ns/op")) - math.Log(valueOf(round.Results[0], 0, "ns/op")))
	if !(size < math.Inf(1)) || slices < 1 {
		return
	}
	one := middleVariance * round.Spread * round.Spread
	r.n, r.sizes, r.squares = r.n+1, r.sizes+size, r.squares+size*size
	r.ofOne, r.within = r.ofOne+one, r.within+one/float64(slices)
}

// Slices returns how many pairs of slices the next round gets: as many as were chosen, or fewer if rounds differ
// by more than their slices explain. No number of slices makes that part smaller (Kalibera and Jones, "Rigorous
// benchmarking in reasonable time", ISMM 2013). Benchtime is the one that the way was chosen for.
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
