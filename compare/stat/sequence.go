package stat

import (
	"math"
	"slices"
)

// Replay returns the decisions of a trial, one for each series. They depend only on the stored
// data.
func Replay(t Trial, opt Options) []Decision {
	return NewSequence(t, opt).Decisions()
}

// A Sequence decides a trial while it is being measured. Samples are added round by round, and
// decided series need no more samples. In the end, its decisions equal those of [Replay] for the
// same samples.
type Sequence struct {
	opt     Options
	series  []state
	round   int // the last complete round
	session int // the last round of the previous session
	ended   int // number of finished sessions
	pairs   pairs
}

// NewSequence returns a sequence that has replayed the finished sessions of a trial. Samples added
// later belong to the next session. NewSequence does not modify the samples of the trial.
func NewSequence(t Trial, opt Options) *Sequence {
	s := new(Sequence)
	s.Reset(t, opt)
	return s
}

// Reset makes s equal to the result of NewSequence but keeps tables independent of the trial.
func (s *Sequence) Reset(t Trial, opt Options) {
	s.opt = opt.withDefaults()
	s.pairs.begin(s)
	s.round, s.session, s.ended = 0, 0, 0
	s.series = slices.Grow(s.series[:0], len(t.Series))[:len(t.Series)]
	last := 0
	for _, end := range t.Sessions {
		last = max(last, end)
	}
	for i := range t.Series {
		s.series[i].reset(&t.Series[i], s.opt)
		for r, p := range t.Series[i].Pairs[:min(last, len(t.Series[i].Pairs))] {
			s.Add(i, r+1, p)
		}
		for r, p := range t.Series[i].Means[:min(last, len(t.Series[i].Means))] {
			s.AddMean(i, r+1, p)
		}
	}
	for _, end := range t.Sessions {
		s.End(end)
	}
}

// Add adds the values of a series in a round, counted from 1. The rounds of a series must be added
// in order; some may be left out.
func (s *Sequence) Add(series, round int, p Pair) { s.series[series].add(round, p) }

// AddMean adds the means over all slices of a round, if it has any, in addition to the values
// passed to Add. A pair counts as missing if one of its means has no finite logarithm. AddMean
// ignores the means of counts.
func (s *Sequence) AddMean(series, round int, p Pair) {
	if s.series[series].Counts {
		return
	}
	if !(min(p.Base, p.Head) > 0) || math.IsInf(max(p.Base, p.Head), 1) {
		p = missing
	}
	s.series[series].means.add(round, p)
}

// Complete declares that all samples up to the given round have been added, and takes the looks due
// by then. It returns the number of open series.
func (s *Sequence) Complete(round int) (open int) {
	for s.round < round {
		next := s.opt.Plan.NextLook(s.round)
		if next == 0 || next > round {
			next = round
		}
		s.round = next
		s.pairs.look()
	}
	for i := range s.series {
		if s.Open(i) {
			open++
		}
	}
	return open
}

// End ends a session after the given round. If the round is beyond the plan's last look, the end of
// the session is another look and spends part of the reserve.
func (s *Sequence) End(round int) {
	s.Complete(round)
	s.pairs.end()
	s.ended++
	s.session = s.round
}

// Open reports whether a series is undecided.
func (s *Sequence) Open(series int) bool { return s.series[series].round == 0 }

// Tested returns the number of series sharing the error rate: the m of Holm's correction. Counts
// decided because they repeat are not included.
func (s *Sequence) Tested() int { return s.pairs.tested() }

// Decisions returns the current decision for each series. The decision of an open series includes
// the number of rounds it would have needed.
func (s *Sequence) Decisions() []Decision {
	s.pairs.leave()
	out := make([]Decision, len(s.series))
	for i := range s.series {
		out[i] = s.series[i].decision
	}
	return out
}
