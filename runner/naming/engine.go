package naming

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// engineSuites lists the suites of the built-in engine.
var engineSuites = []string{"enhanced", "standard", "deep", "memory", "training"}

// EngineSuites returns the suites of the built-in engine.
func EngineSuites() []string { return slices.Clone(engineSuites) }

// EngineSuite reports whether a suite belongs to the built-in engine.
func EngineSuite(name string) bool { return slices.Contains(engineSuites, name) }

// An Engine describes the meaning of the names of the engine's models and kernels. A run contains
// this description; reports and old runs without it get the description of the engine at the time.
type Engine struct {
	Models  []Model  // smallest first
	Kernels []Kernel // elementwise kernels
}

// A Kernel is a kernel with a fixed number of floating-point operations per element.
type Kernel struct {
	Name  string // such as GELU
	FLOPs float64
}

// A Model is a model with rows named Model_<Name>_Inference and so on.
type Model struct {
	Name       string // such as Small
	Parameters int
}

// unprinted describes the engine for reports and for old runs without a description of their own.
// Entries are never changed or removed, because a model of another size must have another name.
var unprinted = Engine{
	Models:  []Model{{"Small", 470_528}, {"Medium", 3_454_464}},
	Kernels: []Kernel{{"BroadcastAdd", 1}, {"GELU", 9}, {"Softmax", 5}, {"TensorAdd", 1}, {"TensorMul", 1}},
}

// EngineOf returns the engine described by the facts of the runs. If the runs differ, the last one
// wins.
func EngineOf(runs ...*record.Run) Engine {
	e := unprinted
	for _, run := range runs {
		var models []Model
		for _, m := range assignments(run.Facts.Get(record.KeyParameters)) {
			models = append(models, Model{m.name, int(m.value)})
		}
		var kernels []Kernel
		for _, k := range assignments(run.Facts.Get(record.KeyFLOPs)) {
			kernels = append(kernels, Kernel{k.name, k.value})
		}
		if len(models) > 0 {
			e.Models = models
		}
		if len(kernels) > 0 {
			e.Kernels = kernels
		}
	}
	return e
}

var plainName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,39}$`)

// An assignment is a pair of the form name=number.
type assignment struct {
	name  string
	value float64
}

// assignments parses pairs of the form name=number. It returns nil if the text contains anything
// else, because other programs may also print these keys.
func assignments(text string) (list []assignment) {
	for field := range strings.FieldsSeq(text) {
		name, number, _ := strings.Cut(field, "=")
		n, err := strconv.ParseUint(number, 10, 48)
		if err != nil || n == 0 || !plainName.MatchString(name) {
			return nil
		}
		list = append(list, assignment{name, float64(n)})
	}
	return list
}

// ExamplesOf returns the number of examples in one call of each training scope, as printed by the
// program, keyed by the scope's name.
func ExamplesOf(run *record.Run) map[string]float64 {
	examples := map[string]float64{}
	for _, e := range assignments(run.Facts.Get(record.KeyExamples)) {
		examples[e.name] = e.value
	}
	return examples
}

// FLOPs returns the number of floating-point operations in one call of the kernel with this name.
// For MatMul_NxN, a product of square matrices, it is 2 n n n; for others, such as GELU_1000, it is
// the engine's number per element times the number of elements. ok is false if the number is
// unknown.
func (e Engine) FLOPs(name string) (flops float64, ok bool) {
	kernel, size, _ := strings.Cut(onThreads.ReplaceAllString(Leaf(name), ""), "_")
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
	each := e.perElement(kernel)
	return each * float64(m) * float64(n), each > 0
}

var onThreads = regexp.MustCompile(`_([1-9][0-9]?)T$`)

// Threads returns the number of threads in a workload's name: 2 for MatMul_512x512_2T, and 1 for a
// name without such a suffix.
func Threads(name string) int {
	n := 1
	if match := onThreads.FindStringSubmatch(name); match != nil {
		n, _ = strconv.Atoi(match[1])
	}
	return n
}

// IsKernel reports whether name is the name of a kernel in the engine.
func (e Engine) IsKernel(name string) bool {
	f := Family(name)
	return f == "MatMul" || f == "MatMulBackward" || e.perElement(f) > 0
}

// perElement returns the number of operations per element for a kernel, or 0 if it is unknown.
func (e Engine) perElement(kernel string) float64 {
	for _, k := range e.Kernels {
		if k.Name == kernel {
			return k.FLOPs
		}
	}
	return 0
}

// Family returns a kernel's name without its size, such as MatMul.
func Family(name string) string {
	family, _, _ := strings.Cut(Leaf(name), "_")
	return family
}

// A Shape holds the dimensions of a model.
type Shape struct{ Vocabulary, Context, Width, Layers, Heads int }

// ShapeOf returns the shape of a model in the engine. The model must have the name and number of
// parameters of a known model.
func ShapeOf(m Model) (Shape, bool) {
	switch m {
	case Model{"Small", 470_528}:
		return Shape{256, 64, 128, 2, 4}, true
	case Model{"Medium", 3_454_464}:
		return Shape{512, 128, 256, 4, 8}, true
	}
	return Shape{}, false
}
