package kernels

import "math"

// Constants of exp: expSteps entries of 2^(i/expSteps), and the addend that
// leaves a float64 rounded to an integer in its low bits.
const (
	expSteps = 64
	expShift = 0x1.8p52
)

// expTable[i] is the bit pattern of 2^(i/expSteps) less i in the exponent's
// units, so that adding the whole step number puts the power of two in place.
var expTable = func() (table [expSteps]uint64) {
	for i := range table {
		table[i] = math.Float64bits(math.Exp2(float64(i)/expSteps)) - uint64(i)<<(52-6)
	}
	return table
}()

// exp returns e^x for |x| <= 700 with a relative error below 0.001 u: it is
// exact as far as a float32 result can tell. NaN gives NaN; beyond the range the
// result is meaningless and the caller must not ask.
//
// x = k*ln2/64 + r; e^x = 2^(k/64) * (cubic in r). The scheme is that of expf
// in Arm's optimized-routines, with 64 steps in place of 32. Working in float64
// costs a scalar processor nothing, needs no split ln2 and leaves the rounding
// to float32 as the only visible error. It is inlined into the kernels' loops.
func exp(x float64) float64 {
	t := x*(expSteps/math.Ln2) + expShift
	k := math.Float64bits(t)
	r := x - (t-expShift)*(math.Ln2/expSteps)
	scale := math.Float64frombits(expTable[k%expSteps] + k<<(52-6))
	return scale * (1 + r + r*r*(0.5+r*(1.0/6)))
}
