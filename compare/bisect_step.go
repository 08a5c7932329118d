package compare

import "math"

// BisectPairs is the most pairs that a step of `git bisect run` measures before it
// gives the commit up as undecided.
const BisectPairs = 40

// A BisectStep decides whether one commit is good or bad, for `git bisect run`, where git
// chooses the commit and wants one word for it: a sequential test (Wald, Annals of
// Mathematical Statistics 16, 1945) of "as the good end" against "as the bad end",
// whose size and noise are not given but learned from all pairs measured so far.
type BisectStep struct {
	search Search
	err    float64
}

// The line of a BisectStep: the good end, the commit, the bad end. If the first
// commit behind the good end is the culprit, the commit is bad.
const (
	stepGood = iota
	stepCommit
	stepBad
)

// NewBisectStep returns the test of one of n candidates. Ends are the log-ratios of the
// bad end over the good one; good and bad those of the commits that were judged so
// before. All steps of the bisection together err with a chance of about 5 %.
func NewBisectStep(n int, ends, good, bad []float64) *BisectStep {
	s := &BisectStep{*NewSearch(stepBad, nil), 0.05 / math.Ceil(math.Log2(float64(max(n, 2))))}
	s.add(stepGood, stepBad, ends)
	s.add(stepGood, stepBad, bad)
	s.add(stepGood, stepGood, good)
	return s
}

// Add adds log-ratios of the commit over the good end.
func (s *BisectStep) Add(logRatios ...float64) { s.add(stepGood, stepCommit, logRatios) }

func (s *BisectStep) add(base, head int, logRatios []float64) {
	for _, r := range logRatios {
		s.search.Add(Observation{base, head, r})
	}
}

// Bad returns the probability that the commit is bad.
func (s *BisectStep) Bad() float64 { return s.search.Posterior().Before(stepCommit) }

// Decided reports whether the commit is clearly one or the other.
func (s *BisectStep) Decided() (bad, ok bool) {
	p := s.Bad()
	return p > 0.5, p >= 1-s.err || p <= s.err
}
