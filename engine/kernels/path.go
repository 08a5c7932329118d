package kernels

import (
	"fmt"
	"os"

	"github.com/perftrack/perftrack/engine/kernels/simd"
)

// PathVariable is the environment variable for selecting a path: avx512, avx2 or generic. By
// default, the best available path is used.
const PathVariable = "PERFTRACK_SIMD"

// path is the implementation of the kernels in this process.
var path, pathErr = choosePath(os.Getenv(PathVariable), simd.Best())

func choosePath(asked string, best simd.Path) (simd.Path, error) {
	if asked == "" {
		return best, nil
	}
	p, err := simd.ParsePath(asked)
	switch {
	case err != nil:
		return simd.Generic, fmt.Errorf("%s=%w", PathVariable, err)
	case p > best:
		return simd.Generic, fmt.Errorf("%s=%v: this processor has %v at best", PathVariable, p, best)
	}
	return p, nil
}

// Path returns the name of the kernels' path, or "none" for portable Go. Every measurement records
// it in its simd configuration line.
func Path() string {
	if path == simd.Generic {
		return "none"
	}
	return path.String()
}

// PathErr returns an error if PERFTRACK_SIMD names an unknown or unavailable path. The kernels then
// run in portable Go.
func PathErr() error { return pathErr }

// Peak measures how many floating-point operations per second one core can do on the kernels' path,
// in GFLOPS. It takes about 50 ms. If the kernels run in portable Go, Peak measures the processor's
// best path instead, so that the kernels' share of the peak shows how much speed is lost. If the
// processor has no vector path, Peak measures portable Go.
func Peak() float64 {
	if path == simd.Generic {
		return simd.Best().Peak()
	}
	return path.Peak()
}
