package formattest

import (
	"os"
	"strings"
	"testing"
)

// A file of any size is read within 64 MiB. PERFTRACK_SIMULATE=full reads 1 GiB of each format.
func TestConstantMemory(t *testing.T) {
	size := int64(160 << 20)
	if os.Getenv("PERFTRACK_SIMULATE") == "full" {
		size = 1 << 30
	}
	// A file may have only 10,000 samples of a benchmark, so the rest is padding.
	padding := strings.Repeat(`"padding of a result", `, int(size/10_000/23)) + `""`
	for _, tt := range []struct{ name, head, element, tail string }{
		{"google-benchmark", `{"context": {}, "benchmarks": [`, `{"name": "a", "iterations": 5, "real_time": 1.5, "time_unit": "ns", "x": [` + padding + `]}`, `]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			heap, err := Peak(t, tt.name, Grow(tt.head, tt.element, ",", tt.tail, size))
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d MiB read with a heap of %d MiB", size>>20, heap>>20)
			if heap == 0 || heap > 64<<20 {
				t.Errorf("the heap had %d bytes, the limit is 64 MiB", heap)
			}
		})
	}
}
