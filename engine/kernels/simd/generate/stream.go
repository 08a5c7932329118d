package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A stream computes one row of dst from several rows of b: dst += x0*b0 + x1*b1 + ..., in this
// order. In a product with one row, no element of b is used twice. Reading b straight through suits
// the prefetcher, and dst stays in the first-level cache.
type stream struct {
	wide bool // AVX-512 if true, otherwise AVX2
	rows int  // number of rows of b read at once
}

// streamVectors is the number of vectors of dst computed side by side. Their sums do not wait for
// each other.
const streamVectors = 4

const (
	streamParameters = "dst *float32, x *float32, b *float32, bStep, columns int, add uint64"
	streamArguments  = "dst, x, b, bStep, columns, add"
)

func (s stream) generate(name string) {
	t := family{wide: s.wide, vectors: 1, rows: 1}.tile(1)
	TEXT(name, NOSPLIT, "func("+streamParameters+")")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s computes a row of dst from %d rows of b.", name, s.rows))
	dst, x, b, columns := param("dst"), param("x"), param("b"), param("columns")
	factors := make([]reg.VecVirtual, s.rows)
	for i := range factors {
		factors[i] = t.vector()
		VBROADCASTSS(Mem{Base: x, Disp: 4 * i}, factors[i])
	}
	rows := newRowOffsets(b, param("bStep"), s.rows)
	add := param("add")
	bytes := 4 * t.lanes()
	pass := func(label string, vectors int) {
		Label(label)
		CMPQ(columns, U32(vectors*t.lanes()))
		JL(LabelRef(label + "Done"))
		sums := make([]reg.VecVirtual, vectors)
		for j := range sums {
			sums[j] = t.vector()
			t.zero(sums[j])
		}
		TESTQ(add, add)
		JE(LabelRef(label + "Begin"))
		for j := range sums {
			VMOVUPS(Mem{Base: dst, Disp: j * bytes}, sums[j])
		}
		Label(label + "Begin")
		for i, factor := range factors {
			for j := range sums {
				at := rows.at(i)
				at.Disp = j * bytes
				VFMADD231PS(at, factor, sums[j])
			}
		}
		for j := range sums {
			VMOVUPS(sums[j], Mem{Base: dst, Disp: j * bytes})
		}
		ADDQ(U32(vectors*bytes), dst)
		ADDQ(U32(vectors*bytes), b)
		SUBQ(U32(vectors*t.lanes()), columns)
		JMP(LabelRef(label))
		Label(label + "Done")
	}
	pass("wide", streamVectors)
	pass("narrow", 1)
	s.rest(rows, factors, dst, b, columns, add)
	VZEROUPPER()
	RET()
}

// rest computes the columns that do not fill a vector. With AVX-512 it uses masks; with AVX2, whose
// masked stores are slower, it computes them one by one.
func (s stream) rest(rows rowOffsets, factors []reg.VecVirtual, dst, b, columns, add reg.GPVirtual) {
	if !s.wide {
		s.single(rows, factors, dst, b, columns, add)
		return
	}
	TESTQ(columns, columns)
	JE(LabelRef("done"))
	bits := GP64()
	MOVQ(columns, reg.RCX)
	MOVQ(U32(1), bits)
	SHLQ(reg.CL, bits)
	DECQ(bits)
	t := family{wide: true, vectors: 1, rows: 1, masked: true}.tile(1)
	t.makeMasks(bits)
	sum, row := t.vector(), t.vector()
	t.zero(sum)
	TESTQ(add, add)
	JE(LabelRef("restBegin"))
	t.load(Mem{Base: dst}, sum, 0)
	Label("restBegin")
	for i, factor := range factors {
		t.load(rows.at(i), row, 0)
		VFMADD231PS(row, factor, sum)
	}
	t.store(sum, Mem{Base: dst}, 0)
	Label("done")
}

// single computes the columns one by one.
func (s stream) single(rows rowOffsets, factors []reg.VecVirtual, dst, b, columns, add reg.GPVirtual) {
	Label("rest")
	TESTQ(columns, columns)
	JE(LabelRef("done"))
	sum := XMM()
	VXORPS(sum, sum, sum)
	TESTQ(add, add)
	JE(LabelRef("restBegin"))
	VMOVSS(Mem{Base: dst}, sum)
	Label("restBegin")
	for i, factor := range factors {
		VFMADD231SS(rows.at(i), factor.AsX(), sum)
	}
	VMOVSS(sum, Mem{Base: dst})
	ADDQ(Imm(4), dst)
	ADDQ(Imm(4), b)
	DECQ(columns)
	JMP(LabelRef("rest"))
	Label("done")
}
