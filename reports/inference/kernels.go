package inference

import (
	"cmp"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/profiles"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// A Kernel is a kernel with a particular problem size.
type Kernel struct {
	Name     string // the last element of the call path
	Family   string // the name without the problem size, such as MatMul
	Time     float64
	FLOPs    float64 // number of operations in a call; NaN if the name contains no size
	GFLOPS   float64
	OfPeak   float64 // GFLOPS relative to the peak of as many cores as the kernel has threads; NaN if unknown
	Elements float64 // elements per second for an elementwise kernel, else NaN
}

// kernels returns the kernels in a suite of a run. d is the comparison of the run with itself.
func kernels(d *profiles.Diff, peak float64) (out []Kernel) {
	for _, k := range d.Kernels {
		one := Kernel{Name: naming.Leaf(k.Name), Family: naming.Family(k.Name), Time: k.Time.Head, FLOPs: positive(k.FLOPs), GFLOPS: k.GFLOPS.Head, Elements: math.NaN()}
		if k.Kind == record.Scope {
			one.Time /= k.Calls[1]
		}
		one.OfPeak = OfPeak(one.Name, one.GFLOPS, peak)
		for _, e := range d.Engine.Kernels {
			if e.Name == one.Family {
				one.Elements = one.GFLOPS * 1e9 / e.FLOPs
			}
		}
		out = append(out, one)
	}
	return out
}

// PeakOf returns the peak rate of one core in GFLOPS, as printed by the program, or NaN if the
// program did not print it.
func PeakOf(run *record.Run) float64 { return positive(number(run.Facts.Get(record.KeyPeak))) }

// OfPeak returns the rate of a kernel relative to the peak of as many cores as the kernel has
// threads.
func OfPeak(name string, gflops, peak float64) float64 {
	return gflops / (peak * float64(naming.Threads(name)))
}

// PeakWords explains percentages of the peak rate.
func PeakWords(peak string) string {
	return "Peak: " + peak + " GFLOPS per core, measured by the program; for a kernel with several threads (such as _2T), multiply by their number."
}

// sums adds up times by name. It keeps the names in order of addition.
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

// falling returns the indexes of the names in descending order of time.
func (s *sums) falling() []int {
	order := make([]int, len(s.names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(s.ns[j], s.ns[i]) })
	return order
}
