package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Chains measure what a core can reach: fused multiplications and additions, each of which
// waits for the one before it in its chain and for nothing else. A processor begins two a cycle and
// has each done after four or five, so that ten chains keep it busy; nothing is read from memory.
const (
	chainCount = 12 // chains
	chainLinks = 4  // of each chain in one step of the loop
)

// generateChains writes a kernel of so many steps. Every sum becomes sum*x + y: with 0.5 and 1
// it stays between 0 and 2, so that no number is ever denormal or infinite.
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
