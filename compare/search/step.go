package search

import "math"

// MaxPairs is the largest number of pairs that a step of `git bisect run` measures before
// it gives a commit up as undecided.
const MaxPairs = 40

// A Step decides whether one commit is good or bad, for `git bisect run`, where git
// chooses the commit and wants one word for it. It is a sequential probability ratio
// test (Wald, Annals of Mathematical Statistics 16, 1945) of "like the good end" against
// "like the bad end", whose size and noise are estimated from all pairs so far.
type Step struct {
	search Search
	err    float64
}

// The line of a Step: the good end, the commit, the bad end. The commit is bad if it is
// the culprit, good if the bad end is.
const (
	stepGood = iota
	stepCommit
	stepBad
)

// NewStep returns the test of one of n candidates. Ends are the log-ratios of the bad
// end over the good end; good and bad those of commits judged so before, over the good
// end. All steps of a bisection together err with a probability of about 5 %.
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

// Decided reports whether the commit is clearly one or the other.
func (s *Step) Decided() (bad, ok bool) {
	p := s.Bad()
	return p > 0.5, p >= 1-s.err || p <= s.err
}
