package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// moments computes the mean and the variance of a row from the differences between its elements and
// a center. These are nearly exact if the center is close to the mean:
//
//	rest = sum (x-center) / n    mean = center + rest
//	variance = sum (x-center)^2 / n - rest^2
//
// The first center is the mean of the first four elements. If it is more than 1.7 standard
// deviations from the mean, the subtraction would lose digits, so moments starts again with the
// mean just found as the center. scale is 1/sqrt(variance+eps), computed as the product of a square
// root and a quotient, independent of each other. If float32 is not precise enough for the row, the
// code jumps to "fails", and the caller computes the row in float64.
func (v lanes) moments(src, n reg.GPVirtual) (center, rest, scale reg.VecVirtual) {
	center = v.register()
	VBROADCASTSS(Mem{Base: src}, center)
	CMPQ(n, U32(4))
	JL(LabelRef("centered"))
	guess := XMM()
	VMOVUPS(Mem{Base: src}, guess)
	v.fold(guess)
	VMULSS(word(math.Float32bits(0.25)), guess, guess)
	VBROADCASTSS(guess, center)

	Label("centered")
	again := GP64()
	MOVQ(U32(1), again)
	inverse := XMM()
	VXORPS(inverse, inverse, inverse)
	VCVTSD2SS(number("inverse"), inverse, inverse)
	rest, scale = XMM(), XMM()
	square, variance, quarter := XMM(), XMM(), XMM()
	Label("retry")
	differences, squares := v.newSum32(), v.newSum32()
	v.walk("moments", n, groupBlocks, func(blocks []block) {
		for i, b := range blocks {
			for part, p := range b {
				d := v.loadOr(src, p, center)
				VSUBPS(center, d, d)
				VADDPS(d, differences.at(i, part), differences.at(i, part))
				VFMADD231PS(d, d, squares.at(i, part))
			}
		}
	})
	VMULSS(inverse, v.sum32(differences.parts), rest)
	VMULSS(inverse, v.sum32(squares.parts), square)
	VMOVAPS(square, variance)
	VFNMADD231SS(rest, rest, variance)
	VMULSS(word(math.Float32bits(0.25)), square, quarter)
	VUCOMISS(quarter, variance) // a NaN is not above quarter
	JHI(LabelRef("near"))
	DECQ(again)
	JNE(LabelRef("fails"))
	VADDPS(v.all(rest), center, center)
	JMP(LabelRef("retry"))

	Label("near")
	VUCOMISS(word(math.Float32bits(0x1p-80)), square)
	JLS(LabelRef("fails"))
	VUCOMISS(word(math.Float32bits(0x1p100)), square)
	JHI(LabelRef("fails"))
	VADDSS(number("eps"), variance, variance)
	root := XMM()
	VSQRTSS(variance, variance, root)
	VMOVSS(word(math.Float32bits(1)), scale)
	VDIVSS(variance, scale, scale)
	VMULSS(root, scale, scale)
	return center, rest, scale
}

// A sum32 accumulates float32 sums in two sets of lanes, which consecutive blocks use alternately.
type sum32 struct {
	lanes
	parts []reg.VecVirtual
}

const sumBlocks = 2

func (v lanes) newSum32() sum32 {
	s := sum32{lanes: v}
	for i := 0; i < sumBlocks*blockLanes; i += v.count() {
		s.parts = append(s.parts, v.zero())
	}
	return s
}

func (s sum32) at(block, part int) reg.VecVirtual {
	return s.parts[block%sumBlocks*(blockLanes/s.count())+part]
}

// sum32 adds up the vectors and then their lanes in float32, repeatedly adding the upper half to
// the lower one.
func (v lanes) sum32(sums []reg.VecVirtual) reg.VecVirtual {
	for len(sums) > 1 {
		half := len(sums) / 2
		for i := range half {
			VADDPS(sums[half+i], sums[i], sums[i])
		}
		sums = sums[:half]
	}
	s := sums[0]
	if v.wide {
		upper := YMM()
		VEXTRACTF64X4(Imm(1), s, upper)
		VADDPS(upper, s.AsY(), s.AsY())
	}
	x, total := XMM(), XMM()
	VEXTRACTF128(Imm(1), s.AsY(), x)
	VADDPS(x, s.AsX(), total)
	v.fold(total)
	return total
}

// fold adds up the four lanes of x, leaving the sum in the first lane.
func (v lanes) fold(x reg.VecVirtual) {
	moved := XMM()
	VPERMILPS(Imm(0b01_00_11_10), x, moved)
	VADDPS(moved, x, x)
	VPERMILPS(Imm(0b00_00_00_01), x, moved)
	VADDPS(moved, x, x)
}

// all returns a vector with lane 0 of x in all lanes.
func (v lanes) all(x reg.VecVirtual) reg.VecVirtual {
	y := v.register()
	VBROADCASTSS(x.AsX(), y)
	return y
}

func (v lanes) layerNorm() {
	dst, src, n := param("dst"), param("src"), param("n")
	center, rest, scale := v.moments(src, n)
	VMULSS(scale, rest, rest)
	shift, factor := v.all(rest), v.all(scale) // x' = (x-center)*factor - shift
	gamma, beta := param("gamma"), param("beta")
	v.each(n, groupBlocks, func(p place) {
		x := v.load(src, p)
		VSUBPS(center, x, x)
		VFMSUB213PS(shift, factor, x)
		VFMADD213PS(v.operand(beta, p), v.load(gamma, p), x)
		v.store(x, dst, p)
	})
	v.answer(1)
	Label("fails")
	v.answer(0)
}

// answer ends a kernel with the result ok: 1 for success, 0 for failure.
func (v lanes) answer(ok uint8) {
	MOVB(U8(ok), result("ok"))
	done()
}

// operand returns a vector as an instruction's operand: a reference to memory if the vector is
// entirely inside the slice, and otherwise a loaded register.
func (v lanes) operand(base reg.GPVirtual, p place) Op {
	if p.mask == nil {
		return p.of(base)
	}
	return v.load(base, p)
}
