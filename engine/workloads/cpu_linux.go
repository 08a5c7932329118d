package workloads

import (
	"bufio"
	"io"
	"os"
	"strings"
)

// cpuName returns the processor's name as go test prints it, or "" if it is unknown.
func cpuName() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close()
	return modelName(f)
}

// modelName returns the first model name in the contents of /proc/cpuinfo, or "", as on most arm64
// processors. For these, go test prints no name either.
func modelName(cpuinfo io.Reader) string {
	lines := bufio.NewScanner(cpuinfo)
	for lines.Scan() {
		key, value, ok := strings.Cut(lines.Text(), ":")
		if ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
