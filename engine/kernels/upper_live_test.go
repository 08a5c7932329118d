package kernels

import (
	"os"
	"testing"
	"time"

	"github.com/perftrack/perftrack/engine/kernels/simd"
)

// Scalar code runs as fast after each kernel as before it. A kernel that left the upper halves of
// the vector registers in use would make it several times as slow on some processors, until the next that
// clears them. It measures, so it needs a machine of its own:
//
//	PERFTRACK_LIVE=1 go test -run UpperHalves -v ./engine/kernels
func TestUpperHalvesLive(t *testing.T) {
	if os.Getenv("PERFTRACK_LIVE") == "" {
		t.Skip("it measures: PERFTRACK_LIVE=1 go test -run UpperHalves -v ./engine/kernels")
	}
	onEachPath(t, func(t *testing.T) {
		for _, k := range everyKernel() {
			before, after := time.Hour, time.Hour
			for range 40 {
				before = min(before, scalarTime())
				k.call()
				after = min(after, scalarTime())
				if path != simd.Generic {
					path.Product(simd.Rows(dirt[:1], 1), simd.Rows(dirt[1:], 1), simd.Rows(dirt[2:], 1), 1, 1, 1, false) // ends clean
				}
			}
			t.Logf("%-22s scalar code took %v before and %v after", k.name, before, after)
			if after > before*5/4 {
				t.Errorf("%s: scalar code takes %v after it and %v before", k.name, after, before)
			}
		}
	})
}

var dirt = make([]float32, 3)

var scalarData = normal(1, 1024, 1, 0)

// scalarTime is how long some passes of plain Go arithmetic on float32 take.
func scalarTime() time.Duration {
	start := time.Now()
	for i := range 40 {
		addScaled(scalarData[:512], float32(i)*1e-9, scalarData[512:])
	}
	return time.Since(start)
}

// A call is a kernel with operands, of sizes that leave rests.
type call struct {
	name string
	call func()
}

func everyKernel() []call {
	const m, k, n = 13, 37, 91
	f := func(size int) []float32 { return normal(uint64(size), size, 1, 0) }
	a, b, dst, da, db, row := f(m*k), f(k*n), f(m*n), f(m*k), f(k*n), f(n)
	dout, src, gain, vector := f(m*n + 1)[1:], f(m*n + 2)[2:], f(n + 1)[1:], f(n + 2)[2:]
	targets := make([]int, m)
	queries, keys, values, weights, mixed := f(m*k), f(k*m), f(m*k + 1)[1:], f(m*m), f(m*k + 2)[2:]
	dqueries, dkeys, dvalues, dscores := f(m*k + 3)[3:], f(m*k + 4)[4:], f(m*k + 5)[5:], f(m*m + 1)[1:]
	return []call{
		{"MatMul", func() { MatMul(dst, a, b, m, k, n) }},
		{"VectorMatMul", func() { VectorMatMul(vector, a[:k], b, k, n) }},
		{"MatMulBackward", func() { MatMulBackward(da, db, dout, a, b, m, k, n) }},
		{"Attention", func() {
			Attention(Rows{mixed, k}, Rows{weights, m}, Rows{queries, k}, Rows{keys, m}, Rows{values, k}, 1, m, k)
		}},
		{"AttentionBackward", func() {
			AttentionBackward(Rows{dqueries, k}, Rows{dkeys, k}, Rows{dvalues, k}, Rows{dscores, m}, Rows{mixed, k}, Rows{weights, m}, Rows{queries, k}, Rows{keys, k}, Rows{values, k}, 1, m, k)
		}},
		{"GELU", func() { GELU(dst, src) }},
		{"GELUBackward", func() { GELUBackward(dst, dout, src) }},
		{"Softmax", func() { Softmax(dst, src, m, n) }},
		{"SoftmaxCrossEntropy", func() { SoftmaxCrossEntropy(dst, src, targets, m, n, m) }},
		{"LayerNorm", func() { LayerNorm(dst, src, gain, row, m, n, 1e-5) }},
		{"LayerNormBackward", func() { LayerNormBackward(dst, vector, row, dout, src, gain, m, n, 1e-5) }},
		{"Add", func() { Add(dst, dout, src) }},
		{"Mul", func() { Mul(dst, dout, src) }},
		{"AddRow", func() { AddRow(dst, src, gain, m, n) }},
		{"AddRowBackward", func() { AddRowBackward(vector, dout, m, n) }},
	}
}
