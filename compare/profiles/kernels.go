package profiles

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// A Kernel is the method of an engine kernel, with its rate.
type Kernel struct {
	*Method
	FLOPs  float64   // floating-point operations per call; 0 if unknown: the benchmark reported the rate itself
	GFLOPS tree.Pair // as reported by the benchmark, or else FLOPs divided by the time of a call
}

// A Repeat records that one call to a kernel's scope ran the kernel several times. A rate that
// assumes one run per call is too low by the factor Times.
type Repeat struct {
	Kernel string  // such as MatMul
	Times  float64 // average number of runs per call
}

// addKernels adds the kernels among the methods, sorted by family and size.
func (p *Diff) addKernels(units map[string]map[string]*compare.Row) {
	var families []string
	for _, m := range p.Methods {
		if !p.Engine.IsKernel(m.Name) {
			continue // its rate covers many kernels and the code between them
		}
		k := Kernel{Method: m, GFLOPS: centers(units["GFLOPS"][m.Name])}
		if flops, ok := p.Engine.FLOPs(m.Name); ok {
			k.FLOPs = flops * p.runs(m)
			// Use the time of all calls: it has more digits in a report.
			perCall := m.Time
			if m.Kind == record.Scope {
				perCall = perCall.Over(tree.Pair{Base: m.Calls[base], Head: m.Calls[head]})
			}
			k.GFLOPS = either(k.GFLOPS, tree.Pair{Base: k.FLOPs / 1e9, Head: k.FLOPs / 1e9}.Over(perCall))
		}
		if math.IsNaN(k.GFLOPS.Base) && math.IsNaN(k.GFLOPS.Head) {
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

// runs returns how often one call to a kernel's scope runs the kernel, if call paths show it: the
// number of calls to MatMul_64x64/MatMul_Iteration for each call to MatMul_64x64. Otherwise it
// returns 1.
func (p *Diff) runs(m *Method) float64 {
	kernel, _, _ := strings.Cut(naming.Leaf(m.Name), "_")
	for _, inner := range p.Methods {
		if inner.Name != m.Name+"/"+kernel+naming.Iteration || inner.Kind != record.Scope {
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

// family returns the name shared by all sizes of a kernel, such as MatMul.
func (k Kernel) family() string { return naming.Family(k.Name) }

// size returns a value for sorting a kernel's rows by size. Rows without a size come last.
func (k Kernel) size() float64 {
	if k.FLOPs == 0 {
		return math.Inf(1)
	}
	return k.FLOPs
}

// addRepeat records how often one call to a kernel's scope runs the kernel, on average over all
// sizes, if this is more than once.
func (p *Diff) addRepeat(kernel string) {
	inner := p.find(kernel + naming.Iteration)
	if inner == nil || inner.Name != kernel+naming.Iteration || inner.Kind != record.Scope || len(inner.Within) == 0 || !p.Engine.IsKernel(kernel) {
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
