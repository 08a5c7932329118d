package tensor

import (
	"math"
	"slices"
	"testing"
)

func TestShapes(t *testing.T) {
	for _, tc := range []struct {
		shape           []int
		len, rows, cols int
	}{
		{nil, 1, 1, 1},
		{[]int{5}, 5, 1, 5},
		{[]int{2, 3}, 6, 2, 3},
		{[]int{2, 3, 4}, 24, 6, 4},
		{[]int{2, 3, 4, 5}, 120, 24, 5},
		{[]int{0}, 0, 1, 0},
		{[]int{3, 0}, 0, 3, 0},
		{[]int{0, math.MaxInt}, 0, 0, math.MaxInt},
	} {
		x := New(tc.shape...)
		if x.Len() != tc.len || len(x.Data()) != tc.len || x.rows() != tc.rows || x.cols() != tc.cols {
			t.Errorf("New(%v): %d elements, %d rows of %d, want %d, %d of %d",
				tc.shape, x.Len(), x.rows(), x.cols(), tc.len, tc.rows, tc.cols)
		}
		if !slices.Equal(x.Shape(), tc.shape) {
			t.Errorf("New(%v).Shape() = %v", tc.shape, x.Shape())
		}
	}
}

func TestFromSliceSharesStorage(t *testing.T) {
	data := []float32{1, 2, 3, 4, 5, 6}
	x := FromSlice(data, 2, 3)
	data[4] = 50
	if got := x.Data()[4]; got != 50 {
		t.Errorf("element 4 = %v after a write to the slice, want 50", got)
	}
}

// panicText runs f and returns the text that it panics with, or "".
func panicText(f func()) (text string) {
	defer func() {
		if v := recover(); v != nil {
			text = v.(string)
		}
	}()
	f()
	return ""
}

func TestPanics(t *testing.T) {
	var pool, other Pool
	twice := pool.Get(2, 3)
	pool.Put(twice)
	late := pool.Get(7, 7, 7)
	pool.Put(late)
	for _, tc := range []struct {
		call func()
		want string
	}{
		{func() { New(2, -1) }, "tensor.New: negative dimension in shape [2 -1]"},
		{func() { New(1, 2, 3, 4, 5) }, "tensor.New: shape [1 2 3 4 5] has more than 4 dimensions"},
		{func() { New(math.MaxInt32, math.MaxInt32, 9) }, "tensor.New: shape [2147483647 2147483647 9] is too large"},
		{func() { pool.Get(-1) }, "tensor.Pool.Get: negative dimension in shape [-1]"},
		{func() { pool.GetZeroed(-1) }, "tensor.Pool.GetZeroed: negative dimension in shape [-1]"},
		{func() { FromSlice(make([]float32, 5), 2, 3) }, "tensor.FromSlice: 5 elements for shape [2 3], want 6"},

		{func() { MatMulInto(New(2, 4), New(2, 3), New(4, 4)) }, "tensor.MatMulInto: shapes do not fit: dst [2 4], a [2 3], b [4 4]"},
		{func() { MatMulInto(New(4, 2), New(2, 3), New(3, 4)) }, "tensor.MatMulInto: shapes do not fit: dst [4 2], a [2 3], b [3 4]"},
		{func() { MatMulInto(New(2, 4), New(6), New(3, 4)) }, "tensor.MatMulInto: shapes do not fit: dst [2 4], a [6], b [3 4]"},
		{func() { MatMul(New(2, 3), New(3)) }, "tensor.MatMulInto: shapes do not fit: dst [2 0], a [2 3], b [3]"},
		{func() { AddInto(New(6), New(2, 3), New(2, 3)) }, "tensor.AddInto: shapes do not fit: dst [6], a [2 3], b [2 3]"},
		{func() { Add(New(2, 3), New(3, 2)) }, "tensor.AddInto: shapes do not fit: dst [2 3], a [2 3], b [3 2]"},
		{func() { Mul(New(2, 3), New(3)) }, "tensor.MulInto: shapes do not fit: dst [2 3], a [2 3], b [3]"},
		{func() { AddRow(New(2, 3), New(2)) }, "tensor.AddRowInto: shapes do not fit: dst [2 3], a [2 3], row [2]"},
		{func() { AddRow(New(2, 3), New(1, 3)) }, "tensor.AddRowInto: shapes do not fit: dst [2 3], a [2 3], row [1 3]"},
		{func() { AddRow(New(2, 3), New(3, 1)) }, "tensor.AddRowInto: shapes do not fit: dst [2 3], a [2 3], row [3 1]"},
		{func() { AddRow(New(), New(1)) }, "tensor.AddRowInto: shapes do not fit: dst [], a [], row [1]"},
		{func() { GELUInto(New(3), New(4)) }, "tensor.GELUInto: shapes do not fit: dst [3], src [4]"},
		{func() { SoftmaxInto(New(3, 2), New(2, 3)) }, "tensor.SoftmaxInto: shapes do not fit: dst [3 2], src [2 3]"},
		{func() { LayerNorm(New(2, 3), New(3), New(2), 0) }, "tensor.LayerNormInto: shapes do not fit: dst [2 3], src [2 3], gamma [3], beta [2]"},
		{func() { LayerNorm(New(2, 3), New(3, 1), New(3, 1), 0) }, "tensor.LayerNormInto: shapes do not fit: dst [2 3], src [2 3], gamma [3 1], beta [3 1]"},
		{func() { LayerNorm(New(2, 3), New(2), New(2), 0) }, "tensor.LayerNormInto: shapes do not fit: dst [2 3], src [2 3], gamma [2], beta [2]"},

		{func() { pool.Put(twice) }, "tensor.Pool.Put: the tensor of shape [0] is not from this pool, or was put back already"},
		{func() { pool.Put(New(2)) }, "tensor.Pool.Put: the tensor of shape [2] is not from this pool, or was put back already"},
		{func() { pool.Put(other.Get(3)) }, "tensor.Pool.Put: the tensor of shape [3] is not from this pool, or was put back already"},
		{func() { GELUInto(New(7, 7, 7), late) }, "tensor.GELUInto: shapes do not fit: dst [7 7 7], src [0]"},
	} {
		if got := panicText(tc.call); got != tc.want {
			t.Errorf("panic %q, want %q", got, tc.want)
		}
	}
	// A Put that panics must not leave the pool locked.
	pool.Put(pool.Get(2, 3))
}
