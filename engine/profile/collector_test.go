package profile

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// Collections before WatchCollector are not counted, later ones are, and the peak of the heap is no
// less than the live data.
func TestCollector(t *testing.T) {
	runtime.GC()
	c := WatchCollector()
	kept := make([]byte, 32<<20)
	for range 3 {
		runtime.GC()
	}
	runtime.KeepAlive(kept)
	lines := c.Lines()
	var cycles, pause, peak int64
	if _, err := fmt.Sscanf(lines, "gc-cycles: %d\ngc-pause-ns: %d\npeak-heap-bytes: %d\n", &cycles, &pause, &peak); err != nil {
		t.Fatalf("%v in %q", err, lines)
	}
	if want := runtime.GOOS == "linux"; strings.Contains(lines, "\npeak-resident-bytes: ") != want {
		t.Errorf("on %s, the line of the resident memory, %t, in:\n%s", runtime.GOOS, want, lines)
	}
	// Allocating the large object may itself start one more cycle.
	if cycles < 3 || cycles > 5 || pause <= 0 || peak < 32<<20 {
		t.Errorf("of 3 collections and 32 MiB:\n%s", lines)
	}
}
