package stat

import "math"

// cappedBy is how many rounds it takes to see, by their own sizes, whether single rounds are far off.
const cappedBy = 10

// unsettled reports whether one of the first ten rounds is far off the others in how much its sides differ,
// in either direction: where single processes are slow by themselves whole ranks find little.
// The sizes are the same whichever side of a round has which value, so the coins have no part in
// it, and what is tested with capped ranks is as exact as with whole ones. Sizes, not signed
// ratios: a large change is in all rounds, and moves their median.
func (st *state) unsettled(round int) bool {
	var sizes []float64
	for _, p := range until(st.logs, round) {
		if p.counts() && len(sizes) < cappedBy {
			sizes = append(sizes, math.Abs(difference0(p.Base, p.Head)))
		}
	}
	if len(sizes) < cappedBy {
		return false
	}
	middle := Median(append([]float64(nil), sizes...))
	apart := make([]float64, 0, cappedBy)
	for _, s := range sizes {
		apart = append(apart, math.Abs(s-middle))
	}
	// Less than what builds may differ by is never far.
	return off(sizes, max(NormalMAD*Median(apart), DefaultNoise/offLimit)).Off > 0
}
