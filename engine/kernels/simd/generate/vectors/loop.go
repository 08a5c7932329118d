package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A place is the position of a vector in every slice that a loop runs over.
type place struct {
	index reg.GPVirtual // number of elements already processed
	skip  int           // offset from index, in elements
	mask  Op            // mask of the lanes inside the slices; nil if all are inside
}

func (p place) of(base reg.GPVirtual) Mem {
	return Mem{Base: base, Index: p.index, Scale: 4, Disp: 4 * p.skip}
}

// A block consists of the places of blockLanes elements.
type block []place

// walk loops over n elements: first in groups of group blocks, then block by block, and finally,
// with a mask, over the remaining elements. All parts do the same arithmetic, so results do not
// depend on where a loop ends.
func (v lanes) walk(label string, n reg.GPVirtual, group int, step func([]block)) {
	index, left := GP64(), GP64()
	XORQ(index, index)
	MOVQ(n, left)
	pass := func(label string, blocks int) {
		Label(label)
		CMPQ(left, U32(blocks*blockLanes))
		JL(LabelRef(label + "Done"))
		step(v.blocks(index, blocks))
		ADDQ(U32(blocks*blockLanes), index)
		SUBQ(U32(blocks*blockLanes), left)
		JMP(LabelRef(label))
		Label(label + "Done")
	}
	if group > 1 {
		pass(label+"Group", group)
	}
	pass(label+"Block", 1)
	TESTQ(left, left)
	JE(LabelRef(label + "End"))
	last := v.blocks(index, 1)
	v.mask(last[0], left)
	step(last)
	Label(label + "End")
}

func (v lanes) blocks(index reg.GPVirtual, n int) (all []block) {
	for i := range n {
		var b block
		for skip := 0; skip < blockLanes; skip += v.count() {
			b = append(b, place{index: index, skip: i*blockLanes + skip})
		}
		all = append(all, b)
	}
	return all
}

// mask marks the first left lanes of a block as inside the slices.
func (v lanes) mask(b block, left reg.GPVirtual) {
	numbers := table("laneNumbers", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
	all := v.register()
	if v.wide {
		VPBROADCASTD(left.As32(), all)
		k := K()
		VPCMPUD(Imm(6), numbers, all, k) // the predicate "greater than"
		b[0].mask = k
		return
	}
	MOVQ(left, all.AsX())
	VPBROADCASTD(all.AsX(), all)
	for i := range b {
		m := v.register()
		VPCMPGTD(numbers.Offset(4*b[i].skip), all, m)
		b[i].mask = m
	}
}

// each is like walk, for kernels that process every vector independently.
func (v lanes) each(n reg.GPVirtual, group int, step func(place)) {
	v.walk("each", n, group, func(blocks []block) {
		for _, b := range blocks {
			for _, p := range b {
				step(p)
			}
		}
	})
}

// load reads a vector and sets the masked-off lanes to zero.
func (v lanes) load(base reg.GPVirtual, p place) reg.VecVirtual {
	x := v.register()
	switch {
	case p.mask == nil:
		VMOVUPS(p.of(base), x)
	case v.wide:
		VMOVUPS_Z(p.of(base), p.mask, x)
	default:
		VMASKMOVPS(p.of(base), p.mask, x)
	}
	return x
}

// loadOr reads a vector and takes the masked-off lanes from fill.
func (v lanes) loadOr(base reg.GPVirtual, p place, fill Op) reg.VecVirtual {
	switch {
	case p.mask == nil:
		return v.load(base, p)
	case v.wide:
		x := v.copyOf(fill)
		VMOVUPS(p.of(base), p.mask, x)
		return x
	}
	x := v.load(base, p)
	VBLENDVPS(p.mask, x, v.copyOf(fill), x)
	return x
}

func (v lanes) store(x reg.VecVirtual, base reg.GPVirtual, p place) {
	switch {
	case p.mask == nil:
		VMOVUPS(x, p.of(base))
	case v.wide:
		VMOVUPS(x, p.mask, p.of(base))
	default:
		VMASKMOVPS(x, p.mask, p.of(base))
	}
}

// done ends a kernel.
func done() {
	VZEROUPPER() // otherwise scalar code would be slow from here on
	RET()
}
