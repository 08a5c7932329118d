package kernels

import (
	"testing"

	"github.com/perftrack/perftrack/engine/kernels/simd"
)

// onEachPath runs a test on every path supported by this processor, starting with the portable one.
func onEachPath(t *testing.T, test func(*testing.T)) {
	t.Helper()
	defer func(p simd.Path) { path = p }(path)
	for path = simd.Generic; path <= simd.Best(); path++ {
		t.Run(Path(), test)
	}
}

// byPath returns portable on the portable path, and vector on the vector paths.
func byPath(portable, vector float64) float64 {
	if path == simd.Generic {
		return portable
	}
	return vector
}

func TestChoosePath(t *testing.T) {
	for _, tt := range []struct {
		asked string
		best  simd.Path
		want  simd.Path
		err   string
	}{
		{"", simd.AVX512, simd.AVX512, ""},
		{"", simd.Generic, simd.Generic, ""},
		{"avx2", simd.AVX512, simd.AVX2, ""},
		{"generic", simd.AVX512, simd.Generic, ""},
		{"avx512", simd.AVX2, simd.Generic, "PERFTRACK_SIMD=avx512: this processor has avx2 at best"},
		{"sse", simd.AVX2, simd.Generic, `PERFTRACK_SIMD="sse" is not generic, avx2 or avx512`},
	} {
		got, err := choosePath(tt.asked, tt.best)
		message := ""
		if err != nil {
			message = err.Error()
		}
		if got != tt.want || message != tt.err {
			t.Errorf("%q of %v: %v, %s; want %v, %s", tt.asked, tt.best, got, message, tt.want, tt.err)
		}
	}
}

func TestPath(t *testing.T) {
	onEachPath(t, func(t *testing.T) {
		if got, want := Path(), map[simd.Path]string{simd.Generic: "none", simd.AVX2: "avx2", simd.AVX512: "avx512"}[path]; got != want {
			t.Errorf("Path() = %q, want %q", got, want)
		}
	})
}
