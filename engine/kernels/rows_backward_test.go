package kernels

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/engine/kernels/simd"
)

func TestAddRowBackwardErrorBound(t *testing.T) { onEachPath(t, testAddRowBackwardErrorBound) }

func testAddRowBackwardErrorBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(0, 20).Draw(t, "rows"), rapid.IntRange(0, 20).Draw(t, "cols")
		seed := rapid.Uint64().Draw(t, "seed")
		dout, drow := normal(seed, rows*cols, 3, 0), normal(seed+1, cols, 3, 0)
		want := wide(drow)
		magnitude := make([]float64, cols)
		for j := range magnitude {
			magnitude[j] = math.Abs(want[j])
		}
		for i, v := range dout {
			want[i%cols] += float64(v)
			magnitude[i%cols] += math.Abs(float64(v))
		}
		AddRowBackward(drow, dout, rows, cols)
		for j := range drow {
			within(t, fmt.Sprintf("%dx%d column %d", rows, cols, j), drow[j], want[j], gamma(rows)*magnitude[j])
		}
	})
}

// refGELUSlope returns the derivative of GELU's tanh form.
func refGELUSlope(x float64) float64 {
	c := math.Sqrt(2 / math.Pi)
	h := math.Tanh(c * (x + 0.044715*x*x*x))
	return 0.5*(1+h) + 0.5*x*(1-h*h)*c*(1+3*0.044715*x*x)
}

func refGELUErfSlope(x float64) float64 {
	return 0.5*math.Erfc(-x/math.Sqrt2) + x*math.Exp(-0.5*x*x)/math.Sqrt(2*math.Pi)
}

func TestGELUBackwardErrorBound(t *testing.T) { onEachPath(t, testGELUBackwardErrorBound) }

func testGELUBackwardErrorBound(t *testing.T) {
	var src []float32
	for x := -16.0; x <= 16; x += 0.003 {
		src = append(src, float32(x))
	}
	dout, dsrc := normal(1, len(src), 3, 0), filled(len(src), nan)
	for _, form := range []struct {
		name      string
		kernel    func(dst, dout, src []float32)
		reference func(float64) float64
		portable  float64 // bound in u relative to dout
	}{{"GELUBackward", GELUBackward, refGELUSlope, 0.01}, {"GELUErfBackward", GELUErfBackward, refGELUErfSlope, 0.3}} {
		form.kernel(dsrc, dout, src)
		for i, x := range src {
			want, size := float64(dout[i])*form.reference(float64(x)), math.Abs(float64(dout[i]))
			within(t, fmt.Sprintf("%s at %g", form.name, x), dsrc[i], want, byPath(1.01*unit*math.Abs(want)+form.portable*unit*size, 1e-6*size))
		}
	}
}

func TestGELUBackwardSpecialCases(t *testing.T) { onEachPath(t, testGELUBackwardSpecialCases) }

func testGELUBackwardSpecialCases(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, tc := range []struct{ dout, src, want float32 }{
		{3, 0, 1.5}, {3, 100, 3}, {3, -100, 0}, {3, 14.5, 3}, {3, -14.5, 0}, {3, inf, 3}, {3, -inf, 0},
		{3, nan, nan}, {nan, 1, nan}, {nan, -100, nan}, {inf, 100, inf}, {inf, -100, nan}, {0, nan, nan},
	} {
		for _, kernel := range []func(dst, dout, src []float32){GELUBackward, GELUErfBackward} {
			dsrc := []float32{7}
			kernel(dsrc, []float32{tc.dout}, []float32{tc.src})
			if dsrc[0] != tc.want && !(dsrc[0] != dsrc[0] && tc.want != tc.want) {
				t.Errorf("gradient at %g of %g = %g, want %g", tc.src, tc.dout, dsrc[0], tc.want)
			}
		}
	}
}

// Working in place gives the same result as working out of place, whichever operand is overwritten.
func TestBackwardInPlace(t *testing.T) { onEachPath(t, testBackwardInPlace) }

func testBackwardInPlace(t *testing.T) {
	const rows, cols = 4, 9
	src, dout := normal(1, rows*cols, 2, 0), normal(2, rows*cols, 1, 0)
	apart, inOut, inSrc := filled(len(src), nan), append([]float32(nil), dout...), append([]float32(nil), src...)
	GELUBackward(apart, dout, src)
	GELUBackward(inOut, inOut, src)
	GELUBackward(inSrc, dout, inSrc)
	if !sameBits(apart, inOut) || !sameBits(apart, inSrc) {
		t.Errorf("GELUBackward in place = %v and %v, out of place %v", inOut, inSrc, apart)
	}
	targets, same := []int{8, 0, 3, 4}, append([]float32(nil), src...)
	loss := SoftmaxCrossEntropy(apart, src, targets, rows, cols, rows)
	if got := SoftmaxCrossEntropy(same, same, targets, rows, cols, rows); got != loss || !sameBits(apart, same) {
		t.Errorf("SoftmaxCrossEntropy in place = %v %v, out of place %v %v", got, same, loss, apart)
	}
}

// The bound covers one rounding at the end and the float32 sums of dgamma and dbeta.
func TestLayerNormBackwardErrorBound(t *testing.T) { onEachPath(t, testLayerNormBackwardErrorBound) }

func testLayerNormBackwardErrorBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(0, 6).Draw(t, "rows"), rapid.IntRange(1, 70).Draw(t, "cols")
		seed := rapid.Uint64().Draw(t, "seed")
		src := normal(seed, rows*cols, 2, rapid.Float64Range(-100, 100).Draw(t, "offset"))
		dout, gain := normal(seed+1, rows*cols, 1, 0), normal(seed+2, cols, 1, 1)
		dsrc, dgamma, dbeta := make([]float32, rows*cols), make([]float32, cols), make([]float32, cols)
		LayerNormBackward(dsrc, dgamma, dbeta, dout, src, gain, rows, cols, 1e-5)
		vector := (float64(cols)/8 + 24) * unit
		sums := make([]float64, 4*cols) // of dgamma, dbeta and their magnitudes
		for r := range rows {
			row, d := src[r*cols:][:cols], dout[r*cols:][:cols]
			normalized, _ := refLayerNormRow(row, filled(cols, 1), filled(cols, 0), 1e-5)
			scale := refScale(row, 1e-5)
			total, along, magnitude := 0.0, 0.0, 0.0
			for i, x := range normalized {
				g := float64(d[i]) * float64(gain[i])
				total += g / float64(cols)
				along += g * x / float64(cols)
				magnitude += math.Abs(g) * (1 + math.Abs(x))
				sums[i] += float64(d[i]) * x
				sums[cols+i] += float64(d[i])
				sums[2*cols+i] += math.Abs(float64(d[i]) * x)
				sums[3*cols+i] += math.Abs(float64(d[i]))
			}
			for i, x := range normalized {
				want := (float64(d[i])*float64(gain[i]) - total - x*along) * scale
				within(t, fmt.Sprintf("%dx%d dsrc %d,%d", rows, cols, r, i), dsrc[r*cols+i], want,
					byPath(1.01*unit*math.Abs(want)+1e-11*magnitude*scale,
						vector*(math.Abs(float64(d[i])*float64(gain[i]))+(1+math.Abs(x))*magnitude/float64(cols))*scale))
			}
		}
		for i := range cols {
			within(t, fmt.Sprintf("dgamma %d", i), dgamma[i], sums[i], gamma(rows)*sums[2*cols+i]+byPath(1e-11, vector*(sums[2*cols+i]+sums[3*cols+i])))
			within(t, fmt.Sprintf("dbeta %d", i), dbeta[i], sums[cols+i], gamma(rows)*sums[3*cols+i])
		}
	})
}

// refScale returns 1/sqrt(variance+eps) for a row.
func refScale(src []float32, eps float32) float64 {
	mean, variance := 0.0, 0.0
	for _, v := range src {
		mean += float64(v) / float64(len(src))
	}
	for _, v := range src {
		variance += (float64(v) - mean) * (float64(v) - mean) / float64(len(src))
	}
	return 1 / math.Sqrt(variance+float64(eps))
}

func TestSoftmaxCrossEntropyErrorBound(t *testing.T) {
	onEachPath(t, testSoftmaxCrossEntropyErrorBound)
}

func testSoftmaxCrossEntropyErrorBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(0, 4).Draw(t, "rows"), rapid.IntRange(1, 300).Draw(t, "cols")
		count := rapid.IntRange(1, 100).Draw(t, "count")
		scale := rapid.Float64Range(0, 60).Draw(t, "scale")
		seed := rapid.Uint64().Draw(t, "seed")
		logits, dlogits := normal(seed, rows*cols, scale, 0), filled(rows*cols, nan)
		targets := make([]int, rows)
		for r := range targets {
			targets[r] = rapid.IntRange(0, cols-1).Draw(t, "target")
		}
		got, want := SoftmaxCrossEntropy(dlogits, logits, targets, rows, cols, count), 0.0
		for r, target := range targets {
			row := logits[r*cols:][:cols]
			top, sum, others := float64(largest(row)), 0.0, 0.0
			for j, v := range row {
				e := math.Exp(float64(v) - top)
				sum += e
				if j != target {
					others += e
				}
			}
			want += (math.Log(sum) - (float64(row[target]) - top)) / float64(count)
			for j, v := range row {
				p := math.Exp(float64(v)-top) / sum
				if j == target {
					p = -others / sum // p-1 without the cancellation
				}
				within(t, fmt.Sprintf("row %d column %d", r, j), dlogits[r*cols+j], p/float64(count),
					byPath(2.01, 11+math.Log(float64(cols))+top-float64(v))*unit*math.Abs(p)/float64(count)+byPath(0.01, 4)*unit/float64(count)+0x1p-126)
			}
		}
		if math.Abs(got-want) > 1e-9*(1+want)+byPath(0, (8+math.Log(float64(cols)))*unit*float64(rows)/float64(count)) {
			t.Fatalf("loss %v, want %v", got, want)
		}
	})
}

func TestSoftmaxBackwardErrorBound(t *testing.T) { onEachPath(t, testSoftmaxBackwardErrorBound) }

func testSoftmaxBackwardErrorBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(0, 4).Draw(t, "rows"), rapid.IntRange(0, 300).Draw(t, "cols")
		seed := rapid.Uint64().Draw(t, "seed")
		weights, dout := normal(seed, rows*cols, 3, 0), normal(seed+1, rows*cols, 1, 0)
		Softmax(weights, weights, rows, cols)
		const scale = 0.125
		dst, inDout, inWeights := filled(len(dout), nan), append([]float32(nil), dout...), append([]float32(nil), weights...)
		SoftmaxBackward(dst, dout, weights, rows, cols, scale)
		SoftmaxBackward(inDout, inDout, weights, rows, cols, scale)
		SoftmaxBackward(inWeights, dout, inWeights, rows, cols, scale)
		if !sameBits(dst, inDout) || !sameBits(dst, inWeights) {
			t.Fatalf("in place %v and %v, out of place %v", inDout, inWeights, dst)
		}
		for r := range rows {
			mean, size := 0.0, 0.0
			for i := range cols {
				v := float64(weights[r*cols+i]) * float64(dout[r*cols+i])
				mean += v
				size += math.Abs(v)
			}
			for i := range cols {
				w, d := float64(weights[r*cols+i]), float64(dout[r*cols+i])
				within(t, fmt.Sprintf("row %d column %d", r, i), dst[r*cols+i], scale*w*(d-mean),
					byPath(1.01, 8)*unit*scale*w*(math.Abs(d)+size)+0x1p-140)
			}
		}
	})
}

// The vector paths give the same bits as the portable path.
func TestAdamWBits(t *testing.T) {
	const n = 77
	step := AdamWStep{Beta1: 0.9, Beta2: 0.999, Rate: 0.01, Correction: 500, Epsilon: 1e-8, Kept: 0.9995}
	var want [3][]float32
	onEachPath(t, func(t *testing.T) {
		weights, gradient, first, second := normal(1, n, 1, 0), normal(2, n, 1e-3, 0), normal(3, n, 1e-3, 0), filled(n, 1e-6)
		gradient[3], gradient[4], gradient[5], second[5] = nan, 0, 1e-30, 0
		AdamW(weights, gradient, first, second, step)
		for i, got := range [][]float32{weights, first, second} {
			if path == simd.Generic {
				want[i] = got
			}
			if !sameBits(got, want[i]) {
				t.Errorf("result %d: %v, want %v", i, got, want[i])
			}
		}
	})
}

// A batch computed in parts has the same loss and gradient as the whole batch computed at once.
func TestSoftmaxCrossEntropyInParts(t *testing.T) { onEachPath(t, testSoftmaxCrossEntropyInParts) }

func testSoftmaxCrossEntropyInParts(t *testing.T) {
	const rows, cols = 5, 11
	logits, targets := normal(1, rows*cols, 2, 0), []int{3, 1, 4, 10, 5}
	whole, parts := filled(rows*cols, nan), filled(rows*cols, nan)
	want := SoftmaxCrossEntropy(whole, logits, targets, rows, cols, rows)
	got := SoftmaxCrossEntropy(parts[:2*cols], logits[:2*cols], targets[:2], 2, cols, rows) +
		SoftmaxCrossEntropy(parts[2*cols:], logits[2*cols:], targets[2:], 3, cols, rows)
	if math.Abs(got-want) > 1e-14 || !sameBits(whole, parts) {
		t.Errorf("in parts %v, whole %v", got, want)
	}
}

func TestSoftmaxCrossEntropySpecialRows(t *testing.T) {
	onEachPath(t, testSoftmaxCrossEntropySpecialRows)
}

func testSoftmaxCrossEntropySpecialRows(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, tc := range []struct {
		row  []float32
		loss float64
		want []float32
	}{
		{[]float32{5}, 0, []float32{0}},
		{[]float32{0, 0}, math.Ln2, []float32{-0.5, 0.5}},
		{[]float32{-100, 0}, 100, []float32{-1, 1}},
		{[]float32{100, 0}, 0, []float32{0, 0}},
		{[]float32{0, negInf}, 0, []float32{0, 0}},
		{[]float32{negInf, 0}, math.Inf(1), []float32{-1, 1}},
		{[]float32{negInf, negInf}, math.NaN(), []float32{nan, nan}},
		{[]float32{0, inf}, math.NaN(), []float32{nan, nan}},
		{[]float32{0, nan, -200}, math.NaN(), []float32{nan, nan, nan}},
	} {
		got := filled(len(tc.row), 7)
		loss := SoftmaxCrossEntropy(got, tc.row, []int{0}, 1, len(tc.row), 1)
		if (loss != tc.loss && !(math.IsNaN(loss) && math.IsNaN(tc.loss))) || !equal(got, tc.want) {
			t.Errorf("row %v: loss %v and gradient %v, want %v and %v", tc.row, loss, got, tc.loss, tc.want)
		}
	}
}

// equal is like sameBits, but treats 0 and -0 as equal.
func equal(x, y []float32) bool {
	for i := range x {
		if x[i] != y[i] && (x[i] == x[i] || y[i] == y[i]) {
			return false
		}
	}
	return len(x) == len(y)
}

// The reference is the naive form in float64, computed from the weights given to the kernel.
func TestAttentionBackwardErrorBound(t *testing.T) { onEachPath(t, testAttentionBackwardErrorBound) }

func testAttentionBackwardErrorBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, dim := rapid.IntRange(0, 40).Draw(t, "n"), rapid.IntRange(1, 40).Draw(t, "dim")
		seed := rapid.Uint64().Draw(t, "seed")
		query, keys, values := normal(seed, dim, 1, 0), normal(seed+1, n*dim, 1, 0), normal(seed+2, n*dim, 1, 0)
		dout, weights := normal(seed+3, dim, 1, 0), normal(seed+4, n, 1, 0)
		Softmax(weights, weights, 1, n)
		dquery, dkeys, dvalues := make([]float32, dim), make([]float32, n*dim), make([]float32, n*dim)
		attendBackward(dquery, dkeys, dvalues, filled(n, nan), dout, weights, query, keys, values, n, dim)

		products, magnitude, mean, size := make([]float64, n), make([]float64, n), 0.0, 0.0
		for i := range n {
			for j := range dim {
				v := float64(dout[j]) * float64(values[i*dim+j])
				products[i] += v
				magnitude[i] += math.Abs(v)
			}
			mean += float64(weights[i]) * products[i]
			size += float64(weights[i]) * magnitude[i]
		}
		wantQuery, sizeQuery := make([]float64, dim), make([]float64, dim)
		for i := range n {
			w := float64(weights[i]) / math.Sqrt(float64(dim))
			score, bound := w*(products[i]-mean), w*(magnitude[i]+size)
			for j := range dim {
				wantQuery[j] += score * float64(keys[i*dim+j])
				sizeQuery[j] += bound * math.Abs(float64(keys[i*dim+j]))
				q, v := float64(query[j]), float64(weights[i])*float64(dout[j])
				within(t, "dkeys", dkeys[i*dim+j], score*q, gamma(dim+3)*bound*math.Abs(q)+0x1p-120)
				within(t, "dvalues", dvalues[i*dim+j], v, unit*math.Abs(v)+0x1p-140)
			}
		}
		for j := range dim {
			within(t, "dquery", dquery[j], wantQuery[j], gamma(dim+n+3)*sizeQuery[j]+0x1p-120)
		}
	})
}

func TestAttentionBackwardWithoutKeys(t *testing.T) { onEachPath(t, testAttentionBackwardWithoutKeys) }

func testAttentionBackwardWithoutKeys(t *testing.T) {
	dquery, dscores := []float32{1, 2}, []float32{7, 7}
	attendBackward(dquery, nil, nil, nil, []float32{1, 1}, nil, []float32{1, 1}, nil, nil, 0, 2)
	if !sameBits(dquery, []float32{1, 2}) {
		t.Errorf("no keys add %v to dquery", dquery)
	}
	attendBackward(nil, nil, nil, dscores, nil, []float32{1, 1}, nil, nil, nil, 2, 0)
	if !sameBits(dscores, []float32{0, 0}) {
		t.Errorf("without elements dscores are %v, want zeros", dscores)
	}
}
