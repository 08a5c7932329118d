package kernels

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"
)

// The fuzz tests below interpret arbitrary bytes as numbers and compare each path with a float64
// reference. Without -fuzz they run only the inputs given to f.Add.

func floats(data []byte) (s []float32) {
	for ; len(data) >= 4; data = data[4:] {
		s = append(s, math.Float32frombits(binary.LittleEndian.Uint32(data)))
	}
	return s
}

func bytesOf(s ...float32) (data []byte) {
	for _, v := range s {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	return data
}

// extremes returns extreme values of an element, encoded as bytes.
func extremes() []byte {
	inf := float32(math.Inf(1))
	return bytesOf(0, negZero, 1, -1, inf, -inf, nan, math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32,
		-1e-40, 1e-40, 14.5, -14.5, -10.2, -10.5, 5.4, 5.6, 0.1, -0.75, 87.3, -87.4, 1e5)
}

// same reports whether got equals want or both are NaN. Use it for infinite and NaN operands,
// because their results are exact.
func same(got float32, want float64) bool {
	return float64(got) == want || got != got && want != want
}

func FuzzGELU(f *testing.F) {
	f.Add(extremes())
	f.Fuzz(func(t *testing.T, data []byte) {
		src := floats(data)
		onEachPath(t, func(t *testing.T) {
			dst := make([]float32, len(src))
			for _, form := range geluForms {
				form.kernel(dst, src)
				for i, v := range src {
					if x := float64(v); x != x || math.IsInf(x, 0) {
						if want := map[bool]float64{true: 0, false: x}[x < 0]; !same(dst[i], want) {
							t.Fatalf("%s(%v) = %v, want %v", form.name, v, dst[i], want)
						}
						continue
					}
					want := form.reference(float64(v))
					within(t, fmt.Sprintf("%s(%v)", form.name, v), dst[i], want, form.bound(float64(v), want))
				}
			}
		})
	})
}

func FuzzAddMul(f *testing.F) {
	f.Add(extremes(), extremes()[4:])
	f.Fuzz(func(t *testing.T, x, y []byte) {
		a, b := floats(x), floats(y)
		n := min(len(a), len(b))
		a, b = a[:n], b[:n]
		onEachPath(t, func(t *testing.T) {
			sums, products, rows := make([]float32, n), make([]float32, n), make([]float32, n)
			Add(sums, a, b)
			Mul(products, a, b)
			AddRow(rows, a, b, min(n, 1), n)
			for i := range a {
				if !sameBits(sums[i:i+1], []float32{a[i] + b[i]}) || !sameBits(products[i:i+1], []float32{a[i] * b[i]}) || !sameBits(rows[i:i+1], sums[i:i+1]) {
					t.Fatalf("%v and %v: sum %v and %v, product %v", a[i], b[i], sums[i], rows[i], products[i])
				}
			}
		})
	})
}

func FuzzSoftmax(f *testing.F) {
	f.Add(extremes())
	f.Add(bytesOf(1, 2, 3, negInf, -80, -87.2))
	f.Fuzz(func(t *testing.T, data []byte) {
		src := floats(data)
		if len(src) == 0 {
			return
		}
		top := float64(largest(src))
		onEachPath(t, func(t *testing.T) {
			dst := make([]float32, len(src))
			Softmax(dst, src, 1, len(src))
			unknown := top > math.MaxFloat32
			for _, v := range src {
				unknown = unknown || v != v
			}
			reference := refSoftmaxRow(src)
			for i, v := range src {
				switch {
				case unknown:
					if dst[i] == dst[i] {
						t.Fatalf("element %d of %v is %v, want NaN", i, src, dst[i])
					}
				case top < -math.MaxFloat32:
					if dst[i] != 0 {
						t.Fatalf("element %d of %v is %v, want 0", i, src, dst[i])
					}
				default:
					bound := byPath(3.01, 10+math.Log(float64(len(src)))+min(top-float64(v), 90))
					within(t, fmt.Sprintf("element %d of %v", i, src), dst[i], reference[i], bound*unit*reference[i]+0x1p-126)
				}
			}
		})
	})
}

func FuzzLayerNorm(f *testing.F) {
	f.Add(bytesOf(1, 2, 3, -1e5, 0.1), float32(1e-5))
	f.Add(extremes(), float32(0))
	f.Add(bytesOf(3, 3, 3, 3), float32(1e-5))
	f.Fuzz(func(t *testing.T, data []byte, eps float32) {
		src := floats(data)
		if !(eps >= 0 && eps <= 1) || len(src) == 0 {
			return
		}
		gamma, beta := filled(len(src), 2), filled(len(src), 1)
		mean, finite := 0.0, true
		for _, v := range src {
			mean += float64(v) / float64(len(src))
			finite = finite && !math.IsInf(float64(v), 0) && v == v
		}
		want, magnitude := refLayerNormRow(src, gamma, beta, eps)
		deviation := 1 / refScale(src, 0)
		onEachPath(t, func(t *testing.T) {
			dst := make([]float32, len(src))
			LayerNorm(dst, src, gamma, beta, 1, len(src), eps)
			for i := range src {
				switch {
				case !finite:
					if dst[i] == dst[i] {
						t.Fatalf("element %d of %v is %v, want NaN", i, src, dst[i])
					}
				case math.Abs(mean) <= 1000*deviation: // the bound covers only these rows
					vector := 16 + float64(len(src))/16
					within(t, fmt.Sprintf("element %d of %v", i, src), dst[i], want[i], byPath(1.01, vector)*unit*magnitude[i]+byPath(0.002, 2*vector)*unit)
				}
			}
		})
	})
}
