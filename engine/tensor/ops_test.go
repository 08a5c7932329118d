package tensor

import (
	"math"
	"slices"
	"testing"
)

func matrix(rows, cols int, data ...float32) *Tensor { return FromSlice(data, rows, cols) }
func vector(data ...float32) *Tensor                 { return FromSlice(data, len(data)) }

// The kernels have their own tests for the arithmetic. These cases show that each operation passes
// its operands and the number of rows correctly to the right kernel.
func TestOps(t *testing.T) {
	a := matrix(2, 3, 1, 2, 3, 4, 5, 6)
	ln2 := float32(math.Ln2)
	for _, tc := range []struct {
		name string
		got  *Tensor
		want *Tensor
	}{
		{"MatMul", MatMul(a, matrix(3, 2, 1, 0, 0, 1, 1, 1)), matrix(2, 2, 4, 5, 10, 11)},
		{"Add", Add(a, matrix(2, 3, 10, 20, 30, 40, 50, 60)), matrix(2, 3, 11, 22, 33, 44, 55, 66)},
		{"Mul", Mul(a, a), matrix(2, 3, 1, 4, 9, 16, 25, 36)},
		{"AddRow", AddRow(a, vector(10, 20, 30)), matrix(2, 3, 11, 22, 33, 14, 25, 36)},
		{"AddRow of rank 1", AddRow(vector(1, 2), vector(3, 4)), vector(4, 6)},
		{"AddRow of rank 3", AddRow(New(2, 2, 1), vector(7)), FromSlice([]float32{7, 7, 7, 7}, 2, 2, 1)},
		{"GELU", GELU(vector(0, 100, -100)), vector(0, 100, 0)},
		{"Softmax", Softmax(matrix(2, 2, 0, ln2, 5, 5)), matrix(2, 2, 1.0/3, 2.0/3, 0.5, 0.5)},
		{"Softmax of rank 3", Softmax(New(2, 1, 4)), FromSlice([]float32{.25, .25, .25, .25, .25, .25, .25, .25}, 2, 1, 4)},
		{"Softmax of a scalar", Softmax(New()), FromSlice([]float32{1})},
		{"LayerNorm", LayerNorm(matrix(2, 2, -1, 1, 8, 4), vector(1, 2), vector(10, 20), 0), matrix(2, 2, 9, 22, 11, 18)},
	} {
		if !slices.Equal(tc.got.Shape(), tc.want.Shape()) || !slices.EqualFunc(tc.got.Data(), tc.want.Data(), near) {
			t.Errorf("%s = %v %v, want %v %v", tc.name, tc.got.Shape(), tc.got.Data(), tc.want.Shape(), tc.want.Data())
		}
	}
}

func near(x, y float32) bool { return math.Abs(float64(x-y)) <= 1e-6 }

func TestNoAllocations(t *testing.T) {
	var pool Pool
	a, b, c := New(5, 7), New(7, 9), New(5, 9)
	x, row := New(5, 9), New(9)
	for _, tc := range []struct {
		name string
		run  func()
	}{
		{"MatMulInto", func() { MatMulInto(c, a, b) }},
		{"AddInto", func() { AddInto(c, c, x) }},
		{"MulInto", func() { MulInto(c, c, x) }},
		{"AddRowInto", func() { AddRowInto(c, c, row) }},
		{"GELUInto", func() { GELUInto(c, c) }},
		{"SoftmaxInto", func() { SoftmaxInto(c, c) }},
		{"LayerNormInto", func() { LayerNormInto(c, x, row, row, 1e-5) }},
		{"Get and Put", func() { pool.Put(pool.Get(5, 9)) }},
		{"GetZeroed and Put", func() { pool.Put(pool.GetZeroed(2, 3, 4, 5)) }},
		{"pooled MatMul", func() {
			dst := pool.Get(5, 9)
			MatMulInto(dst, a, b)
			pool.Put(dst)
		}},
		{"another shape of the class", func() {
			pool.Put(pool.Get(17))
			pool.Put(pool.Get(4, 8))
		}},
	} {
		// The first call may allocate, because AllocsPerRun uses it to warm up.
		if got := testing.AllocsPerRun(10, tc.run); got != 0 {
			t.Errorf("%s: %v allocations a call, want 0", tc.name, got)
		}
	}
}
