package stat

import (
	"math"
	"slices"
)

// Replay returns the decisions of a trial, one for each series. They are a
// function of nothing but what is stored of it.
func Replay(t Trial, opt Options) []Decision {
	return NewSequence(t, opt).Decisions()
}

// A Sequence decides a trial while it is measured: samples are added round by
// round, and what is decided need not be measured any more. It ends up with
// exactly what [Replay] says of the same samples.
type Sequence struct {
	opt     Options
	series  []state
	round   int // the last complete one
	session int // the last round of the session before
	ended   int // sessions that have ended
	rules   rules
	pairs   pairs
	blocks  blocks
}

// NewSequence replays the sessions of a trial that have ended; what is added
// then belongs to the next one. The samples of the trial are not modified.
func NewSequence(t Trial, opt Options) *Sequence {
	s := new(Sequence)
	s.Reset(t, opt)
	return s
}

// Reset makes s as NewSequence would, keeping the tables that do not depend on
// the trial.
func (s *Sequence) Reset(t Trial, opt Options) {
	s.opt = opt.withDefaults()
	s.pairs.s, s.blocks.s = s, s
	s.rules = &s.pairs
	if !s.opt.Procedure.ByPairs() {
		s.rules = &s.blocks
	}
	s.rules.begin()
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

// Add adds what a round, counted from 1, gave of a series. The rounds of a series come
// in order; some may be left out.
func (s *Sequence) Add(series, round int, p Pair) { s.series[series].add(round, p) }

// AddMean adds the means over all slices of a round, if it has them, beside what Add adds. One
// that has no logarithm is none; counts have none.
func (s *Sequence) AddMean(series, round int, p Pair) {
	if !s.opt.variant.means || s.series[series].Counts {
		return
	}
	if !(min(p.Base, p.Head) > 0) || math.IsInf(max(p.Base, p.Head), 1) {
		p = missing
	}
	s.series[series].means.add(round, p)
}

// Complete says that all samples up to a round were added, and decides what is
// due. It returns how many series are still open.
func (s *Sequence) Complete(round int) (open int) {
	for s.round < round {
		next := s.opt.Plan.NextLook(s.round)
		if next == 0 || next > round {
			next = round
		}
		s.round = next
		s.rules.look()
	}
	for i := range s.series {
		if s.Open(i) {
			open++
		}
	}
	return open
}

// End says that a session ended with this round, which may be a look of its own, paid from
// the reserve: beyond the looks of the plan.
func (s *Sequence) End(round int) {
	s.Complete(round)
	s.rules.end()
	s.ended++
	s.session = s.round
}

// Open reports whether a series is undecided.
func (s *Sequence) Open(series int) bool { return s.series[series].round == 0 }

// Tested is how many series share the error rate: the m of Holm's correction. Counts that repeat are not among them.
func (s *Sequence) Tested() int { return s.rules.tested() }

// Decisions returns what can be said of each series now; of the open ones also how many
// rounds they would have needed.
func (s *Sequence) Decisions() []Decision {
	s.rules.leave()
	out := make([]Decision, len(s.series))
	for i := range s.series {
		out[i] = s.series[i].decision
	}
	return out
}
