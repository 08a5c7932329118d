package stat

// Coin reports whether base is measured first in the given round (counted from 1) of a benchmark,
// in the trial with the given seed. The coin is fair and is tossed for each benchmark and round.
// Its fairness is the only assumption that the tests of pairs make about the measurement.
func Coin(seed uint64, benchmark string, round int) bool {
	r := scrambler(seed)
	for _, c := range []byte(benchmark) {
		r.mix(uint64(c))
	}
	r.mix(uint64(round))
	return r.next()>>63 == 1
}

// A scrambler is a SplitMix64 generator (Steele, Lea, Flood, OOPSLA 2014).
type scrambler uint64

func (s *scrambler) mix(v uint64) { *s ^= scrambler(v); s.next(); *s ^= scrambler(s.next()) }

func (s *scrambler) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
