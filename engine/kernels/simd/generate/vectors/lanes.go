package main

import (
	"fmt"
	"log"
	"math"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lanes emits instructions for vectors of 16 lanes (AVX-512, if wide) or 8 lanes (AVX2). Most
// instructions are the same for both; the differences are in this file. Operands are in the order
// of Go's assembler, with the result last.
type lanes struct{ wide bool }

func (v lanes) suffix() string {
	if v.wide {
		return "512"
	}
	return "256"
}

// blockLanes is the number of elements per step of a loop: one vector of AVX-512 or two of AVX2.
// The sums of a row are therefore computed in the same order, and have the same bits, on both.
const blockLanes = 16

func (v lanes) count() int {
	if v.wide {
		return 16
	}
	return 8
}

func (v lanes) register() reg.VecVirtual {
	if v.wide {
		return ZMM()
	}
	return YMM()
}

func (v lanes) copyOf(x Op) reg.VecVirtual {
	y := v.register()
	VMOVUPS(x, y)
	return y
}

func (v lanes) zero() reg.VecVirtual {
	y := v.register()
	if v.wide {
		VPXORD(y, y, y)
	} else {
		VXORPS(y, y, y)
	}
	return y
}

// param loads a parameter into a new register.
func param(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

// number returns the address of a numeric parameter, and result returns the address of a result.
// avo's own loads would leave the upper halves of a register unchanged.
func number(name string) Mem { return resolved(Param(name).Resolve()) }
func result(name string) Mem { return resolved(Return(name).Resolve()) }

func resolved(b *gotypes.Basic, err error) Mem {
	if err != nil {
		log.Fatal(err)
	}
	return b.Addr
}

var tables = map[string]Mem{}

// table returns read-only memory with the given words.
func table(name string, words ...uint32) Mem {
	m, ok := tables[name]
	if !ok {
		m = GLOBL(name, RODATA|NOPTR)
		for i, w := range words {
			DATA(4*i, U32(w))
		}
		tables[name] = m
	}
	return m
}

// word returns read-only memory with the given bits in each of 8 lanes.
func word(bits uint32) Mem {
	var words [8]uint32
	for i := range words {
		words[i] = bits
	}
	return table(fmt.Sprintf("lanes%08x", bits), words[:]...)
}

// double returns read-only memory with a float64.
func double(f float64) Mem {
	bits := math.Float64bits(f)
	return table(fmt.Sprintf("double%016x", bits), uint32(bits), uint32(bits>>32))
}

// bits returns a constant, given by its bits, in all lanes: in a register with AVX-512, which has
// 32 registers, and in memory with AVX2. It must be called before the loop, because it fills the
// register at the point of the call.
func (v lanes) bits(u uint32) Op {
	if v.wide {
		return v.heldBits(u)
	}
	return word(u)
}

func (v lanes) constant(f float32) Op { return v.bits(math.Float32bits(f)) }

// held returns a constant in a register, for instructions without a memory operand.
func (v lanes) held(f float32) reg.VecVirtual { return v.heldBits(math.Float32bits(f)) }

func (v lanes) heldBits(u uint32) reg.VecVirtual {
	r := v.register()
	VBROADCASTSS(word(u), r)
	return r
}

// atLeast and atMost bound x but leave NaN unchanged. If an operand is NaN, VMAXPS and VMINPS
// return the operand written first in Go's assembler.
func (v lanes) atLeast(x, low reg.VecVirtual) { VMAXPS(x, low, x) }
func (v lanes) atMost(x, high reg.VecVirtual) { VMINPS(x, high, x) }

// notLess is a predicate of VCMPPS.
var notLess = Imm(5) // also true if an operand is NaN

// single converts the float64 x to float32 and returns it in all lanes.
func (v lanes) single(x Op) reg.VecVirtual {
	s, all := XMM(), v.register()
	VXORPS(s, s, s)
	VCVTSD2SS(x, s, s)
	VBROADCASTSS(s, all)
	return all
}

// half converts the lower (0) or upper (1) half of a float32 vector to float64.
func (v lanes) half(x reg.VecVirtual, i int) reg.VecVirtual {
	y := v.register()
	switch {
	case v.wide && i == 0:
		VCVTPS2PD(x.AsY(), y)
	case v.wide:
		upper := YMM()
		VEXTRACTF64X4(Imm(1), x, upper)
		VCVTPS2PD(upper, y)
	case i == 0:
		VCVTPS2PD(x.AsX(), y)
	default:
		upper := XMM()
		VEXTRACTF128(Imm(1), x, upper)
		VCVTPS2PD(upper, y)
	}
	return y
}
