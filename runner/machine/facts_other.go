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

// LoadAverage is the load of the last minute.
func LoadAverage() string {
	fields := strings.Fields(sysctl("vm.loadavg"))
	if len(fields) < 2 {
		return ""
	}
	return fields[1]
}

// sysctl reads a fact of a BSD kernel; an unknown one is empty.
func sysctl(name string) string {
	out, err := exec.Command("sysctl", "-n", name).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
