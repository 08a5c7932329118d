package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// groupBlocks is the number of blocks that a sum over a row processes together. Their elements are
// added pairwise in float32, and the resulting 16 sums are then added in float64 to the sums of the
// earlier groups. The error of a sum therefore does not grow with the length of the row.
const groupBlocks = 4

const negInf = 0xff800000

func (v lanes) softmax() {
	dst, src, n, factors := param("dst"), param("src"), param("n"), param("f")
	tops := make([]reg.VecVirtual, groupBlocks)
	lowest := v.heldBits(negInf)
	for i := range tops {
		tops[i] = v.copyOf(lowest)
	}
	v.walk("top", n, groupBlocks, func(blocks []block) {
		for i, b := range blocks {
			for _, p := range b {
				x := v.loadOr(src, p, lowest)
				VMAXPS(tops[i], x, tops[i]) // ignores NaN
			}
		}
	})
	top := v.largest(tops)
	VMOVSS(top.AsX(), result("top"))
	bits := GP32()
	VMOVD(top.AsX(), bits)
	CMPL(bits, U32(negInf))
	JE(LabelRef("masked"))
	VBROADCASTSS(top.AsX(), top)

	exp := v.newPowers()
	high, low, floor := v.single(Mem{Base: factors}), v.single(Mem{Base: factors, Disp: 8}), v.single(Mem{Base: factors, Disp: 16})
	outside := v.bits(negInf)
	sum := v.newSum()
	v.walk("power", n, groupBlocks, func(blocks []block) {
		v.groups(blocks, []*sum64{sum}, func(p place, add func(...reg.VecVirtual)) {
			d := v.loadOr(src, p, outside)
			VSUBPS(top, d, d)
			e := exp.of(d, high, low, floor)
			v.store(e, dst, p)
			add(e)
		})
	})
	total := sum.total()
	VMOVSD(total, result("sum"))
	VMULSD(Mem{Base: factors, Disp: 24}, total, total)
	share := XMM()
	VMOVSD(double(1), share)
	VDIVSD(total, share, share)
	VCVTSD2SS(share, share, share)
	factor := v.register()
	VBROADCASTSS(share, factor)
	v.walk("scale", n, groupBlocks, func(blocks []block) {
		for _, b := range blocks {
			for _, p := range b {
				e := v.load(dst, p)
				VMULPS(factor, e, e)
				v.store(e, dst, p)
			}
		}
	})
	Label("masked")
	done()
}

// largest returns the largest element of all the vectors, in lane 0.
func (v lanes) largest(tops []reg.VecVirtual) reg.VecVirtual {
	for len(tops) > 1 {
		half := len(tops) / 2
		for i := range half {
			VMAXPS(tops[half+i], tops[i], tops[i])
		}
		tops = tops[:half]
	}
	top := tops[0]
	if v.wide {
		upper := YMM()
		VEXTRACTF64X4(Imm(1), top, upper)
		VMAXPS(upper, top.AsY(), top.AsY())
	}
	x := XMM()
	VEXTRACTF128(Imm(1), top.AsY(), x)
	VMAXPS(x, top.AsX(), top.AsX())
	VPERMILPS(Imm(0b01_00_11_10), top.AsX(), x) // the upper two lanes
	VMAXPS(x, top.AsX(), top.AsX())
	VPERMILPS(Imm(0b00_00_00_01), top.AsX(), x)
	VMAXPS(x, top.AsX(), top.AsX())
	return top
}
