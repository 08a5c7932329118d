package compare

import "math"

// uVariance is how much larger the variance of the Hodges-Lehmann estimate of
// n samples a side is than s²/n: two sides, by the efficiency of the test in
// blocks of five on normal values, 0.85, as simulated.
const uVariance = 2.36

// maxNeed is where a number of rounds stops to be information.
const maxNeed = 1_000_000

// planningMargin is the relative error of a spread estimated from n rounds, as
// a multiple of 1/√n: about half a standard error of the median deviation.
const planningMargin = 0.35

// requiredRounds returns how many rounds show a shift with a chance of 99 %,
// if samples of one side scatter by spread about their block and the test may
// err with the chance level. A shift of 0 or less can never be shown.
func requiredRounds(spread, level, shift float64) int {
	if shift <= 0 {
		return maxNeed
	}
	z := normalQuantile(level) + normalQuantile(0.01)
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

// normalQuantile returns the z that a standard normal value exceeds with the
// chance p.
func normalQuantile(p float64) float64 {
	return math.Sqrt2 * math.Erfcinv(2*min(max(p, 1e-300), 1-1e-16))
}

// spread is the standard deviation of the loaded samples about their block and
// side, by the median absolute deviation, which spikes do not move.
func (in *strata) spread() float64 {
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
	return normalMAD * median(residuals)
}

// need returns how many rounds in all an undecided series would have needed at
// least. It plans for a change of exactly the threshold, or for one as small as the
// interval allows where all of that is a change already, as before the first look; if
// that many rounds were measured already, for what the estimate suggests.
func (m *measurement) need(level, tail, threshold float64, f EffectFloor) int {
	goal := math.Log1p(threshold)
	// The spread itself is an estimate. Planning with one that came out too
	// small would promise too much as often as not.
	spread := m.spread * (1 + planningMargin/math.Sqrt(float64(m.pairs)))
	n := requiredRounds(spread, level, goal-f.Null)
	if sure := max(m.shift.Lo, -m.shift.Hi); sure >= f.Least {
		n = min(n, max(requiredRounds(spread, level, sure-f.Null), m.pairs+1))
	}
	if n > m.pairs {
		return n
	}
	size := math.Abs(m.shift.Center)
	n = requiredRounds(spread, tail, goal-f.Slack-size)
	if size >= f.Least {
		n = min(n, requiredRounds(spread, level, size-f.Null))
	}
	return max(n, m.pairs+blockRounds)
}
