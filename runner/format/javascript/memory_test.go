package javascript_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

// TestMemory reads 100 MiB of samples of one benchmark in constant memory.
func TestMemory(t *testing.T) {
	in := formattest.Grow(`[{"name": "a", "latency": {"mean": 1, "rme": 1, "samples": [`, "0.05021599999997761", ",", `]}, "period": 1}]`, 100<<20)
	heap, err := formattest.Peak(t, "tinybench", in)
	if err != nil || heap > 48<<20 {
		t.Errorf("%d MiB of heap, %v", heap>>20, err)
	}
}
