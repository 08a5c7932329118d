//go:build !linux

package machine

import (
	"os/exec"
	"runtime"
	"strings"
)

func cpuModel() string {
	if runtime.GOOS == "darwin" {
		return sysctl("machdep.cpu.brand_string")
	}
	return ""
}

func cpuGovernor() string { return "" }

func cpuMHz() string { return "" }

func kernelRelease() string { return sysctl("kern.osrelease") }

// LoadAverage returns the load average of the last minute.
func LoadAverage() string {
	fields := strings.Fields(sysctl("vm.loadavg"))
	if len(fields) < 2 {
		return ""
	}
	return fields[1]
}

// sysctl reads a value from a BSD kernel. It returns "" if the kernel has no such value.
func sysctl(name string) string {
	out, err := exec.Command("sysctl", "-n", name).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
