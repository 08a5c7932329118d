package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The derivative of x*s(x) with s = 2^t/(1+2^t) is s*(1 + x*(1-s)*z'(x)), where 1-s = 1/(1+2^t) and
// z' = slopeConstant + slopeSquare*x^2.
const (
	slopeConstant = 2 * math.Sqrt2 / math.SqrtPi
	slopeSquare   = 3 * 0.044715 * slopeConstant
)

func (v lanes) geluBackward() {
	dst, dout, src, n := param("dst"), param("dout"), param("src"), param("n")
	s := v.newSigmoid(60) // above this, 1-s is negligible compared with 1
	high, constant, square := v.held(geluTail), v.constant(slopeConstant), v.held(slopeSquare)
	v.each(n, 1, func(p place) {
		x := v.load(src, p)
		v.atMost(x, high)
		power, sum := s.of(x)
		rest := v.copyOf(s.one)
		VDIVPS(sum, rest, rest)
		VMULPS(rest, power, power) // s
		slope := v.register()
		VMULPS(x, x, slope)
		VFMADD213PS(constant, square, slope)
		VMULPS(x, rest, rest)
		VFMADD213PS(s.one, rest, slope)
		VMULPS(power, slope, slope)
		VMULPS(v.operand(dout, p), slope, slope)
		v.store(slope, dst, p)
	})
	done()
}

// geluErfBackward uses the derivative of x*Phi(x): Phi(x) + x*e^(-x^2/2)/sqrt(2*pi).
func (v lanes) geluErfBackward() {
	dst, dout, src, n := param("dst"), param("dout"), param("src"), param("n")
	t := v.newTail()
	root := v.held(1 / (math.Sqrt2 * math.SqrtPi))
	v.each(n, 1, func(p place) {
		x := v.load(src, p)
		power, over, under := t.of(x)
		VMULPS(power, over, over)
		VDIVPS(under, over, over) // Phi(-|x|)
		rest := v.copyOf(t.one)
		VSUBPS(over, rest, rest)
		slope := v.bySign(x, over, rest)
		VMULPS(root, power, power)
		VFMADD231PS(x, power, slope)
		VMULPS(v.operand(dout, p), slope, slope)
		v.store(slope, dst, p)
	})
	done()
}

func (v lanes) softmaxBackward() {
	dst, dout, weights, n := param("dst"), param("dout"), param("weights"), param("n")
	sum := v.newSum()
	v.walk("sum", n, groupBlocks, func(blocks []block) {
		v.groups(blocks, []*sum64{sum}, func(p place, add func(...reg.VecVirtual)) {
			w := v.load(weights, p)
			VMULPS(v.operand(dout, p), w, w)
			add(w)
		})
	})
	mean, scale := v.single(sum.total()), v.register()
	VBROADCASTSS(number("scale"), scale)
	v.each(n, groupBlocks, func(p place) {
		d := v.load(dout, p)
		VSUBPS(mean, d, d)
		VMULPS(v.operand(weights, p), d, d)
		VMULPS(scale, d, d)
		v.store(d, dst, p)
	})
	done()
}

// layerNormBackward adds the gradients of a row's LayerNorm. It computes x' as (x-center)*factor -
// shift for each element, and g as dout*gamma.
func (v lanes) layerNormBackward() {
	src, n := param("src"), param("n")
	center, rest, scale := v.moments(src, n)
	VMULSS(scale, rest, rest)
	shift, factor := v.all(rest), v.all(scale)
	normalized := func(p place) reg.VecVirtual {
		x := v.load(src, p)
		VSUBPS(center, x, x)
		VFMSUB213PS(shift, factor, x)
		return x
	}
	dgamma, dbeta, dout, gamma := param("dgamma"), param("dbeta"), param("dout"), param("gamma")
	totals, alongs := v.newSum32(), v.newSum32()
	v.walk("total", n, groupBlocks, func(blocks []block) {
		for i, b := range blocks {
			for part, p := range b {
				x, d := normalized(p), v.load(dout, p)
				sum := v.load(dbeta, p)
				VADDPS(d, sum, sum)
				v.store(sum, dbeta, p)
				sum = v.load(dgamma, p)
				VFMADD231PS(d, x, sum)
				v.store(sum, dgamma, p)
				VMULPS(v.operand(gamma, p), d, d)
				VADDPS(d, totals.at(i, part), totals.at(i, part))
				// Elements outside the row have d = 0, so their x' does not matter.
				VFMADD231PS(d, x, alongs.at(i, part))
			}
		}
	})
	total, along := v.sum32(totals.parts), v.sum32(alongs.parts)
	inverse := XMM()
	VXORPS(inverse, inverse, inverse)
	VCVTSD2SS(number("inverse"), inverse, inverse)
	VMULSS(inverse, total, total)
	VMULSS(inverse, along, along)
	mean, slope := v.all(total), v.all(along)
	dsrc := param("dsrc")
	v.each(n, 2, func(p place) {
		x, g := normalized(p), v.load(dout, p)
		VMULPS(v.operand(gamma, p), g, g)
		VSUBPS(mean, g, g)
		VFNMADD231PS(x, slope, g)
		VFMADD213PS(v.operand(dsrc, p), factor, g)
		v.store(g, dsrc, p)
	})
	v.answer(1)
	Label("fails")
	v.answer(0)
}

// These are the indexes of the numbers in simd.AdamWFactors.
const (
	beta1 = iota
	rest1 // 1-beta1
	beta2
	rest2 // 1-beta2
	rate
	correction
	epsilon
	kept
)

// adamW computes in float64 and performs the same operations in the same order as the portable
// code, so the bits are the same.
func (v lanes) adamW() {
	weights, gradient, first, second, n := param("weights"), param("gradient"), param("first"), param("second"), param("n")
	factors := param("f")
	var held []reg.VecVirtual
	if v.wide {
		for i := range kept + 1 {
			held = append(held, v.double(factors, i))
		}
	}
	factor := func(i int) reg.VecVirtual {
		if v.wide {
			return held[i]
		}
		return v.double(factors, i) // there are not enough registers to keep it
	}
	v.each(n, 1, func(p place) {
		gs, ms, ss, ws := v.load(gradient, p), v.load(first, p), v.load(second, p), v.load(weights, p)
		var halves [2][3]reg.VecVirtual
		for i := range halves {
			g, m, s, w := v.half(gs, i), v.half(ms, i), v.half(ss, i), v.half(ws, i)
			step := v.register()
			VMULPD(factor(beta1), m, m)
			VMULPD(factor(rest1), g, step)
			VADDPD(step, m, m)
			VMULPD(factor(rest2), g, step)
			VMULPD(g, step, step)
			VMULPD(factor(beta2), s, s)
			VADDPD(step, s, s)
			VMULPD(factor(correction), s, step)
			VSQRTPD(step, step)
			VADDPD(factor(epsilon), step, step)
			VMULPD(factor(rate), m, g)
			VDIVPD(step, g, g)
			VMULPD(factor(kept), w, w)
			VSUBPD(g, w, w)
			halves[i] = [3]reg.VecVirtual{v.narrow(m), v.narrow(s), v.narrow(w)}
		}
		for i, base := range []reg.GPVirtual{first, second, weights} {
			v.store(v.joined(halves[0][i], halves[1][i]), base, p)
		}
	})
	done()
}

// double returns a vector with the i'th float64 at base in all lanes.
func (v lanes) double(base reg.GPVirtual, i int) reg.VecVirtual {
	x := v.register()
	VBROADCASTSD(Mem{Base: base, Disp: 8 * i}, x)
	return x
}

// narrow converts a float64 vector to float32, filling half a vector. joined combines two halves.
func (v lanes) narrow(x reg.VecVirtual) reg.VecVirtual {
	if v.wide {
		y := YMM()
		VCVTPD2PS(x, y)
		return y
	}
	y := XMM()
	VCVTPD2PSY(x, y)
	return y
}

func (v lanes) joined(low, high reg.VecVirtual) reg.VecVirtual {
	both := v.register()
	if v.wide {
		VINSERTF64X4(Imm(1), high, low.AsZ(), both)
	} else {
		VINSERTF128(Imm(1), high, low.AsY(), both)
	}
	return both
}
