package compare

import (
	"math"
	"slices"
)

// blockRounds is how many consecutive rounds are held against each other. Fewer
// would follow a drift more closely and need more rounds to prove anything.
const blockRounds = 5

// A SequentialSeries is one hypothesis of a trial: what was measured of one
// benchmark in one unit. Derived units are no hypotheses of their own.
type SequentialSeries struct {
	Unit   string // tidied: B/op and allocs/op have rules of their own
	Better int    // +1 higher values are better, -1 lower, 0 nobody said
	Exact  bool   // the unit is declared exact
	// Threshold is the smallest change that matters, as a fraction.
	Threshold float64
	// Noise is the noise floor of the benchmark's history as a fraction; 0 where
	// it is unknown, as when [NoiseFloor] had too few shifts.
	Noise float64
	// Unknown says that the base's history lacks the series, which is then in a family
	// of its own: see [Options].Known.
	Unknown bool
	// Base and Head have one value a round, from round 1; NaN, or no value any
	// more, where there is none. A round counts if both sides have one.
	Base, Head []float64
}

// A SequentialTrial is all that its verdicts depend on.
type SequentialTrial struct {
	Series []SequentialSeries
	// Sessions are the rounds after which each session ended, in order: the
	// first check, then each time that the trial was continued.
	Sessions []int
}

// SequentialOptions are the error rates. A field of 0 stands for its default.
type SequentialOptions struct {
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

func (o SequentialOptions) withDefaults() SequentialOptions {
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

// A SequentialDecision is what a trial says about one series.
//
// Of a decided series everything is as it was at the look that decided;
// samples that were taken later, for another unit of the benchmark, change
// nothing. Of an undecided one the shift is estimated from all rounds, also
// those after the last look, which decide nothing. Either way the interval
// pays from the plan of the looks, so that the chance that an end is wrong in
// whatever is finally shown is at most Alpha: it is one of 98 % at alpha 1 %.
//
// No number in it is ever NaN. Without an estimate the interval and the bound
// are infinite, and Rounds is 0.
type SequentialDecision struct {
	Decision
	Round  int     // the look that decided; 0 for undecided
	Rounds int     // rounds with both sides that the numbers rest on
	P      float64 // one-sided, in the direction of the shift, before any correction
	Exact  bool    // compared as exact counts, outside the family
	// Reach is after how many rounds an undecided series could first have been
	// flagged, where there was no look yet that could: it was not checked. Else 0.
	Reach int

	family Verdict // of the tests of which direction a flagged series was one
}

// Replay returns the decisions of a trial, one for each series. They are a
// function of nothing but what is stored of it.
func Replay(t SequentialTrial, opt SequentialOptions) []SequentialDecision {
	return NewSequence(t, opt).Decisions()
}

// A Sequence decides a trial while it is measured: samples are added round by
// round, and what is decided need not be measured any more. It ends up with
// exactly what [Replay] says of the same samples.
type Sequence struct {
	opt     SequentialOptions
	series  []sequentialState
	round   int // the last complete one
	session int // the last round of the session before
	reruns  int // continuations that have ended
	ended   int // sessions that have ended
	test    Stratified
}

// NewSequence replays the sessions of a trial that have ended; what is added
// then belongs to the next one. The samples of the trial are not modified.
func NewSequence(t SequentialTrial, opt SequentialOptions) *Sequence {
	s := &Sequence{}
	s.Reset(t, opt)
	return s
}

// Reset makes s as NewSequence would, keeping the tables that do not depend on
// the trial.
func (s *Sequence) Reset(t SequentialTrial, opt SequentialOptions) {
	s.opt = opt.withDefaults()
	s.round, s.session, s.reruns, s.ended = 0, 0, 0, 0
	s.series = slices.Grow(s.series[:0], len(t.Series))[:len(t.Series)]
	last := 0
	for _, end := range t.Sessions {
		last = max(last, end)
	}
	for i := range t.Series {
		s.series[i].reset(&t.Series[i], s.opt)
		for r := range min(last, len(t.Series[i].Base), len(t.Series[i].Head)) {
			s.Add(i, r+1, t.Series[i].Base[r], t.Series[i].Head[r])
		}
	}
	for _, end := range t.Sessions {
		s.End(end)
	}
}

// Add adds what both sides of a series gave in a round, counted from 1. The
// rounds of a series come in order; some may be left out. A side without a
// value has NaN.
func (s *Sequence) Add(series, round int, base, head float64) {
	s.series[series].add(round, base, head)
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
		s.series[i].decideExact(s.round)
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

// Decisions returns what can be said of each series now. The undecided are
// inconclusive, with the rounds that they would have needed.
func (s *Sequence) Decisions() []SequentialDecision {
	out := make([]SequentialDecision, len(s.series))
	share := s.opt.Plan.future(s.round, s.reruns)
	known, unknown := s.families()
	for i := range s.series {
		st := &s.series[i]
		if st.round == 0 {
			st.leaveOpen(s, share, shared(known, unknown, st.Unknown))
		}
		out[i] = st.decision
	}
	return out
}

// A sequentialState is what a sequence knows of one series.
type sequentialState struct {
	SequentialSeries
	floor    EffectFloor
	values   [2][]float64 // by round, NaN where the round does not count
	logs     [2][]float64 // of values
	round    int          // the look that decided
	reached  bool         // there was a look that could have flagged it
	decision SequentialDecision
	now      measurement // of the last look, or of all rounds
}

func (st *sequentialState) reset(series *SequentialSeries, opt SequentialOptions) {
	values, logs := st.values, st.logs
	for side := range values {
		values[side], logs[side] = values[side][:0], logs[side][:0]
	}
	*st = sequentialState{SequentialSeries: *series, values: values, logs: logs}
	st.Base, st.Head = nil, nil
	if !(st.Threshold > 0) { // NaN, too
		st.Threshold = 0
	}
	if !(st.Noise > 0) {
		st.Noise = 0
	}
	st.floor = opt.Floor(st.Threshold, st.Noise)
}

func (st *sequentialState) add(round int, b, h float64) {
	if b != b || h != h {
		b, h = math.NaN(), math.NaN()
	}
	for len(st.values[base]) < round-1 {
		st.push(math.NaN(), math.NaN())
	}
	st.push(b, h)
}

func (st *sequentialState) push(b, h float64) {
	for side, v := range [2]float64{b, h} {
		st.values[side] = append(st.values[side], v)
		st.logs[side] = append(st.logs[side], math.Log(v))
	}
}

// until returns the values up to a round.
func until(values [2][]float64, round int) (b, h []float64) {
	n := min(round, len(values[base]))
	return values[base][:n], values[head][:n]
}

// rounds is the number of rounds up to a round that have both sides.
func (st *sequentialState) rounds(round int) (n int) {
	b, _ := until(st.values, round)
	for _, v := range b {
		if v == v {
			n++
		}
	}
	return n
}

// counts reports whether the unit counts something, so that samples which
// repeat exactly show no noise.
func (st *sequentialState) counts() bool {
	return st.Exact || st.Unit == "B/op" || st.Unit == "allocs/op"
}

// obstacle says why the values up to a round cannot be tested, "" if they can,
// and whether there is a 0 among them.
func (st *sequentialState) obstacle(round int) (reason string, zero bool) {
	b, h := until(st.values, round)
	pairs := 0
	for i := range b {
		lo := min(b[i], h[i])
		switch {
		case lo != lo:
			continue
		case lo < 0:
			return "a value is negative", false
		case math.IsInf(max(b[i], h[i]), 1):
			return "a value is not finite", false
		case lo == 0:
			zero = true
		}
		pairs++
	}
	switch {
	case pairs == 0:
		return "no round has both sides", false
	case zero && !st.counts():
		return "a value of 0 has no relative change", true
	}
	return "", zero
}
