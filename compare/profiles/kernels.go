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

// A Kernel is a method that is one of the engine's kernels, with its rate.
type Kernel struct {
	*Method
	FLOPs  float64   // of one call; 0 if the name does not tell, and the benchmark reported the rate itself
	GFLOPS tree.Pair // as reported, else FLOPs over the time of a call
}

// A Repeat says that a call of a kernel's scopes ran the kernel several times. A rate that
// counts one operation a call is too low by this factor.
type Repeat struct {
	Kernel string  // MatMul
	Times  float64 // on average
}

// addKernels adds the kernels among the methods, by family and size.
func (p *Diff) addKernels(units map[string]map[string]*compare.Row) {
	var families []string
	for _, m := range p.Methods {
		if !p.Engine.IsKernel(m.Name) {
			continue // a rate that it reports is that of many kernels and what lies between them
		}
		k := Kernel{Method: m, GFLOPS: centers(units["GFLOPS"][m.Name])}
		if flops, ok := p.Engine.FLOPs(m.Name); ok {
			k.FLOPs = flops * p.runs(m)
			// From the time of all calls, which has more digits in a report.
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

// runs is how often one call of a kernel's scope runs the kernel, if call paths show it:
// the calls of MatMul_64x64/MatMul_Iteration for each of MatMul_64x64. Else it is 1.
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

// family is the name that all sizes of a kernel share: MatMul.
func (k Kernel) family() string { return naming.Family(k.Name) }

// size orders the sizes of a kernel, and puts rows without a size last.
func (k Kernel) size() float64 {
	if k.FLOPs == 0 {
		return math.Inf(1)
	}
	return k.FLOPs
}

// addRepeat notes how often the scopes of all sizes of a kernel run it in a call.
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
