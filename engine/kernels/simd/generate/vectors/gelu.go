package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// geluTail equals kernels.geluTail. For x at or below -geluTail, the result is -0.
const geluTail = 14.5

// The tanh form is x*s with s = 1/(1+e^-z) = 2^t/(1+2^t), where t = z*log2(e) = x*(geluLinear +
// geluCubic*x^2).
const (
	geluLinear = 2 * math.Sqrt2 / math.SqrtPi * math.Log2E
	geluCubic  = geluLinear * 0.044715
)

// A sigmoid computes the common part of the tanh form and its gradient.
type sigmoid struct {
	powers
	low, high, floor reg.VecVirtual // low bounds x from below; high and floor bound t
	linear, one      Op
	cubic            reg.VecVirtual
}

func (v lanes) newSigmoid(high float32) sigmoid {
	return sigmoid{v.newPowers(), v.held(-geluTail), v.held(high), v.held(-126), v.constant(geluLinear), v.constant(1), v.held(geluCubic)}
}

// of returns 2^t and 1 + 2^t. It bounds x from below because -Inf*0 would be NaN.
func (s sigmoid) of(x reg.VecVirtual) (power, sum reg.VecVirtual) {
	s.atLeast(x, s.low)
	t := s.register()
	VMULPS(x, x, t)
	VFMADD213PS(s.linear, s.cubic, t)
	VMULPS(x, t, t)
	s.atMost(t, s.high)
	power = s.ofExponent(t, s.floor)
	sum = s.register()
	VADDPS(s.one, power, sum)
	return power, sum
}

func (v lanes) gelu() {
	dst, src, n := param("dst"), param("src"), param("n")
	s := v.newSigmoid(30) // above this, 2^t/(1+2^t) is 1
	v.each(n, 2, func(p place) {
		x := v.load(src, p)
		power, sum := s.of(x)
		VDIVPS(sum, power, power)
		VMULPS(power, x, x)
		v.store(x, dst, p)
	})
	done()
}

// A tail computes Phi(-|x|) = e^(-x^2/2)*R(|x|) with the rational function of kernels.GELUErf.
type tail struct {
	powers
	high, low, half, floor reg.VecVirtual
	magnitude              Op
	over, under            []Op // coefficients of R's numerator and denominator, highest degree first
}

func (v lanes) newTail() tail {
	t := tail{powers: v.newPowers(), high: v.held(geluTail), low: v.held(-geluTail),
		half: v.held(-0.5 * math.Log2E), floor: v.held(-126), magnitude: v.bits(1<<31 - 1)}
	for _, c := range []float32{0.0040823584493375172, 0.040429605249423031, 0.18267022600282165, 0.43759369865491987, 0.50000000201959938} {
		t.over = append(t.over, v.constant(c))
	}
	for _, c := range []float32{0.010232834775553661, 0.10134849037234291, 0.46796804195049829, 1.2002550752594452, 1.6730722767560904} {
		t.under = append(t.under, v.constant(c))
	}
	t.under = append(t.under, t.one)
	return t
}

// of returns e^(-x^2/2) and the numerator and denominator of R. It bounds x because Inf*0 would be
// NaN.
func (t tail) of(x reg.VecVirtual) (power, over, under reg.VecVirtual) {
	t.atMost(x, t.high)
	t.atLeast(x, t.low)
	exponent, a := t.register(), t.register()
	VMULPS(x, x, exponent)
	VMULPS(t.half, exponent, exponent)
	VANDPS(t.magnitude, x, a)
	return t.ofExponent(exponent, t.floor), t.horner(a, t.over), t.horner(a, t.under)
}

func (v lanes) geluErf() {
	dst, src, n := param("dst"), param("src"), param("n")
	t := v.newTail()
	v.each(n, 1, func(p place) {
		all := v.load(src, p)
		x := v.copyOf(all)
		power, over, under := t.of(x)
		VMULPS(power, over, over)
		VMULPS(x, over, over)
		VDIVPS(under, over, over) // x*Phi(-|x|)
		rest := v.register()
		VSUBPS(over, all, rest)
		v.store(v.bySign(all, over, rest), dst, p)
	})
	done()
}

// bySign returns, in each lane, negative if the sign bit of x is set and positive otherwise.
func (v lanes) bySign(x, negative, positive reg.VecVirtual) reg.VecVirtual {
	if v.wide {
		k := K()
		VPMOVD2M(x, k)
		VMOVAPS(negative, k, positive)
		return positive
	}
	VBLENDVPS(x, negative, positive, positive)
	return positive
}
