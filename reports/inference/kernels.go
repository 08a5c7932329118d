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
	OfPeak   float64 // GFLOPS over the peak of as many cores as it has threads, NaN where that is unknown
	Elements float64 // a second, of a kernel that works element by element; else NaN
}

// kernels returns the kernels of a run compared with itself, by family and size.
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

// PeakOf is what one core can reach, in GFLOPS, as the program of the run printed it; NaN where
// it did not.
func PeakOf(run *record.Run) float64 { return positive(number(run.Facts.Get(record.KeyPeak))) }

// OfPeak is the part of the peak of one core that a kernel of that name reaches; of one that works
// on several threads, the part of as many cores' peak.
func OfPeak(name string, gflops, peak float64) float64 {
	return gflops / (peak * float64(naming.Threads(name)))
}

// PeakWords say what percentages of such a peak are of.
func PeakWords(peak string) string {
	return "Peak: " + peak + " GFLOPS, as the program measured it of one core; a kernel on several threads (_2T) is compared with as many times that."
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
