//go:build !linux && !darwin

package workloads

// cpuName returns "", because the name is only looked up on Linux and macOS.
func cpuName() string { return "" }
