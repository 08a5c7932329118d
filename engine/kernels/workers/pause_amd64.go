package workers

// pause executes n of the processor's PAUSE instructions, which take about 10 to 40 ns each.
// Meanwhile other threads can use the core's resources, and the core draws less power.
//
//go:noescape
func pause(n int)
