package workloads

import "syscall"

// cpuName returns the processor's name as go test prints it, or "" if it is unknown.
func cpuName() string {
	name, _ := syscall.Sysctl("machdep.cpu.brand_string")
	return name
}
