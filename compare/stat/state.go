package stat

import "math"

// A state is the state of one series in a sequence.
type state struct {
	Series
	track
	means    track
	floor    EffectFloor
	round    int  // the round of the deciding look, or 0
	reached  bool // a look could have flagged it
	decision Decision
	now      measurement // measurement at the last look, or after all rounds
	mean     measurement // measurement of the means; its cause is set if there are none
	sums     float64     // see sumRatio
	byMean   bool        // the mean decided the series, or kept it open at the last look
	rejected [2]family   // families of the tests that flagged the typical round and the mean
}

// A track holds either the typical values or the means of a series, by round.
type track struct {
	values []Pair // by round; NaN for a round that does not count
	logs   []Pair // logarithms of values
}

func (st *state) reset(series *Series, opt Options) {
	*st = state{Series: *series, track: st.track.empty(), means: st.means.empty()}
	st.Pairs, st.Means = nil, nil
	if !(st.Threshold > 0) { // also if it is NaN
		st.Threshold = 0
	}
	if !(st.Noise > 0) {
		st.Noise = 0
	}
	st.Counts = st.Counts || st.Declared
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

// missing is the pair for a round that does not count.
var missing = Pair{Base: math.NaN(), Head: math.NaN()}

// counts reports whether both sides have a value.
func (p Pair) counts() bool { return !math.IsNaN(p.Base) && !math.IsNaN(p.Head) }

func (t *track) push(p Pair) {
	t.values = append(t.values, p)
	t.logs = append(t.logs, Pair{math.Log(p.Base), math.Log(p.Head), p.HeadFirst})
}

// until returns the pairs up to and including a round.
func until(pairs []Pair, round int) []Pair { return pairs[:min(round, len(pairs))] }

// rounds returns the number of rounds, up to the given one, with values on both sides.
func (t *track) rounds(round int) (n int) {
	for _, p := range until(t.values, round) {
		if p.counts() {
			n++
		}
	}
	return n
}

// tested reports whether the current look tests the series.
func (st *state) tested() bool { return st.round == 0 && st.now.cause == NoCause && !st.now.equal }

// side returns the direction that a family tests in this series. There are two families, each with
// its own error rate: worse and better or, for units without a direction, up and down. Worse is up
// for a time and down for a speed.
func (st *state) side(f family) int {
	if (f == worse) == (st.Better <= 0) {
		return up
	}
	return down
}
