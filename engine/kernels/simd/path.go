package simd

import "fmt"

// A Path is a set of vector instructions that the kernels can use.
type Path int

// The paths in ascending order.
const (
	Generic Path = iota // the portable Go code
	AVX2                // AVX2 and FMA, 8 lanes
	AVX512              // AVX-512 F, BW, DQ and VL, 16 lanes
)

var pathNames = []string{"generic", "avx2", "avx512"}

func (p Path) String() string { return pathNames[p] }

// ParsePath returns the path with the given name, or an error if no path has it.
func ParsePath(name string) (Path, error) {
	for i, n := range pathNames {
		if n == name {
			return Path(i), nil
		}
	}
	return Generic, fmt.Errorf("%q is not generic, avx2 or avx512", name)
}

// lanes returns the number of float32 values in a vector of this path.
func (p Path) lanes() int {
	if p == AVX512 {
		return 16
	}
	return 8
}
