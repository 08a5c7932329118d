package kernels

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/perftrack/perftrack/runner/drawtest"
)

// inPlace lists the kernels that may work in place, each as a function of one source with the other
// operands fixed.
var inPlace = []struct {
	name string
	run  func(dst, src []float32, rows, cols int)
}{
	{"GELU", func(dst, src []float32, _, _ int) { GELU(dst, src) }},
	{"GELUErf", func(dst, src []float32, _, _ int) { GELUErf(dst, src) }},
	{"Softmax", Softmax},
	{"LayerNorm", func(dst, src []float32, rows, cols int) {
		LayerNorm(dst, src, normal(1, cols, 1, 1), normal(2, cols, 1, 0), rows, cols, 1e-5)
	}},
	{"Add a", func(dst, src []float32, _, _ int) { Add(dst, src, normal(3, len(src), 1, 0)) }},
	{"Add b", func(dst, src []float32, _, _ int) { Add(dst, normal(3, len(src), 1, 0), src) }},
	{"Add both", func(dst, src []float32, _, _ int) { Add(dst, src, src) }},
	{"Mul a", func(dst, src []float32, _, _ int) { Mul(dst, src, normal(3, len(src), 1, 0)) }},
	{"Mul b", func(dst, src []float32, _, _ int) { Mul(dst, normal(3, len(src), 1, 0), src) }},
	{"Mul both", func(dst, src []float32, _, _ int) { Mul(dst, src, src) }},
	{"AddRow", func(dst, src []float32, rows, cols int) { AddRow(dst, src, normal(4, cols, 1, 0), rows, cols) }},
}

func TestInPlaceEqualsOutOfPlace(t *testing.T) { onEachPath(t, testInPlaceEqualsOutOfPlace) }

func testInPlaceEqualsOutOfPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(0, 5).Draw(t, "rows")
		cols := rapid.IntRange(0, 40).Draw(t, "cols")
		src := normal(rapid.Uint64().Draw(t, "seed"), rows*cols, 3, 0)
		for _, kernel := range inPlace {
			apart, same := filled(len(src), nan), append([]float32(nil), src...)
			kernel.run(apart, src, rows, cols)
			kernel.run(same, same, rows, cols)
			if !sameBits(apart, same) {
				t.Fatalf("%s %dx%d in place = %v, out of place %v", kernel.name, rows, cols, same, apart)
			}
		}
	})
}

func TestAddMulAddRow(t *testing.T) { onEachPath(t, testAddMulAddRow) }

func testAddMulAddRow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(0, 5).Draw(t, "rows")
		cols := rapid.IntRange(0, 40).Draw(t, "cols")
		seed := rapid.Uint64().Draw(t, "seed")
		a, b := normal(seed, rows*cols, 3, 0), normal(seed+1, rows*cols, 3, 0)
		row := normal(seed+2, cols, 3, 0)
		sum, product, rowSum := filled(len(a), nan), filled(len(a), nan), filled(len(a), nan)
		Add(sum, a, b)
		Mul(product, a, b)
		AddRow(rowSum, a, row, rows, cols)
		for i := range a {
			// Each result is one correctly rounded operation, so it must match exactly.
			if sum[i] != a[i]+b[i] || product[i] != a[i]*b[i] || rowSum[i] != a[i]+row[i%cols] {
				t.Fatalf("element %d of %dx%d: sum %g, product %g, row sum %g", i, rows, cols, sum[i], product[i], rowSum[i])
			}
		}
	})
}

func TestPanics(t *testing.T) { onEachPath(t, testPanics) }

func testPanics(t *testing.T) {
	f := func(n int) []float32 { return make([]float32, n) }
	const huge = math.MaxInt/2 + 1 // 4*huge overflows to 0
	buf := f(12)
	for _, tc := range []struct {
		call func()
		want string
	}{
		{func() { MatMul(f(8), f(5), f(12), 2, 3, 4) }, "kernels.MatMul: a has 5 elements, want 2x3"},
		{func() { MatMul(f(8), f(6), f(11), 2, 3, 4) }, "kernels.MatMul: b has 11 elements, want 3x4"},
		{func() { MatMul(f(7), f(6), f(12), 2, 3, 4) }, "kernels.MatMul: dst has 7 elements, want 2x4"},
		{func() { MatMul(f(0), f(0), f(0), -1, 0, 4) }, "kernels.MatMul: dst has 0 elements, want -1x4"},
		{func() { MatMul(buf[:4], buf[3:7], f(4), 2, 2, 2) }, "kernels.MatMul: dst (4 elements) overlaps a (4 elements)"},
		{func() { MatMul(buf[:4], f(4), buf[:4], 2, 2, 2) }, "kernels.MatMul: dst (4 elements) overlaps b (4 elements)"},
		{func() { GELU(f(3), f(4)) }, "kernels.GELU: dst has 3 elements, want 4"},
		{func() { GELU(buf[1:4], buf[:3]) }, "kernels.GELU: dst (3 elements) overlaps src (3 elements)"},
		{func() { GELUErf(f(5), f(4)) }, "kernels.GELUErf: dst has 5 elements, want 4"},
		{func() { GELUErf(buf[:3], buf[1:4]) }, "kernels.GELUErf: dst (3 elements) overlaps src (3 elements)"},
		{func() { Softmax(f(6), f(5), 2, 3) }, "kernels.Softmax: src has 5 elements, want 2x3"},
		{func() { Softmax(f(5), f(6), 2, 3) }, "kernels.Softmax: dst has 5 elements, want 2x3"},
		{func() { Softmax(f(0), f(0), huge, 4) }, fmt.Sprintf("kernels.Softmax: dst has 0 elements, want %dx4", huge)},
		{func() { Softmax(buf[:6], buf[3:9], 2, 3) }, "kernels.Softmax: dst (6 elements) overlaps src (6 elements)"},
		{func() { LayerNorm(f(5), f(6), f(3), f(3), 2, 3, 0) }, "kernels.LayerNorm: dst has 5 elements, want 2x3"},
		{func() { LayerNorm(f(6), f(7), f(3), f(3), 2, 3, 0) }, "kernels.LayerNorm: src has 7 elements, want 2x3"},
		{func() { LayerNorm(f(6), f(6), f(2), f(3), 2, 3, 0) }, "kernels.LayerNorm: gamma has 2 elements, want 3"},
		{func() { LayerNorm(f(6), f(6), f(3), f(6), 2, 3, 0) }, "kernels.LayerNorm: beta has 6 elements, want 3"},
		{func() { LayerNorm(buf[:6], buf[2:8], f(3), f(3), 2, 3, 0) }, "kernels.LayerNorm: dst (6 elements) overlaps src (6 elements)"},
		{func() { LayerNorm(buf[:6], f(6), buf[:3], f(3), 2, 3, 0) }, "kernels.LayerNorm: dst (6 elements) overlaps gamma (3 elements)"},
		{func() { LayerNorm(buf[:6], f(6), f(3), buf[5:8], 2, 3, 0) }, "kernels.LayerNorm: dst (6 elements) overlaps beta (3 elements)"},
		{func() { Add(f(3), f(4), f(3)) }, "kernels.Add: a has 4 elements, want 3"},
		{func() { Add(f(3), f(3), f(2)) }, "kernels.Add: b has 2 elements, want 3"},
		{func() { Add(buf[:4], buf[1:5], f(4)) }, "kernels.Add: dst (4 elements) overlaps a (4 elements)"},
		{func() { Mul(f(3), f(2), f(3)) }, "kernels.Mul: a has 2 elements, want 3"},
		{func() { Mul(buf[:4], f(4), buf[3:7]) }, "kernels.Mul: dst (4 elements) overlaps b (4 elements)"},
		{func() { AddRow(f(5), f(6), f(3), 2, 3) }, "kernels.AddRow: dst has 5 elements, want 2x3"},
		{func() { AddRow(f(6), f(6), f(2), 2, 3) }, "kernels.AddRow: row has 2 elements, want 3"},
		{func() { AddRow(f(6), f(3), f(3), 2, 3) }, "kernels.AddRow: a has 3 elements, want 2x3"},
		{func() { AddRow(buf[:6], f(6), buf[:3], 2, 3) }, "kernels.AddRow: dst (6 elements) overlaps row (3 elements)"},
		{func() { AddRow(buf[:6], buf[1:7], f(3), 2, 3) }, "kernels.AddRow: dst (6 elements) overlaps a (6 elements)"},
	} {
		func() {
			defer func() {
				if got := recover(); got != tc.want {
					t.Errorf("panic %v, want %s", got, tc.want)
				}
			}()
			tc.call()
		}()
	}
}

// Adjacent slices of one array do not overlap. The engine slices its buffers this way.
func TestAdjacentSlices(t *testing.T) { onEachPath(t, testAdjacentSlices) }

func testAdjacentSlices(t *testing.T) {
	buf := filled(12, 1)
	MatMul(buf[4:8], buf[:4], buf[8:], 2, 2, 2)
	Add(buf[4:8], buf[:4], buf[8:])
	GELU(buf[4:8], buf[8:])
}

func TestNoAllocations(t *testing.T) { onEachPath(t, testNoAllocations) }

func testNoAllocations(t *testing.T) {
	const m, k, n = 5, 7, 9
	a, b, c := normal(1, m*k, 1, 0), normal(2, k*n, 1, 0), make([]float32, m*n)
	x, y, row := normal(3, m*n, 1, 0), normal(4, m*n, 1, 0), normal(5, n, 1, 0)
	for _, tc := range []struct {
		name string
		run  func()
	}{
		{"MatMul", func() { MatMul(c, a, b, m, k, n) }},
		{"GELU", func() { GELU(c, x) }},
		{"GELUErf", func() { GELUErf(c, x) }},
		{"Softmax", func() { Softmax(c, x, m, n) }},
		{"LayerNorm", func() { LayerNorm(c, x, row, row, m, n, 1e-5) }},
		{"Add", func() { Add(c, x, y) }},
		{"Mul", func() { Mul(c, x, y) }},
		{"AddRow", func() { AddRow(c, x, row, m, n) }},
	} {
		if got := testing.AllocsPerRun(10, tc.run); got != 0 {
			t.Errorf("%s: %v allocations a call, want 0", tc.name, got)
		}
	}
}
