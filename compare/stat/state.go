package stat

import "math"

// A state is what a sequence knows of one series.
type state struct {
	Series
	track
	means    track
	floor    EffectFloor
	round    int  // the look that decided
	reached  bool // there was a look that could have flagged it
	decision Decision
	now      measurement // of the last look, or of all rounds
	mean     measurement // of the means; its cause says that there are none
	sums     float64     // see sumRatio
	byMean   bool        // the mean kept it open at the last look, or decided
	rejected [2]family   // whose tests a flagged series was one of: that of typical rounds, that of means
}

// A track is what the rounds gave of one kind of value.
type track struct {
	values []Pair // by round, NaN where the round does not count
	logs   []Pair // of values
}

func (st *state) reset(series *Series, opt Options) {
	*st = state{Series: *series, track: st.track.empty(), means: st.means.empty()}
	st.Pairs, st.Means = nil, nil
	if !(st.Threshold > 0) { // NaN, too
		st.Threshold = 0
	}
	if !(st.Noise > 0) {
		st.Noise = 0
	}
	st.Counts = st.Counts || st.Declared
	if !opt.variant.jitters {
		st.Negligible = st.Negligible.before()
	}
	st.floor = opt.Floor(st.Threshold, st.Noise)
}

func (t *track) empty() track { return track{t.values[:0], t.logs[:0]} }

func (t *track) add(round int, p Pair) {
	if !p.counts() {
		p = missing
	}
	for len(t.values) < round-1 {
		t.push(missing)
	}
	t.push(p)
}

// missing is the pair of a round that does not count.
var missing = Pair{Base: math.NaN(), Head: math.NaN()}

// counts reports whether both sides have a value.
func (p Pair) counts() bool { return !math.IsNaN(p.Base) && !math.IsNaN(p.Head) }

func (t *track) push(p Pair) {
	t.values = append(t.values, p)
	t.logs = append(t.logs, Pair{math.Log(p.Base), math.Log(p.Head), p.HeadFirst})
}

// until returns the pairs up to a round.
func until(pairs []Pair, round int) []Pair { return pairs[:min(round, len(pairs))] }

// rounds is the number of rounds up to a round that have both sides.
func (t *track) rounds(round int) (n int) {
	for _, p := range until(t.values, round) {
		if p.counts() {
			n++
		}
	}
	return n
}

// has reports whether both sides of a round were measured.
func (t *track) has(round int) bool {
	return round <= len(t.values) && t.values[round-1].counts()
}

// tested reports whether the series takes part in the look that is held.
func (st *state) tested() bool { return st.round == 0 && st.now.cause == NoCause && !st.now.equal }

// side is the direction that a family's test of the series is for. Worse and better, of
// units with either direction, are two families with an error rate each: what is worse
// of a time is up, of a speed down.
func (st *state) side(f family) int {
	if (f == worse) == (st.Better <= 0) {
		return up
	}
	return down
}
