package naming

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// engineSuites are the suites of the built-in engine.
var engineSuites = []string{"enhanced", "standard", "deep", "memory", "training"}

// EngineSuites returns the suites of the built-in engine.
func EngineSuites() []string { return slices.Clone(engineSuites) }

// EngineSuite reports whether a suite is one of the built-in engine's.
func EngineSuite(name string) bool { return slices.Contains(engineSuites, name) }

// An Engine is what the names of the engine's models and kernels mean: as the engine
// printed it with a run or, in reports and old runs without these lines, as it was then.
type Engine struct {
	Models  []Model  // the smallest first
	Kernels []Kernel // that work element by element
}

// A Kernel is a kernel that does as many floating point operations for each element.
type Kernel struct {
	Name  string // GELU
	FLOPs float64
}

// A Model is a model whose rows are named Model_<Name>_Inference and so on.
type Model struct {
	Name       string // Small
	Parameters int
}

// unprinted is the engine of reports, and of runs from before the engine printed what its
// names mean. Entries are only ever added: another size would have another name.
var unprinted = Engine{
	Models:  []Model{{"Small", 470_528}, {"Medium", 3_454_464}},
	Kernels: []Kernel{{"BroadcastAdd", 1}, {"GELU", 9}, {"Softmax", 5}, {"TensorAdd", 1}, {"TensorMul", 1}},
}

// EngineOf returns the engine that runs measured, by their facts. If they differ, the
// last one counts.
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

// An assignment is a name=number pair.
type assignment struct {
	name  string
	value float64
}

// assignments reads name=number pairs. It returns none if the text has anything else, as
// a program other than the engine may print these keys, too.
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

// ExamplesOf returns how many examples a call of each scope of training learns from, as the
// program printed it, by the scopes' names.
func ExamplesOf(run *record.Run) map[string]float64 {
	examples := map[string]float64{}
	for _, e := range assignments(run.Facts.Get(record.KeyExamples)) {
		examples[e.name] = e.value
	}
	return examples
}

// FLOPs returns the floating point operations of one call of a kernel by its name: 2 n n n
// for MatMul_NxN, which multiplies square matrices; for others, such as GELU_1000, as many
// for each element as the engine declares. ok is false if the name does not tell.
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

// Threads is how many threads a workload of that name works on: two of MatMul_512x512_2T,
// and one of all whose name does not say so.
func Threads(name string) int {
	n := 1
	if match := onThreads.FindStringSubmatch(name); match != nil {
		n, _ = strconv.Atoi(match[1])
	}
	return n
}

// IsKernel reports whether a name is that of one of the engine's kernels.
func (e Engine) IsKernel(name string) bool {
	f := Family(name)
	return f == "MatMul" || f == "MatMulBackward" || e.perElement(f) > 0
}

// perElement is the operations of a kernel for one element, 0 if the engine does not say.
func (e Engine) perElement(kernel string) float64 {
	for _, k := range e.Kernels {
		if k.Name == kernel {
			return k.FLOPs
		}
	}
	return 0
}

// Family is the part of a kernel's name that all its sizes share: MatMul.
func Family(name string) string {
	family, _, _ := strings.Cut(Leaf(name), "_")
	return family
}

// A Shape is what a model is built of.
type Shape struct{ Vocabulary, Context, Width, Layers, Heads int }

// ShapeOf returns the shape of a model, which is known for those of the engine: of the same name and the
// same number of parameters.
func ShapeOf(m Model) (Shape, bool) {
	switch m {
	case Model{"Small", 470_528}:
		return Shape{256, 64, 128, 2, 4}, true
	case Model{"Medium", 3_454_464}:
		return Shape{512, 128, 256, 4, 8}, true
	}
	return Shape{}, false
}
