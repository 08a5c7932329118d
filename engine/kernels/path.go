package kernels

import (
	"fmt"
	"os"

	"github.com/perftrack/perftrack/engine/kernels/simd"
)

// PathVariable is the environment variable that forces a lower path than the best one: avx512,
// avx2 or generic.
const PathVariable = "PERFTRACK_SIMD"

// path is what the kernels of this process run on.
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

// Path names the implementation that the kernels run on: the value of the simd configuration
// line that belongs beside every measurement. It is "none" for the portable Go code.
func Path() string {
	if path == simd.Generic {
		return "none"
	}
	return path.String()
}

// PathErr says that PERFTRACK_SIMD asks for what there is not; the kernels are portable then.
func PathErr() error { return pathErr }

// Peak measures, in some 50 ms, how many floating point operations a second one core can do, in
// GFLOPS: on the path of the kernels. The portable kernels are measured against the best path of
// this processor, so that their share says what they leave lying; where a processor has none of
// the paths, against portable Go.
func Peak() float64 {
	if path == simd.Generic {
		return simd.Best().Peak()
	}
	return path.Peak()
}
