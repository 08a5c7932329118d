package slicing

import (
	"testing"

	"github.com/perftrack/perftrack/runner/turnstile"
)

// The number of threads at work includes those that run or wait for a CPU while the benchmark is
// timed, regardless of the load and the work around each slice. A benchmark with a single thread at
// work stays on one CPU, unless its slices contain collections.
func TestThreads(t *testing.T) {
	const ms = 1e6
	slice := func(timed, cpu, waited float64) probe {
		return slicesOf(8, probed{timed: timed * ms, cpu: cpu * ms, waited: waited * ms})
	}
	for _, tt := range []struct {
		name        string
		short, long probe
		calmed      bool
		pinned      bool
	}{
		{"sorts", slice(2, 3.2, 0.3), slice(16, 17.4, 0.5), true, true},
		{"sorts on a busy machine", slice(5, 3.2, 3), slice(40, 17.4, 24), true, true},
		{"holds collections", slice(2, 3.2, 0.3), slice(16, 17.4, 0.5), false, false},
		{"two threads", slice(2, 5, 0.3), slice(16, 33, 0.5), true, false},
		{"two threads on a busy machine", slice(5, 5, 7), slice(40, 33, 50), true, false},
		{"two threads, one at a time, each waits for the other", slice(2, 3.4, 2.2), slice(20, 22, 18), true, false},
		{"mostly asleep", slice(2, 1.3, 0), slice(16, 2.7, 0), true, true},
		{"unknown", slice(0, 0, 0), slice(0, 0, 0), true, false},
	} {
		c := chooser{calmed: tt.calmed, threads: threads(tt.short, tt.long), spec: turnstile.Spec{}}
		if c.pin(); c.spec.OnCPU > 0 != tt.pinned {
			t.Errorf("%s: %.2f threads at work, pinned %v", tt.name, c.threads, c.spec.OnCPU > 0)
		}
	}
	quick := func(timed float64) []probed { return slice(timed, 3*timed, 0).sides[0] } // mostly noise
	short, long := slice(4, 5, 0), slice(16, 17.5, 0)
	short.sides[0], long.sides[0] = quick(0.3), quick(1.2)
	if n := threads(short, long); n > mostThreads {
		t.Errorf("%.2f threads, by a side that is hardly timed", n)
	}
}
