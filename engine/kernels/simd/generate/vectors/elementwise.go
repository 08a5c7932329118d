package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func (v lanes) add() { v.binary(VADDPS) }
func (v lanes) mul() { v.binary(VMULPS) }

// binary sets dst to the result of an operation on a and b.
func (v lanes) binary(operation func(...Op)) {
	dst, a, b, n := param("dst"), param("a"), param("b"), param("n")
	v.each(n, 4, func(p place) {
		x := v.load(a, p)
		operation(v.operand(b, p), x, x)
		v.store(x, dst, p)
	})
	done()
}
