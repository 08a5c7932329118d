package profile

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// A Collector is what the garbage collector of the process had done at a moment.
type Collector struct {
	cycles uint32
	pause  uint64 // nanoseconds
}

// WatchCollector notes what the collector has done so far. It stops the world, as
// runtime.ReadMemStats does: call it before the first scope.
func WatchCollector() Collector {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return Collector{now.NumGC, now.PauseTotalNs}
}

// Lines are the configuration lines that say what the collector did since, and how large the
// heap of the process became until now:
//
//	gc-cycles: 12
//	gc-pause-ns: 180000
//	peak-heap-bytes: 12582912
//	peak-resident-bytes: 41943040
//
// They are of the whole process. The heap is what Go had taken for it from the operating system, in
// pieces of 4 MiB; the last line stands on Linux only.
func (c Collector) Lines() string {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return fmt.Sprintf("gc-cycles: %d\ngc-pause-ns: %d\npeak-heap-bytes: %d\n", now.NumGC-c.cycles, now.PauseTotalNs-c.pause, now.HeapSys) + resident()
}

// resident is the line of the resident memory, where the system tells a process its own.
func resident() string {
	text, _ := os.ReadFile("/proc/self/status") // on Linux
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "VmHWM:" && f[2] == "kB" {
			if kib, err := strconv.ParseInt(f[1], 10, 64); err == nil {
				return fmt.Sprintf("peak-resident-bytes: %d\n", kib<<10)
			}
		}
	}
	return ""
}
