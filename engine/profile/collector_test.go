package profile

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// What was collected before is not counted, what was collected since is; and the heap was as large as
// what it held at once.
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
	// The large object itself may start one more.
	if want := runtime.GOOS == "linux"; strings.Contains(lines, "\npeak-resident-bytes: ") != want {
		t.Errorf("on %s, the line of the resident memory, %t, in:\n%s", runtime.GOOS, want, lines)
	}
	if cycles < 3 || cycles > 5 || pause <= 0 || peak < 32<<20 {
		t.Errorf("of 3 collections and 32 MiB:\n%s", lines)
	}
}
