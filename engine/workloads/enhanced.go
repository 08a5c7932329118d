package workloads

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/engine/kernels"
	"github.com/perftrack/perftrack/engine/tensor"
	"github.com/perftrack/perftrack/engine/transformer"
)

// elementFLOPs is the number of floating-point operations that each kernel declares per element,
// counting a transcendental function as one. GELU is 0.5*x*(1 + tanh(c*(x + 0.044715*x*x*x)));
// softmax takes a comparison, a difference, an exponential, a sum and a division.
var elementFLOPs = map[string]int64{"GELU": 9, "Softmax": 5, "TensorAdd": 1, "TensorMul": 1, "BroadcastAdd": 1}

// models are the models of the enhanced suite, smallest first.
var models = []struct {
	name   string
	config transformer.Config
}{{"Small", transformer.Small}, {"Medium", transformer.Medium}}

const floatBytes = 4

func enhanced() []Workload {
	workloads := slices.Concat(
		family("MatMul", matMul(64), matMul(128), matMul(256), matMul(512)),
		family("GELU", gelu(1000), gelu(10_000), gelu(100_000), gelu(1_000_000)),
		family("Softmax", softmax(256), softmax(512), softmax(1024), softmax(2048)),
		family("TensorAdd", tensorBinary("TensorAdd", tensor.AddInto, 10_000)),
		family("TensorMul", tensorBinary("TensorMul", tensor.MulInto, 10_000)),
		family("BroadcastAdd", broadcastAdd(100, 100)),
	)
	for _, m := range models {
		workloads = append(workloads, modelWorkloads(m.name, m.config)...)
	}
	return append(workloads, onTwoThreads()...)
}

// profiledKernels lists the kernels that a profile of the suite calls, and how many times it calls
// each one per size.
var profiledKernels = []struct {
	kernel string
	calls  int
}{{"MatMul", 3}, {"GELU", 5}, {"Softmax", 5}, {"TensorAdd", 10}, {"TensorMul", 10}, {"BroadcastAdd", 10}}

// runEnhanced calls every kernel a few times with every size and then generates text with both
// models.
func runEnhanced(r *profileRun) {
	for _, f := range profiledKernels {
		for _, w := range InSuite(Enhanced) {
			if kernel, _, _ := strings.Cut(w.Name, "_"); kernel == f.kernel && w.Threads == 0 && w.Name != kernel+"_Iteration" {
				r.kernel(w, kernel+"_Iteration", f.calls)
			}
		}
	}
	for _, m := range models {
		prefix := "Model_" + m.name + "_"
		g := newGeneration(r.stack, m.config, enhancedPrompt, enhancedTokens, generationScopes{
			creation: prefix + "Creation", inference: prefix + "Inference",
			token: prefix + "GenerateToken", forward: prefix + "Forward",
		})
		r.tokens = append(r.tokens, g.infer(r.stack, &Meter{}, 1)...)
	}
}

// family returns the workloads of one kernel followed by the kernel's _Iteration workload. In a
// profile, _Iteration names the scope around a single kernel call of any size. The benchmark always
// cycles through all sizes, so its values are means over the sizes and do not depend on the number
// of iterations.
func family(kernel string, sizes ...Workload) []Workload {
	mean := Workload{Name: kernel + "_Iteration", Calls: len(sizes)}
	for _, w := range sizes {
		mean.FLOPs += w.FLOPs
		mean.Bytes += w.Bytes
	}
	mean.FLOPs /= int64(len(sizes))
	mean.Bytes /= int64(len(sizes))
	mean.Setup = func(m *Meter) func() {
		var ops []func()
		for _, w := range sizes {
			ops = append(ops, w.Setup(m))
		}
		return func() {
			for _, op := range ops {
				op()
			}
		}
	}
	return append(slices.Clone(sizes), mean)
}

func matMul(n int) Workload {
	return Workload{
		Name:  fmt.Sprintf("MatMul_%dx%d", n, n),
		FLOPs: 2 * int64(n) * int64(n) * int64(n),
		Bytes: 3 * floatBytes * int64(n) * int64(n),
		Calls: 1,
		Setup: func(*Meter) func() {
			dst, a, b := make([]float32, n*n), uniform(1, n*n, 1), uniform(2, n*n, 1)
			return func() { kernels.MatMul(dst, a, b, n, n, n) }
		},
	}
}

func gelu(n int) Workload {
	return Workload{
		Name:  fmt.Sprintf("GELU_%d", n),
		FLOPs: elementFLOPs["GELU"] * int64(n),
		Bytes: 2 * floatBytes * int64(n),
		Calls: 1,
		Setup: func(*Meter) func() {
			dst, src := make([]float32, n), uniform(1, n, 4)
			return func() { kernels.GELU(dst, src) }
		},
	}
}

// softmax returns the workload for one row of n elements.
func softmax(n int) Workload {
	return Workload{
		Name:  fmt.Sprintf("Softmax_%d", n),
		FLOPs: elementFLOPs["Softmax"] * int64(n),
		Bytes: 2 * floatBytes * int64(n),
		Calls: 1,
		Setup: func(*Meter) func() {
			dst, src := make([]float32, n), uniform(1, n, 4)
			return func() { kernels.Softmax(dst, src, 1, n) }
		},
	}
}

func tensorBinary(name string, into func(dst, a, b *tensor.Tensor), n int) Workload {
	return Workload{
		Name:  fmt.Sprintf("%s_%d", name, n),
		FLOPs: elementFLOPs[name] * int64(n),
		Bytes: 3 * floatBytes * int64(n),
		Calls: 1,
		Setup: func(*Meter) func() {
			dst, a, b := tensor.New(n), tensor.FromSlice(uniform(1, n, 1), n), tensor.FromSlice(uniform(2, n, 1), n)
			return func() { into(dst, a, b) }
		},
	}
}

func broadcastAdd(rows, cols int) Workload {
	return Workload{
		Name:  fmt.Sprintf("BroadcastAdd_%dx%d", rows, cols),
		FLOPs: elementFLOPs["BroadcastAdd"] * int64(rows) * int64(cols),
		Bytes: floatBytes * (2*int64(rows)*int64(cols) + int64(cols)),
		Calls: 1,
		Setup: func(*Meter) func() {
			dst, a := tensor.New(rows, cols), tensor.FromSlice(uniform(1, rows*cols, 1), rows, cols)
			row := tensor.FromSlice(uniform(2, cols, 1), cols)
			return func() { tensor.AddRowInto(dst, a, row) }
		},
	}
}

// uniform returns n elements in [-limit, limit); the same seed gives the same elements. They are
// multiples of limit*2^-23, so neither they nor the product of two of them is ever denormal. On
// most processors, operations on denormal numbers take many times as long. Every workload writes
// its results to separate memory, so all iterations see the same numbers.
func uniform(seed uint64, n int, limit float32) []float32 {
	rng := rand.New(rand.NewPCG(seed, 0))
	s := make([]float32, n)
	for i := range s {
		s[i] = limit * (2*rng.Float32() - 1)
	}
	return s
}
