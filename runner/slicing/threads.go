package slicing

// threads returns how many threads are at work while a benchmark is timed, on the side with more. A thread is at
// work while it runs or waits for a CPU, so the load of others changes nothing. The work around a slice is
// the same for short and long ones, and drops out. A side many times quicker than the other is timed for too short a
// time to tell.
func threads(short, long probe) float64 {
	const enough = 0.25 // of the other side's time
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

// mostThreads separates one thread from several. The runtime's own threads take a part of one: serial benchmarks have
// 1.1 to 1.3, those with channels and locks on two CPUs 1.9 to 2.
const mostThreads = 1.5

// pin keeps the slices of a round on one CPU if the benchmark loses nothing by it: one thread is at work, and the
// collector has nothing to do. A neighbour slows one CPU of a virtual machine by half for some tenths of a second, and the
// kernel moves threads between CPUs at any time.
func (c *chooser) pin() {
	if c.calmed && c.threads > 0 && c.threads < mostThreads {
		c.spec.OnCPU = 1
	}
}
