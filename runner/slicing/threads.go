package slicing

// threads returns the average number of threads at work while a benchmark is timed, for the side
// with more. A thread is at work while it runs or waits for a CPU, so load on the machine does not
// matter. The work around a slice is the same for short and long slices and cancels out. A much
// faster side is ignored, because it is timed too briefly for a reliable result.
func threads(short, long probe) float64 {
	const enough = 0.25 // as a fraction of the other side's time
	longer := func(side int, of func(probed) float64) float64 {
		return long.typical(side, of) - short.typical(side, of)
	}
	working := func(s probed) float64 { return s.cpu + s.waited }
	timed := func(s probed) float64 { return s.timed }
	most := 0.0
	for side := range short.sides {
		if own := longer(side, timed); own > enough*longer(1-side, timed) {
			most = max(most, longer(side, working)/own)
		}
	}
	return most
}

// mostThreads is the limit between one thread and several. The runtime's own threads count as a
// fraction of a thread: serial benchmarks have 1.1 to 1.3, and benchmarks with channels or locks
// have 1.9 to 2 on two CPUs.
const mostThreads = 1.5

// pin keeps the slices of a round on one CPU if that costs the benchmark nothing, because only one
// thread is at work and the collector has nothing to do. Another virtual machine can slow down one
// CPU by half for some tenths of a second, and the kernel may move threads between CPUs at any
// time.
func (c *chooser) pin() {
	if c.calmed && c.threads > 0 && c.threads < mostThreads {
		c.spec.OnCPU = 1
	}
}
