package workloads

import (
	"runtime"

	"github.com/perftrack/perftrack/engine/kernels"
	"github.com/perftrack/perftrack/engine/tensor"
)

// memory returns the workloads of the suite. Apart from the first, they are pairs that compute the
// same result, one with and one without allocations. The second of each pair reports the share of
// the first one's bytes that it saves.
func memory() []Workload {
	const rows, cols = 128, 256
	return []Workload{
		matMulBackward(128, 256, 128),
		matMulBackwardInto("MatMulBackward_Allocating", "", 128, 256, 128, func(gradient []float32) []float32 { return make([]float32, len(gradient)) }),
		matMulBackwardInto("MatMulBackward_InPlace", "MatMulBackward_Allocating", 128, 256, 128, cleared),
		{Name: "Tensors_Fresh", Calls: 1, Setup: func(*Meter) func() {
			return layerWith(func(rows, cols int) *tensor.Tensor { return tensor.New(rows, cols) }, func(*tensor.Tensor) {})
		}},
		{Name: "Tensors_Pooled", Calls: 1, Wasteful: "Tensors_Fresh", Setup: func(*Meter) func() {
			var pool tensor.Pool
			return layerWith(func(rows, cols int) *tensor.Tensor { return pool.Get(rows, cols) }, pool.Put)
		}},
		{Name: "TensorAdd_Allocating", FLOPs: rows * cols, Calls: 1, Setup: func(*Meter) func() {
			a, b := signs(1, rows, cols), signs(2, rows, cols)
			return func() { runtime.KeepAlive(tensor.Add(a, b)) }
		}},
		{Name: "TensorAdd_InPlace", FLOPs: rows * cols, Calls: 2, Wasteful: "TensorAdd_Allocating", Setup: func(*Meter) func() {
			// Adding and subtracting alternately keeps the numbers from growing.
			a, there, back := signs(1, rows, cols), signs(2, rows, cols), signs(2, rows, cols)
			for i := range back.Data() {
				back.Data()[i] = -back.Data()[i]
			}
			return func() {
				tensor.AddInto(a, a, there)
				tensor.AddInto(a, a, back)
			}
		}},
		{Name: "TensorMul_Allocating", FLOPs: rows * cols, Calls: 1, Setup: func(*Meter) func() {
			a, b := signs(1, rows, cols), signs(2, rows, cols)
			return func() { runtime.KeepAlive(tensor.Mul(a, b)) }
		}},
		{Name: "TensorMul_InPlace", FLOPs: rows * cols, Calls: 1, Wasteful: "TensorMul_Allocating", Setup: func(*Meter) func() {
			a, b := signs(1, rows, cols), signs(2, rows, cols)
			return func() { tensor.MulInto(a, a, b) }
		}},
		{Name: "LayerNorm_Steps_32x512", Calls: 1, Setup: func(*Meter) func() {
			return layerNormSteps(32, 512)
		}},
		{Name: "LayerNorm_Fused_32x512", Calls: 1, Wasteful: "LayerNorm_Steps_32x512", Setup: func(*Meter) func() {
			dst, src := tensor.New(32, 512), tensor.FromSlice(uniform(1, 32*512, 1), 32, 512)
			gain, bias := tensor.FromSlice(uniform(2, 512, 1), 512), tensor.FromSlice(uniform(3, 512, 1), 512)
			return func() { tensor.LayerNormInto(dst, src, gain, bias, 1e-5) }
		}},
	}
}

// runMemory runs each of the suite's workloads 20 times.
func runMemory(r *profileRun) {
	for _, w := range memory() {
		op := r.setup(w)
		for range 20 {
			r.call(op, w.Name)
		}
	}
}

// signs returns a tensor with elements +1 and -1, whose products are again +1 and -1.
func signs(seed uint64, rows, cols int) *tensor.Tensor {
	t := tensor.FromSlice(uniform(seed, rows*cols, 1), rows, cols)
	for i, v := range t.Data() {
		t.Data()[i] = 1
		if v < 0 {
			t.Data()[i] = -1
		}
	}
	return t
}

func matMulBackward(m, k, n int) Workload {
	return matMulBackwardInto("MatMulBackward_128x256x128", "", m, k, n, cleared)
}

func cleared(gradient []float32) []float32 {
	clear(gradient)
	return gradient
}

// matMulBackwardInto returns the workload for the backward pass of a matrix product. zeroed either
// clears the gradients or allocates new ones.
func matMulBackwardInto(name, wasteful string, m, k, n int, zeroed func(gradient []float32) []float32) Workload {
	size := int64(m) * int64(k) * int64(n)
	return Workload{
		Name: name, Wasteful: wasteful,
		FLOPs: 4 * size,
		Bytes: floatBytes * int64(2*m*k+2*k*n+m*n),
		Calls: 1,
		Setup: func(*Meter) func() {
			a, b, dout := uniform(1, m*k, 1), uniform(2, k*n, 1), uniform(3, m*n, 1)
			da, db := make([]float32, m*k), make([]float32, k*n)
			return func() {
				da, db = zeroed(da), zeroed(db)
				kernels.MatMulBackward(da, db, dout, a, b, m, k, n)
			}
		},
	}
}

// layerWith returns a function that computes a feed-forward layer on a 32 x 128 input. It takes its
// intermediate results from get and releases them with put.
func layerWith(get func(rows, cols int) *tensor.Tensor, put func(*tensor.Tensor)) func() {
	const rows, in, hidden = 32, 128, 256
	x := tensor.FromSlice(uniform(1, rows*in, 1), rows, in)
	up := tensor.FromSlice(uniform(2, in*hidden, 1), in, hidden)
	down := tensor.FromSlice(uniform(3, hidden*in, 1), hidden, in)
	return func() {
		wide, active, out := get(rows, hidden), get(rows, hidden), get(rows, in)
		tensor.MatMulInto(wide, x, up)
		tensor.GELUInto(active, wide)
		tensor.MatMulInto(out, active, down)
		put(wide)
		put(active)
		put(out)
	}
}

// layerNormSteps returns a function that computes a layer norm step by step, with a new tensor for
// each step. The fused kernel takes a single step.
func layerNormSteps(rows, cols int) func() {
	src := tensor.FromSlice(uniform(1, rows*cols, 1), rows, cols)
	gain, bias := tensor.FromSlice(uniform(2, cols, 1), cols), tensor.FromSlice(uniform(3, cols, 1), cols)
	ones, zeros := tensor.New(cols), tensor.New(cols)
	for i := range ones.Data() {
		ones.Data()[i] = 1
	}
	return func() {
		normalized := tensor.LayerNorm(src, ones, zeros, 1e-5)
		scaled := tensor.New(rows, cols)
		for r := range rows {
			kernels.Mul(scaled.Data()[r*cols:][:cols], normalized.Data()[r*cols:][:cols], gain.Data())
		}
		runtime.KeepAlive(tensor.AddRow(scaled, bias))
	}
}
