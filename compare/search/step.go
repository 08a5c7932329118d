package search

import "math"

// MaxPairs is the largest number of pairs that a step of `git bisect run` measures before it gives
// up and leaves the commit undecided.
const MaxPairs = 40

// A Step decides whether one commit is good or bad, for `git bisect run`, where git chooses the
// commit and needs one answer. It is a sequential probability ratio test (Wald, Annals of
// Mathematical Statistics 16, 1945) of "like the good end" against "like the bad end". The size and
// the noise are estimated from all pairs so far.
type Step struct {
	search Search
	err    float64
}

// The positions in a Step's search: the good end, the commit and the bad end. If the commit is the
// culprit, it is bad. If the bad end is the culprit, the commit is good.
const (
	stepGood = iota
	stepCommit
	stepBad
)

// NewStep returns a test for one of n candidates. ends are log-ratios of the bad end over the good
// end; good and bad are log-ratios, also over the good end, of commits already judged good and bad.
// The probability that any step of a bisection is wrong is about 5 %.
func NewStep(n int, ends, good, bad []float64) *Step {
	s := &Step{*New(stepBad, nil), 0.05 / math.Ceil(math.Log2(float64(max(n, 2))))}
	s.add(stepGood, stepBad, ends)
	s.add(stepGood, stepBad, bad)
	s.add(stepGood, stepGood, good)
	return s
}

// Add adds log-ratios of the commit over the good end.
func (s *Step) Add(logRatios ...float64) { s.add(stepGood, stepCommit, logRatios) }

func (s *Step) add(base, head int, logRatios []float64) {
	for _, r := range logRatios {
		s.search.Add(Pair{base, head, r})
	}
}

// Bad returns the probability that the commit is bad.
func (s *Step) Bad() float64 { return s.search.Posterior().Before(stepCommit) }

// Decided reports whether the commit is bad; ok is false if it is not yet clear whether the commit
// is good or bad.
func (s *Step) Decided() (bad, ok bool) {
	p := s.Bad()
	return p > 0.5, p >= 1-s.err || p <= s.err
}
