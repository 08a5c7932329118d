//go:build unix && !linux

package proc

func affinityProgram([]string) {}
func usableProgram([]string)   {}
