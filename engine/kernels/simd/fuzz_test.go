package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// FuzzProduct compares products of any shape with the exact results, including infinite, NaN,
// denormal and largest possible numbers:
//
//	go test -fuzz FuzzProduct ./engine/kernels/simd
func FuzzProduct(f *testing.F) {
	for _, s := range [][3]uint16{{1, 9, 70}, {13, 3, 33}, {26, 515, 540}, {2, 1, 1030}, {0, 4, 4}, {12, 32, 64}} {
		for kind := range uint8(4) {
			f.Add(uint64(s[0])+uint64(kind), s[0], s[1], s[2], kind)
		}
	}
	f.Fuzz(func(t *testing.T, seed uint64, m, k, n uint16, kind uint8) {
		r := rand.New(rand.NewPCG(seed, 0))
		value = special(r, kind)
		defer func() { value = normal }()
		for _, p := range paths() {
			checkProduct(t, r, p, int(m%64), int(k%1100), int(n%1100)/(1+int(m%64)))
		}
	})
}

// special returns a function that draws numbers of the given kind.
func special(r *rand.Rand, kind uint8) func(*rand.Rand) float32 {
	extremes := []float32{0, float32(math.Copysign(0, -1)), math.SmallestNonzeroFloat32, 0x1p-126, math.MaxFloat32, -math.MaxFloat32,
		float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 1, -1}
	switch kind % 4 {
	case 1: // products below the smallest normal number
		return func(r *rand.Rand) float32 { return float32(math.Ldexp(r.NormFloat64(), -75+r.IntN(10))) }
	case 2: // sums of very different magnitudes, so that the order of the additions matters
		return func(r *rand.Rand) float32 { return float32(math.Ldexp(r.NormFloat64(), r.IntN(60)-30)) }
	case 3: // one extreme value scattered among normal ones
		some := extremes[r.IntN(len(extremes))]
		return func(r *rand.Rand) float32 {
			if r.IntN(50) == 0 {
				return some
			}
			return float32(r.NormFloat64())
		}
	}
	return normal
}
