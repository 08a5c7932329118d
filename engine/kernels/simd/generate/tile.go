package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A tile is the part of a matrix product that one kernel computes: some rows of dst by some vectors
// of columns. It stays in registers while the kernel runs through the depth (K. Goto and R. van de
// Geijn, Anatomy of High-Performance Matrix Multiplication, 2008, section 4). Tiles of all shapes
// compute an element as one chain of fused multiply-adds in the order of the depth, so they give
// the same results to the last bit.
type tile struct {
	family
	height int // number of rows in this tile
	masks  []Op
}

func (f family) tile(rows int) *tile { return &tile{family: f, height: rows} }

// These are the parameters of every tile kernel. dstRow and aRow are the distances between rows,
// and aStep and bStep those between steps of the depth, all in bytes. If the tile is masked, the
// bits of mask select the columns. add says whether to add to dst.
const (
	parameters = "dst *float32, dstRow int, a *float32, aRow, aStep int, b *float32, bStep, depth int, mask, add uint64"
	arguments  = "dst, dstRow, a, aRow, aStep, b, bStep, depth, mask, add"
)

func (t *tile) generate(name string) {
	TEXT(name, NOSPLIT, "func("+parameters+")")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s computes %d x %d elements of dst.", name, t.height, t.vectors*t.lanes()))
	t.loadMasks()
	sums := t.start()
	a, b := param("a"), param("b")
	aStep, bStep, depth := param("aStep"), param("bStep"), param("depth")
	rows := newRowOffsets(a, param("aRow"), t.height)
	TESTQ(depth, depth)
	JZ(LabelRef("store"))

	Label("step")
	factors := make([]reg.VecVirtual, t.vectors)
	for j := range factors {
		factors[j] = t.vector()
		t.load(t.column(b, j), factors[j], j)
	}
	t.prefetch(b)
	for i := range t.height {
		x := t.vector()
		VBROADCASTSS(rows.at(i), x)
		for j := range factors {
			VFMADD231PS(factors[j], x, sums[i][j])
		}
	}
	ADDQ(aStep, a)
	ADDQ(bStep, b)
	DECQ(depth)
	JNZ(LabelRef("step"))

	Label("store")
	dst, dstRow := param("dst"), param("dstRow")
	for i := range sums {
		for j, v := range sums[i] {
			t.store(v, t.column(dst, j), j)
		}
		if i+1 < len(sums) {
			ADDQ(dstRow, dst)
		}
	}
	VZEROUPPER() // otherwise scalar code would be slow from here on
	RET()
}

// prefetch loads the part of the same row of b that the next tile will read. If b is not packed,
// its rows are too far apart for the processor to recognize the access pattern.
func (t *tile) prefetch(b reg.GPVirtual) {
	if t.vectors == 1 {
		return // there is no next tile beside it
	}
	const line = 64
	bytes := 4 * t.vectors * t.lanes()
	for at := bytes; at < 2*bytes; at += line {
		PREFETCHT1(Mem{Base: b, Disp: at})
	}
}

// param loads a parameter into a new register.
func param(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

// start initializes the sums, either to zero or to the elements of dst.
func (t *tile) start() [][]reg.VecVirtual {
	sums := make([][]reg.VecVirtual, t.height)
	for i := range sums {
		for range t.vectors {
			v := t.vector()
			t.zero(v)
			sums[i] = append(sums[i], v)
		}
	}
	add := param("add")
	TESTQ(add, add)
	JE(LabelRef("begin"))
	dst, dstRow := param("dst"), param("dstRow")
	for i := range sums {
		for j, v := range sums[i] {
			t.load(t.column(dst, j), v, j)
		}
		if i+1 < len(sums) {
			ADDQ(dstRow, dst)
		}
	}
	Label("begin")
	return sums
}

func (t *tile) lanes() int {
	if t.wide {
		return 16
	}
	return 8
}

func (t *tile) vector() reg.VecVirtual {
	if t.wide {
		return ZMM()
	}
	return YMM()
}

func (t *tile) zero(v reg.VecVirtual) {
	if t.wide {
		VPXORD(v, v, v)
		return
	}
	VXORPS(v, v, v)
}

func (t *tile) column(base reg.GPVirtual, j int) Mem { return Mem{Base: base, Disp: j * t.lanes() * 4} }

// loadMasks creates a mask for each vector from the bits that select columns. AVX2 has no mask
// registers, so each lane's bit is moved to the sign position of the lane.
func (t *tile) loadMasks() {
	if !t.masked {
		return
	}
	t.makeMasks(param("mask"))
}

// makeMasks creates the masks from the bits in a register.
func (t *tile) makeMasks(bits reg.GPVirtual) {
	for range t.vectors {
		if t.wide || t.opmask {
			k := K()
			KMOVW(bits.As32(), k)
			SHRQ(U8(16), bits)
			t.masks = append(t.masks, k)
			continue
		}
		y := YMM()
		MOVQ(bits, y.AsX())
		VPBROADCASTD(y.AsX(), y)
		VPSLLVD(laneShifts(), y, y)
		SHRQ(U8(8), bits)
		t.masks = append(t.masks, y)
	}
}

var shifts *Mem

// laneShifts returns a table of shift counts, one for each lane.
func laneShifts() Mem {
	if shifts == nil {
		m := GLOBL("laneShifts", RODATA|NOPTR)
		for i := range 8 {
			DATA(4*i, U32(31-i))
		}
		shifts = &m
	}
	return *shifts
}

// load reads vector j of a row. It does not access the masked-out columns: they may be outside the
// slice.
func (t *tile) load(from Mem, to reg.VecVirtual, j int) {
	switch {
	case !t.masked:
		VMOVUPS(from, to)
	case t.wide || t.opmask:
		VMOVUPS_Z(from, t.masks[j], to)
	default:
		VMASKMOVPS(from, t.masks[j], to)
	}
}

func (t *tile) store(v reg.VecVirtual, to Mem, j int) {
	switch {
	case !t.masked:
		VMOVUPS(v, to)
	case t.wide || t.opmask:
		VMOVUPS(v, t.masks[j], to)
	default:
		VMASKMOVPS(v, t.masks[j], to)
	}
}

// rowOffsets computes the address of every row, base + i*stride. It keeps only the odd multiples of
// the stride in registers, because the scale in an address (1, 2, 4 or 8) yields the others.
type rowOffsets struct {
	base reg.GPVirtual
	odd  map[int]reg.GPVirtual // odd multiples of the stride
}

func newRowOffsets(base, stride reg.GPVirtual, rows int) rowOffsets {
	o := rowOffsets{base: base, odd: map[int]reg.GPVirtual{1: stride}}
	for m := 3; m < rows; m += 2 {
		r := GP64()
		LEAQ(Mem{Base: o.odd[m-2], Index: stride, Scale: 2}, r)
		o.odd[m] = r
	}
	return o
}

func (o rowOffsets) at(i int) Mem {
	if i == 0 {
		return Mem{Base: o.base}
	}
	scale := uint8(1)
	for i%2 == 0 {
		i, scale = i/2, scale*2
	}
	return Mem{Base: o.base, Index: o.odd[i], Scale: scale}
}
