package stat

import (
	"math"
	"slices"
)

// A Pair is what one round gave of a series: a value a side, in its own unit or as a
// logarithm. Where a side has none it is NaN, and the round does not count.
type Pair struct {
	Base, Head float64
	HeadFirst  bool // which of them was measured first
}

// A Series is one hypothesis of a trial: what was measured of one
// benchmark in one unit.
type Series struct {
	Better int // +1 higher values are better, -1 lower, 0 nobody said
	// Counts says that the values count something, so that those which repeat show
	// no noise; Declared that whoever prints them says that they always repeat.
	Counts, Declared bool
	// Zeros says that a value of 0 is one like any other: the series is tested in its
	// own unit where it has one, as counts are. Without, it stays open.
	Zeros      bool
	Negligible Negligible
	// Threshold is the smallest change that matters, as a fraction.
	Threshold float64
	// Noise is the noise floor of the benchmark's history as a fraction; 0 where
	// it is unknown, as when [NoiseFloor] had too few shifts.
	Noise float64
	// Unknown says that the series is of the second family: see [Weight].
	Unknown bool
	// Pairs are one a round, from round 1. There may be rounds after the last.
	Pairs []Pair
}

// A Trial is all that its verdicts depend on.
type Trial struct {
	Series []Series
	// Sessions are the rounds after which each session ended, in order: the
	// first check, then each time that the trial was continued.
	Sessions []int
}

// Options are the error rates. A field of 0 stands for its default.
type Options struct {
	// Alpha is the chance that a trial in which nothing changed has any series
	// flagged as regressed, over all its looks and continuations. The same
	// chance, each of its own, bounds any false improvement, and for one series
	// that a change of the threshold is called unchanged. Default 0.01.
	Alpha float64
	// CompareAlpha is benchstat's alpha: what benchstat would show as ~ is
	// never flagged. Default 0.05.
	CompareAlpha float64
	// Plan is when decisions are made. Default CheckPlan().
	Plan Plan
	// Floor is the effect floor for a threshold and a noise floor. Default
	// FloorFor.
	Floor func(threshold, noise float64) EffectFloor
}

func (o Options) withDefaults() Options {
	if o.Alpha <= 0 {
		o.Alpha = 0.01
	}
	if o.CompareAlpha <= 0 {
		o.CompareAlpha = 0.05
	}
	if len(o.Plan.Looks) == 0 {
		o.Plan = CheckPlan()
	}
	if o.Floor == nil {
		o.Floor = FloorFor
	}
	return o
}

// An Outcome is what is known of a series.
type Outcome int

// The outcomes. Higher and Lower are proven, and large enough to be reported; Same is
// proven, too: any change is smaller than the threshold.
const (
	Open Outcome = iota
	Higher
	Lower
	Same
)

// A Cause is why a series has its outcome, where the numbers do not say it all.
type Cause int

// The causes: the first of Same, the others of Open.
const (
	NoCause    Cause = iota
	TooSmall         // of a change that the unit itself makes negligible
	NoPairs          // no round has both sides
	Negative         // there is a value below 0
	Infinite         // or one that is not finite
	Zero             // or one that has no relative change
	Drift            // paired it is a change, but not among all samples of both sides
	BuildNoise       // builds of one source differ by about the threshold
)

// A Decision is what a trial says about one series.
//
// Of a decided series everything is as it was at the look that decided;
// samples that were taken later, for another unit of the benchmark, change
// nothing. Of an open one the shift is estimated from all rounds, also
// those after the last look, which decide nothing. Either way the interval
// pays from the plan of the looks, so that the chance that an end is wrong in
// whatever is finally shown is at most Alpha: it is one of 98 % at alpha 1 %.
//
// No number in it is ever NaN. Without an estimate the interval and the bound
// are infinite, and Rounds is 0.
type Decision struct {
	Outcome Outcome
	Cause   Cause
	Round   int  // the look that decided; 0 of an open series
	Rounds  int  // rounds with both sides that the numbers rest on
	Tested  bool // it is one of the hypotheses that share the error rate
	Exact   bool // decided by values that repeat, outside the family
	// Threshold and Noise are the series's, 0 where it has none that is above 0.
	Threshold, Noise float64
	P                float64 // one-sided, in the direction of the shift, before any correction
	AdjustedP        float64 // after Holm's correction and for the share of the look: to be held against Alpha
	Shift            Shift   // how far head lies above base
	// Bound is the largest relative change that the interval leaves possible, either
	// way, as a fraction of the smaller value.
	Bound float64
	// Need is how many rounds an open series would have needed at least, 0 where no
	// number is enough.
	Need int
	// Reach is after how many rounds an open series could first have been
	// flagged, where there was no look yet that could: it was not checked. Else 0.
	Reach int

	family family // whose test a flagged series was one of
}

// A family is the tests for a change of one direction.
type family int

const (
	neither family = iota
	worse
	better
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
	reruns  int // continuations that have ended
	ended   int // sessions that have ended
	test    Test
	whole   Stratified // benchstat's test, of all samples of both sides
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
	if s.test == nil {
		s.test = newTest()
	}
	s.round, s.session, s.reruns, s.ended = 0, 0, 0, 0
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
	}
	for _, end := range t.Sessions {
		s.End(end)
	}
}

// Add adds what a round, counted from 1, gave of a series. The rounds of a series come
// in order; some may be left out.
func (s *Sequence) Add(series, round int, p Pair) { s.series[series].add(round, p) }

// Complete says that all samples up to a round were added, and decides what is
// due. It returns how many series are still open.
func (s *Sequence) Complete(round int) (open int) {
	for s.round < round {
		next := s.opt.Plan.NextLook(s.round)
		if next == 0 || next > round {
			next = round
		}
		s.round = next
		s.look(s.opt.Plan.share(next))
	}
	for i := range s.series {
		if s.Open(i) {
			open++
		}
	}
	return open
}

// End says that a session ended with this round. The end of a continuation
// that measured anything is a look of its own, paid from the reserve. The end
// of the first session is none, unless one is due.
func (s *Sequence) End(round int) {
	s.Complete(round)
	if s.ended > 0 && s.round > s.session {
		s.reruns++
		s.look(s.opt.Plan.continuation(s.reruns))
	}
	s.ended++
	s.session = s.round
	// Counts need no look: they have no error rate to spend.
	for i := range s.series {
		s.series[i].decideRepeated(s.round)
	}
}

// Open reports whether a series is undecided.
func (s *Sequence) Open(series int) bool { return s.series[series].round == 0 }

// Tested is the number of hypotheses that share the error rate: the m of
// Holm's correction. Exact counts are not among them.
func (s *Sequence) Tested() int {
	known, unknown := s.families()
	return known + unknown
}

// families returns how many hypotheses there are of either kind.
func (s *Sequence) families() (known, unknown int) {
	for i := range s.series {
		switch st := &s.series[i]; {
		case st.rounds(s.round) == 0 || st.decision.Exact:
		case st.Unknown:
			unknown++
		default:
			known++
		}
	}
	return known, unknown
}

// Decisions returns what can be said of each series now; of the open ones also how many
// rounds they would have needed.
func (s *Sequence) Decisions() []Decision {
	out := make([]Decision, len(s.series))
	share := s.opt.Plan.future(s.round, s.reruns)
	known, unknown := s.families()
	laterKnown, laterUnknown := s.withoutCounts()
	for i := range s.series {
		st := &s.series[i]
		if st.round == 0 {
			st.leaveOpen(s, share, Sharing(known, unknown, st.Unknown), Sharing(laterKnown, laterUnknown, st.Unknown))
		}
		out[i] = st.decision
	}
	return out
}

// A state is what a sequence knows of one series.
type state struct {
	Series
	floor    EffectFloor
	values   []Pair // by round, NaN where the round does not count
	logs     []Pair // of values
	round    int    // the look that decided
	reached  bool   // there was a look that could have flagged it
	decision Decision
	now      measurement // of the last look, or of all rounds
}

func (st *state) reset(series *Series, opt Options) {
	*st = state{Series: *series, values: st.values[:0], logs: st.logs[:0]}
	st.Pairs = nil
	if !(st.Threshold > 0) { // NaN, too
		st.Threshold = 0
	}
	if !(st.Noise > 0) {
		st.Noise = 0
	}
	st.Counts = st.Counts || st.Declared
	st.floor = opt.Floor(st.Threshold, st.Noise)
}

func (st *state) add(round int, p Pair) {
	if !p.counts() {
		p = missing
	}
	for len(st.values) < round-1 {
		st.push(missing)
	}
	st.push(p)
}

// missing is the pair of a round that does not count.
var missing = Pair{Base: math.NaN(), Head: math.NaN()}

// counts reports whether both sides have a value.
func (p Pair) counts() bool { return !math.IsNaN(p.Base) && !math.IsNaN(p.Head) }

func (st *state) push(p Pair) {
	st.values = append(st.values, p)
	st.logs = append(st.logs, Pair{math.Log(p.Base), math.Log(p.Head), p.HeadFirst})
}

// until returns the pairs up to a round.
func until(pairs []Pair, round int) []Pair { return pairs[:min(round, len(pairs))] }

// rounds is the number of rounds up to a round that have both sides.
func (st *state) rounds(round int) (n int) {
	for _, p := range until(st.values, round) {
		if p.counts() {
			n++
		}
	}
	return n
}

// obstacle says why the values up to a round cannot be tested, if they cannot, and
// whether there is a 0 among them.
func (st *state) obstacle(round int) (why Cause, zero bool) {
	pairs := 0
	for _, p := range until(st.values, round) {
		switch {
		case !p.counts():
			continue
		case min(p.Base, p.Head) < 0:
			return Negative, false
		case math.IsInf(max(p.Base, p.Head), 1):
			return Infinite, false
		case min(p.Base, p.Head) == 0:
			zero = true
		}
		pairs++
	}
	switch {
	case pairs == 0:
		return NoPairs, false
	case zero && !st.Counts && !st.Zeros:
		return Zero, true
	}
	return NoCause, zero
}
