package machine

import (
	"os"
	"strings"
)

// cpuModel returns the name of the first CPU, as go test prints it.
func cpuModel() string { return cpuinfo("model name") }

func cpuMHz() string { return cpuinfo("cpu MHz") }

func cpuinfo(field string) string {
	for line := range strings.Lines(readFact("/proc/cpuinfo")) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == field {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func cpuGovernor() string {
	return readFact("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
}

func kernelRelease() string { return readFact("/proc/sys/kernel/osrelease") }

// LoadAverage returns the load average of the last minute.
func LoadAverage() string {
	load, _, _ := strings.Cut(readFact("/proc/loadavg"), " ")
	return load
}

// readFact reads a file in /proc or /sys. It returns "" if the file cannot be read.
func readFact(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
