package inference

import (
	"cmp"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/profiles"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// A Kernel is one kernel at one size.
type Kernel struct {
	Name     string // the last element of a call path
	Family   string // the name that all sizes share: MatMul
	Time     float64
	FLOPs    float64 // of one call, NaN where the name does not tell
	GFLOPS   float64
	OfPeak   float64 // GFLOPS over the measured peak, NaN where that is unknown
	Elements float64 // a second, of a kernel that works element by element; else NaN
}

// kernels returns the kernels of a run compared with itself, by family and size.
func kernels(d *profiles.Diff, peak float64) (out []Kernel) {
	for _, k := range d.Kernels {
		one := Kernel{Name: naming.Leaf(k.Name), Family: naming.Family(k.Name), Time: k.Time.Head, FLOPs: positive(k.FLOPs), GFLOPS: k.GFLOPS.Head, Elements: math.NaN()}
		if k.Kind == record.Scope {
			one.Time /= k.Calls[1]
		}
		one.OfPeak = one.GFLOPS / peak
		for _, e := range d.Engine.Kernels {
			if e.Name == one.Family {
				one.Elements = one.GFLOPS * 1e9 / e.FLOPs
			}
		}
		out = append(out, one)
	}
	return out
}

// sums adds times up by name, in the order in which the names appear.
type sums struct {
	names []string
	ns    []float64
}

func (s *sums) add(name string, ns float64) {
	i := slices.Index(s.names, name)
	if i < 0 {
		i, s.names, s.ns = len(s.names), append(s.names, name), append(s.ns, 0)
	}
	s.ns[i] += ns
}

// falling returns the places of the names by falling time.
func (s *sums) falling() []int {
	order := make([]int, len(s.names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(s.ns[j], s.ns[i]) })
	return order
}
