package slicing

// threads is how many are at work while a benchmark is timed, of the side with more: those that run and those
// that wait for a CPU, so that the load of others changes nothing. What is done around each slice is in short
// ones as in long ones.
func threads(short, long probe) float64 {
	working := func(s probed) float64 { return s.cpu + s.waited }
	timed := func(s probed) float64 { return s.timed }
	most := 0.0
	for side := range short.sides {
		most = max(most, (long.typical(side, working)-short.typical(side, working))/(long.typical(side, timed)-short.typical(side, timed)))
	}
	return most
}

// mostThreads is up to how many threads at work a benchmark has one: the runtime needs some of a second.
const mostThreads = 1.5

// pin keeps the slices of a round on one CPU where that takes nothing from the benchmark: it has one thread at
// work, and the collector has nothing to do meanwhile. A neighbour slows the CPUs of a virtual machine one by
// one, by half for some tenths of a second, and the threads of a process move between them at any time.
func (c *chooser) pin() {
	if c.calmed && c.threads > 0 && c.threads < mostThreads {
		c.spec.OnCPU = 1
	}
}
