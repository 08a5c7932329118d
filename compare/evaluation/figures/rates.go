package figures

import "math"

// AtMost returns the one-sided 95 % upper confidence bound for a rate, given x of n cases (Clopper
// and Pearson, Biometrika 26 (1934)).
func AtMost(x, n int) float64 {
	if x >= n {
		return 1
	}
	lo, hi := float64(x)/float64(n), 1.0
	for range 60 {
		mid := (lo + hi) / 2
		if binomialCDF(x, n, mid) > 0.05 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// AtLeast returns the corresponding lower bound.
func AtLeast(x, n int) float64 { return 1 - AtMost(n-x, n) }

// binomialCDF returns the probability of at most x of n cases at rate p. It sums the terms from x
// down until they no longer matter.
func binomialCDF(x, n int, p float64) float64 {
	if p <= 0 {
		return 1
	}
	if p >= 1 {
		return 0
	}
	lg := func(k int) float64 { v, _ := math.Lgamma(float64(k + 1)); return v }
	logTerm := lg(n) - lg(x) - lg(n-x) + float64(x)*math.Log(p) + float64(n-x)*math.Log1p(-p)
	term, sum := math.Exp(logTerm), 0.0
	for k := x; k >= 0 && term > 1e-18*sum; k-- {
		sum += term
		term *= float64(k) / float64(n-k+1) * (1 - p) / p
	}
	return min(1, sum)
}
