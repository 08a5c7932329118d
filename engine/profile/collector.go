package profile

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// A Collector is the state of the process's garbage collector at some moment.
type Collector struct {
	cycles uint32
	pause  uint64 // nanoseconds
}

// WatchCollector records how much work the collector has done so far. It stops the world, as
// runtime.ReadMemStats does, so call it before the first scope.
func WatchCollector() Collector {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return Collector{now.NumGC, now.PauseTotalNs}
}

// Lines returns configuration lines with the collector's work since WatchCollector and the
// process's peak memory:
//
//	gc-cycles: 12
//	gc-pause-ns: 180000
//	peak-heap-bytes: 12582912
//	peak-resident-bytes: 41943040
//
// The values are for the whole process. peak-heap-bytes is the memory that Go obtained from the
// operating system for the heap, which grows in steps of 4 MiB. The last line exists only on Linux.
func (c Collector) Lines() string {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return fmt.Sprintf("gc-cycles: %d\ngc-pause-ns: %d\npeak-heap-bytes: %d\n", now.NumGC-c.cycles, now.PauseTotalNs-c.pause, now.HeapSys) + resident()
}

// resident returns the line for the peak of resident memory, or "" if the system does not report
// it.
func resident() string {
	text, _ := os.ReadFile("/proc/self/status") // exists on Linux only
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "VmHWM:" && f[2] == "kB" {
			if kib, err := strconv.ParseInt(f[1], 10, 64); err == nil {
				return fmt.Sprintf("peak-resident-bytes: %d\n", kib<<10)
			}
		}
	}
	return ""
}
