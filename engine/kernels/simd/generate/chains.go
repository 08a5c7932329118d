package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The chains measure the peak rate of a core. A chain is a sequence of fused multiply-adds, each
// waiting only for the previous one. A processor starts two per cycle and takes four or five cycles
// for each, so ten chains keep it busy. Nothing is read from memory.
const (
	chainCount = 12 // number of chains
	chainLinks = 4  // operations of each chain per step of the loop
)

// generateChains writes a kernel that runs the given number of steps. Each operation replaces a sum
// by sum*x + y. With x = 0.5 and y = 1 the sum stays between 0 and 2, so it never becomes denormal
// or infinite.
func generateChains(name string, wide bool) {
	t := family{wide: wide, vectors: 1, rows: 1}.tile(1)
	TEXT(name, NOSPLIT, "func(x, y *float32, steps int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s does %d fused multiplications and additions of vectors in each step.", name, chainCount*chainLinks))
	x, y, steps := param("x"), param("y"), param("steps")
	factor, addend := t.vector(), t.vector()
	VBROADCASTSS(Mem{Base: x}, factor)
	VBROADCASTSS(Mem{Base: y}, addend)
	sums := make([]reg.VecVirtual, chainCount)
	for i := range sums {
		sums[i] = t.vector()
		t.zero(sums[i])
	}
	Label("step")
	for range chainLinks {
		for _, s := range sums {
			VFMADD213PS(addend, factor, s)
		}
	}
	DECQ(steps)
	JNZ(LabelRef("step"))
	VZEROUPPER()
	RET()
}
