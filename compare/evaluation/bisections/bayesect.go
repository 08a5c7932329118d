package bisections

import "math"

// GitBayesect is git_bayesect with the certainty of 0.95 that its calibration script uses. Each run
// of the test fails or passes; here it fails if a pair's ratio is above the midpoint between the
// two ends, estimated from ten pairs. The unknown probabilities of a failure before the culprit and
// from the culprit on have the prior Beta(1/2, 1/2) and are integrated out. The next commit to test
// minimizes the expected entropy of the culprit.
var GitBayesect = Bisector{"git_bayesect, 0.95", func(l *Line) (f Found) {
	ratios := make([]float64, endSamples)
	limit := 0.0
	for i := range ratios {
		ratios[i] = l.ratio(0, l.Commits)
		limit += ratios[i] / endSamples / 2
	}
	f.Ends = l.Pairs
	s := newBayes(l.Commits)
	for _, r := range ratios {
		s.record(l.Commits, r > limit)
	}
	for {
		p := s.posterior(s.fail, s.pass)
		best := 0
		for i := range p {
			if p[i] > p[best] {
				best = i
			}
		}
		if p[best] >= 0.95 || l.Pairs > mostBayes {
			f.Commit = best
			return f
		}
		commit := s.next(p)
		l.build(commit)
		s.record(commit, l.ratio(0, commit) > limit)
	}
}}

// mostBayes limits the number of pairs in case a search does not end.
const mostBayes = 2000

// bayes is the state of git_bayesect: the numbers of failures and passes of each commit.
type bayes struct {
	n          int
	fail, pass []float64
	before     [2][]float64 // scratch: numbers of failures and passes before each commit
	logs, out  []float64
}

func newBayes(n int) *bayes {
	return &bayes{n: n, fail: make([]float64, n+1), pass: make([]float64, n+1), logs: make([]float64, n+1), out: make([]float64, n+1),
		before: [2][]float64{make([]float64, n+2), make([]float64, n+2)}}
}

// record adds the result of one run of the test.
func (s *bayes) record(commit int, failed bool) {
	if failed {
		s.fail[commit]++
	} else {
		s.pass[commit]++
	}
}

func logBeta(a, b float64) float64 {
	return logGamma(a) + logGamma(b) - logGamma(a+b)
}

// evidence returns the logarithm of the marginal likelihood of the given numbers of failures and
// passes if they share one unknown probability.
func evidence(fail, pass float64) float64 {
	return logBeta(0.5+fail, 0.5+pass) - logBeta(0.5, 0.5)
}

// posterior returns the probability that each commit from 1 to n is the culprit.
func (s *bayes) posterior(fail, pass []float64) []float64 {
	for i := range fail {
		s.before[0][i+1] = s.before[0][i] + fail[i]
		s.before[1][i+1] = s.before[1][i] + pass[i]
	}
	fails, passes := s.before[0][s.n+1], s.before[1][s.n+1]
	highest := math.Inf(-1)
	for j := 1; j <= s.n; j++ {
		f, p := s.before[0][j], s.before[1][j]
		s.logs[j] = evidence(f, p) + evidence(fails-f, passes-p)
		highest = max(highest, s.logs[j])
	}
	total := 0.0
	for j := 1; j <= s.n; j++ {
		s.out[j] = math.Exp(s.logs[j] - highest)
		total += s.out[j]
	}
	for j := 1; j <= s.n; j++ {
		s.out[j] /= total
	}
	return s.out
}

// next returns the commit whose result is expected to leave the least entropy. Among equally good
// commits, it prefers the one nearest to the median of the distribution.
func (s *bayes) next(p []float64) int {
	// The probability that commit i fails depends only on whether i is before the culprit or not.
	current := append([]float64(nil), p...)
	totalF, totalP := s.before[0][s.n+1], s.before[1][s.n+1]
	slow, fast := make([]float64, s.n+1), make([]float64, s.n+1)
	for j := 1; j <= s.n; j++ {
		f, q := s.before[0][j], s.before[1][j]
		fast[j] = (0.5 + f) / (1 + f + q)
		slow[j] = (0.5 + totalF - f) / (1 + totalF + totalP - f - q)
	}
	best, least, middle := 1, math.Inf(1), 0.0
	sum := 0.0
	for i := 1; i <= s.n; i++ {
		sum += current[i]
		chance, hf, hp := 0.0, 0.0, 0.0
		for j := 1; j <= s.n; j++ {
			c := fast[j]
			if i >= j {
				c = slow[j]
			}
			chance += current[j] * c
			hf += xlogx(current[j] * c)
			hp += xlogx(current[j] * (1 - c))
		}
		// The expected entropy of the culprit, summed over the two possible results.
		expected := -hf - hp + xlogx(chance) + xlogx(1-chance)
		from := math.Abs(sum - 0.5)
		if expected < least-1e-12 || expected < least+1e-12 && from < middle {
			best, least, middle = i, expected, from
		}
	}
	return best
}

func xlogx(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return x * math.Log(x)
}

// gammas holds ln Γ(k/2), because git_bayesect evaluates it only at multiples of 1/2.
var gammas = func() (table [1 << 15]float64) {
	for k := 1; k < len(table); k++ {
		table[k], _ = math.Lgamma(float64(k) / 2)
	}
	return table
}()

func logGamma(x float64) float64 { return gammas[int(2*x+0.5)] }
