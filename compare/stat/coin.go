package stat

// Coin says whether base is the side that is measured first, in a round of a trial with this
// seed, counted from 1. It is a fair coin, thrown for each benchmark and round by itself: that
// is all that [Pairs] takes for granted of the measuring.
func Coin(seed uint64, benchmark string, round int) bool {
	r := scrambler(seed)
	for _, c := range []byte(benchmark) {
		r.mix(uint64(c))
	}
	r.mix(uint64(round))
	return r.next()>>63 == 1
}

// A scrambler is SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
type scrambler uint64

func (s *scrambler) mix(v uint64) { *s ^= scrambler(v); s.next(); *s ^= scrambler(s.next()) }

func (s *scrambler) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
