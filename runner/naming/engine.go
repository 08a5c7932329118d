package naming

import (
	"slices"
	"strconv"
	"strings"
)

// elementFLOPs are the floating point operations for one element that the
// engine's workloads declare for the kernels of these names, see [FLOPs].
var elementFLOPs = map[string]float64{"GELU": 9, "Softmax": 5, "TensorAdd": 1, "TensorMul": 1, "BroadcastAdd": 1}

// FLOPs returns the floating point operations of one call of a kernel by its
// name, as the engine's workloads declare them: 2*n*n*n of MatMul_NxN, which
// multiplies square matrices; of the others a fixed number for one element (GELU
// 9, Softmax 5, TensorAdd, TensorMul and BroadcastAdd 1).
func FLOPs(name string) (flops float64, ok bool) {
	kernel, size, _ := strings.Cut(Leaf(name), "_")
	rows, columns, matrix := strings.Cut(size, "x")
	m, err := strconv.ParseUint(rows, 10, 32)
	if err != nil || m == 0 {
		return 0, false
	}
	n := uint64(1)
	if matrix {
		if n, err = strconv.ParseUint(columns, 10, 32); err != nil || n == 0 {
			return 0, false
		}
	}
	if kernel == "MatMul" {
		return 2 * float64(m) * float64(m) * float64(m), matrix && m == n
	}
	each, ok := elementFLOPs[kernel]
	return each * float64(m) * float64(n), ok
}

func Family(name string) string {
	family, _, _ := strings.Cut(Leaf(name), "_")
	return family
}

// IsKernel reports whether a method is one of the engine's kernels, by its name.
func IsKernel(name string) bool {
	f := Family(name)
	return f == "MatMul" || f == "MatMulBackward" || elementFLOPs[f] > 0
}

// models are the engine's, the smallest first. The counts belong to the names,
// which are history: another size would be another name.
var Models = []Model{{"Small", 470_528}, {"Medium", 3_454_464}}

// An Model is one of the engine's.
type Model struct {
	Name       string
	Parameters int
}

// Parameters returns the number of parameters of one of the engine's
// models, 0 of any other.
func Parameters(name string) int {
	for _, m := range Models {
		if m.Name == name {
			return m.Parameters
		}
	}
	return 0
}

// engineSuites are those of the built-in engine.
var engineSuites = []string{"enhanced", "standard", "deep", "memory", "training"}

// EngineSuite reports whether a suite is one of the built-in engine's.
func EngineSuite(name string) bool { return slices.Contains(engineSuites, name) }
