package kernels

import "math"

// expSteps is the number of entries in expTable. Adding expShift to a float64 leaves it, rounded to
// an integer, in the low bits of the sum.
const (
	expSteps = 64
	expShift = 0x1.8p52
)

// expTable[i] is the bit pattern of 2^(i/expSteps) minus i<<(52-6). For a step number k with
// k%expSteps = i, adding k<<(52-6) then yields the bits of 2^(k/expSteps).
var expTable = func() (table [expSteps]uint64) {
	for i := range table {
		table[i] = math.Float64bits(math.Exp2(float64(i)/expSteps)) - uint64(i)<<(52-6)
	}
	return table
}()

// exp returns e^x for |x| <= 700 with a relative error below 0.001 u: the error is invisible in a
// float32 result. NaN gives NaN. For x outside this range the result is meaningless and must not be
// used.
//
// x = k*ln2/64 + r; e^x = 2^(k/64) * (cubic in r). The scheme is from expf in Arm's
// optimized-routines, with 64 steps in place of 32. In scalar code float64 takes no extra time and
// makes splitting ln2 unnecessary, and the rounding to float32 is the only visible error. exp is
// inlined into the kernels' loops.
func exp(x float64) float64 {
	t := x*(expSteps/math.Ln2) + expShift
	k := math.Float64bits(t)
	r := x - (t-expShift)*(math.Ln2/expSteps)
	scale := math.Float64frombits(expTable[k%expSteps] + k<<(52-6))
	return scale * (1 + r + r*r*(0.5+r*(1.0/6)))
}
