//go:build unix && !linux

package proc

func memoryProgram([]string)   {}
func selfmoveProgram([]string) {}
func confinedProgram([]string) {}
