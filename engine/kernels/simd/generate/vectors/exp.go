package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// powers computes 2^t as 2^n * 2^f, where n is the integer nearest to t. For |f| <= 1/2, a
// polynomial of degree 5 approximates 2^f with an error of at most 1.11 ulp and is exactly 1 at f =
// 0; its float32 coefficients come from the Remez algorithm. If t is d*log2(e) and log2(e) is
// passed in two parts, as in powers.of, the result is within 2 ulp of e^d. A result below 2^-126
// becomes zero.
type powers struct {
	lanes
	coefficients []Op // highest degree first
	round        Op   // adding it to t leaves n+127 in the low bits
	one          Op
}

func (v lanes) newPowers() powers {
	p := powers{lanes: v, round: v.constant(0x1.8p23 + 127), one: v.constant(1)}
	for _, c := range []float32{0x1.5ab01ep-10, 0x1.3ced0ap-7, 0x1.c6bacep-5, 0x1.ebf9b6p-3, 0x1.62e424p-1} {
		p.coefficients = append(p.coefficients, v.constant(c))
	}
	return p
}

// of returns 2^(d*(high+low)), or zero if d < floor, the value of d at which the result falls below
// 2^-126. d*(high+low) must not exceed 127.
func (p powers) of(d, high, low, floor reg.VecVirtual) reg.VecVirtual {
	shifted := p.copyOf(d)
	VFMADD213PS(p.round, high, shifted)
	n := p.register()
	VSUBPS(p.round, shifted, n)
	f := p.copyOf(d)
	VFMSUB213PS(n, high, f)
	VFMADD231PS(low, d, f)
	return p.scale(p.polynomial(f), n, shifted, d, floor)
}

// ofExponent returns 2^t, or zero if t < floor = -126. t must not exceed 127.
func (p powers) ofExponent(t, floor reg.VecVirtual) reg.VecVirtual {
	shifted, n, f := p.register(), p.register(), p.register()
	VADDPS(p.round, t, shifted)
	VSUBPS(p.round, shifted, n)
	VSUBPS(n, t, f)
	return p.scale(p.polynomial(f), n, shifted, t, floor)
}

func (p powers) polynomial(f reg.VecVirtual) reg.VecVirtual {
	return p.horner(f, append(p.coefficients[:len(p.coefficients):len(p.coefficients)], p.one))
}

// horner evaluates the polynomial with the given coefficients, highest degree first.
func (v lanes) horner(x reg.VecVirtual, coefficients []Op) reg.VecVirtual {
	y := v.copyOf(coefficients[0])
	for _, c := range coefficients[1:] {
		VFMADD213PS(c, x, y)
	}
	return y
}

// scale multiplies y by 2^n, or returns zero where x < floor.
func (p powers) scale(y, n, shifted, x, floor reg.VecVirtual) reg.VecVirtual {
	if p.wide {
		k := K()
		VCMPPS(notLess, floor, x, k)
		VSCALEFPS_Z(n, y, k, y)
		return y
	}
	inside := p.register()
	VCMPPS(notLess, floor, x, inside)
	VPSLLD(Imm(23), shifted, shifted)
	VMULPS(shifted, y, y)
	VANDPS(inside, y, y)
	return y
}
