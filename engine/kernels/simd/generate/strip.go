package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A strip computes the given number of vectors of one row of dst. They stay in registers while the
// kernel passes over the rows of b. If these rows are as wide as the strip, b is read straight
// through.
type strip struct {
	vectors int
	ahead   bool // prefetches later rows, because with rows wider than the strip the processor does not recognize the pattern
}

// rowsAhead is the distance, in rows, from the row being read to the one being prefetched.
const rowsAhead = 4

// strips lists the strips. AVX2 has no strips, as its registers hold too little of a row.
var strips = []strip{{24, false}, {16, false}, {8, false}, {4, false}, {2, false}, {24, true}, {16, true}, {8, true}}

const (
	stripParameters = "dst *float32, x *float32, b *float32, bStep, depth int, add uint64"
	stripArguments  = "dst, x, b, bStep, depth, add"
)

func (s strip) kernel() string {
	if s.ahead {
		return fmt.Sprintf("strip512Ahead%d", s.vectors)
	}
	return fmt.Sprintf("strip512Vectors%d", s.vectors)
}

func (s strip) generate(name string) {
	t := family{wide: true, vectors: s.vectors, rows: 1}.tile(1)
	TEXT(name, NOSPLIT, "func("+stripParameters+")")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s computes %d elements of a row of dst.", name, s.vectors*t.lanes()))
	dst, x, b, bStep, depth := param("dst"), param("x"), param("b"), param("bStep"), param("depth")
	sums := make([]reg.VecVirtual, s.vectors)
	for j := range sums {
		sums[j] = t.vector()
		t.zero(sums[j])
	}
	add := param("add")
	TESTQ(add, add)
	JE(LabelRef("step"))
	for j, sum := range sums {
		VMOVUPS(t.column(dst, j), sum)
	}
	Label("step")
	factor := t.vector()
	VBROADCASTSS(Mem{Base: x}, factor)
	for j, sum := range sums {
		VFMADD231PS(t.column(b, j), factor, sum)
		if s.ahead {
			at := t.column(b, j)
			at.Index, at.Scale = bStep, rowsAhead
			PREFETCHT0(at)
		}
	}
	ADDQ(Imm(4), x)
	ADDQ(bStep, b)
	DECQ(depth)
	JNZ(LabelRef("step"))
	for j, sum := range sums {
		VMOVUPS(sum, t.column(dst, j))
	}
	VZEROUPPER()
	RET()
}
