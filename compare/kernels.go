package compare

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// A Kernel is a method whose name tells how much arithmetic it does.
type Kernel struct {
	*Method
	FLOPs  float64 // of one call, 0 where the benchmark reported the rate itself and the name tells nothing
	GFLOPS Pair    // as reported, else FLOPs over the time of a call
}

// elementFLOPs are the floating point operations for one element that the
// engine's workloads declare for the kernels of these names, see [FLOPs].
var elementFLOPs = map[string]float64{"GELU": 9, "Softmax": 5, "TensorAdd": 1, "TensorMul": 1, "BroadcastAdd": 1}

// FLOPs returns the floating point operations of one call of a kernel by its
// name, as the engine's workloads declare them: 2*n*n*n of MatMul_NxN, which
// multiplies square matrices; of the others a fixed number for one element (GELU
// 9, Softmax 5, TensorAdd, TensorMul and BroadcastAdd 1).
func FLOPs(name string) (flops float64, ok bool) {
	kernel, size, _ := strings.Cut(leaf(name), "_")
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

// A Repeat says that the scopes of a kernel ran it several times a call: a rate
// that counts one operation a call is too low by as much.
type Repeat struct {
	Kernel string  // one of those that FLOPs knows
	Times  float64 // on average
}

func (p *Profiles) addKernels(units map[string]map[string]*Row) {
	var families []string
	for _, m := range p.Methods {
		if !isKernel(m.Name) {
			continue // it reports a rate, too, but that of many kernels and what lies between them
		}
		k := Kernel{Method: m, GFLOPS: centers(units["GFLOPS"][m.Name])}
		if flops, ok := FLOPs(m.Name); ok {
			k.FLOPs = flops * p.runs(m)
			// Of all calls, so that the digits of a printed total are used.
			perCall := m.Time
			if m.Kind == record.Scope {
				perCall = perCall.over(Pair{m.Calls[base], m.Calls[head]})
			}
			k.GFLOPS = either(k.GFLOPS, Pair{k.FLOPs / 1e9, k.FLOPs / 1e9}.over(perCall))
		}
		if k.GFLOPS.Base != k.GFLOPS.Base && k.GFLOPS.Head != k.GFLOPS.Head {
			continue
		}
		p.Kernels = append(p.Kernels, k)
		if f := k.family(); !slices.Contains(families, f) {
			families = append(families, f)
			p.addRepeat(f)
		}
	}
	slices.SortStableFunc(p.Kernels, func(a, b Kernel) int {
		return cmp.Or(
			cmp.Compare(slices.Index(families, a.family()), slices.Index(families, b.family())),
			cmp.Compare(a.size(), b.size()))
	})
}

// runs is how often one call of a kernel's scope runs the kernel, where its call
// path shows it: the calls of MatMul_64x64/MatMul_Iteration to one of
// MatMul_64x64. Else it is taken for one.
func (p *Profiles) runs(m *Method) float64 {
	kernel, _, _ := strings.Cut(leaf(m.Name), "_")
	for _, inner := range p.Methods {
		if inner.Name != m.Name+"/"+kernel+iteration || inner.Kind != record.Scope {
			continue
		}
		if n := inner.Calls[head] / m.Calls[head]; n >= 1 && !math.IsInf(n, 0) {
			return n
		}
		if n := inner.Calls[base] / m.Calls[base]; n >= 1 && !math.IsInf(n, 0) {
			return n
		}
	}
	return 1
}

// family is what the sizes of a kernel share: MatMul.
func (k Kernel) family() string { return family(k.Name) }

func family(name string) string {
	family, _, _ := strings.Cut(leaf(name), "_")
	return family
}

// isKernel reports whether a method is one of the engine's kernels, by its name.
func isKernel(name string) bool {
	f := family(name)
	return f == "MatMul" || f == "MatMulBackward" || elementFLOPs[f] > 0
}

// size puts what has no size of its own behind the sizes.
func (k Kernel) size() float64 {
	if k.FLOPs == 0 {
		return math.Inf(1)
	}
	return k.FLOPs
}

func (p *Profiles) addRepeat(kernel string) {
	inner := p.find(kernel + iteration)
	if inner == nil || inner.Name != kernel+iteration || inner.Kind != record.Scope || len(inner.Within) == 0 || !isKernel(kernel) {
		return
	}
	calls := 0.0
	for _, around := range inner.Within {
		calls += max(around.Calls[base], around.Calls[head])
	}
	if each := max(inner.Calls[base], inner.Calls[head]) / calls; each > 1 && !math.IsInf(each, 0) {
		p.Repeats = append(p.Repeats, Repeat{kernel, each})
	}
}
