package stat

import "math"

// uVariance is how much larger the variance of the Hodges-Lehmann estimate of
// n samples a side is than s²/n: two sides, by the efficiency of the test in
// blocks of five on normal values, 0.85, as simulated.
const uVariance = 2.36

// Required returns how many rounds show a shift with a chance of 99 %,
// if samples of one side scatter by spread about their block and the test may
// err with the chance level. A shift of 0 or less can never be shown.
func (s *Stratified) Required(spread, level, shift float64) int {
	if shift <= 0 {
		return maxNeed
	}
	z := NormalQuantile(level) + NormalQuantile(0.01)
	n := math.Ceil(uVariance * spread * spread * z * z / (shift * shift))
	return max(int(min(n, maxNeed)), attainableRounds(level))
}

// attainableRounds is the smallest number of rounds with which the test can
// reach the level at all: each full block of 5 multiplies p by 1/252.
func attainableRounds(level float64) int {
	n, p := 0, 1.0
	for ; p > level && n < maxNeed; n += blockRounds {
		p /= choose(2*blockRounds, blockRounds)
	}
	return n
}

// Spread is the standard deviation of the loaded samples about their block and
// side, by the median absolute deviation, which spikes do not move.
func (s *Stratified) Spread() float64 {
	in := &s.loaded
	var residuals []float64
	for _, side := range [][]float64{in.a, in.b} {
		first := 0
		for _, n := range in.sizes {
			block := side[first : first+n]
			first += n
			if n < 2 {
				continue
			}
			mean := 0.0
			for _, v := range block {
				mean += v / float64(n)
			}
			for _, v := range block {
				residuals = append(residuals, math.Abs(v-mean)*math.Sqrt(float64(n)/float64(n-1)))
			}
		}
	}
	return NormalMAD * Median(residuals)
}

// planningMargin is the relative error of a spread estimated from n rounds, as
// a multiple of 1/√n: about half a standard error of the median deviation.
const planningMargin = 0.35
