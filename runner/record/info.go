package record

// A RunInfo is a stored run without its samples. The run's own Benchmarks is
// nil; the fields below take the place of what cannot be told from it.
type RunInfo struct {
	Run
	ID            string
	Seq           int64 // grows with every run stored; the order of the history
	EnvironmentID string
	Benchmarks    int // how many
	Rounds        int // the largest number of samples that a benchmark has
}

// Baseline is [Run.Baseline] of the stored run.
func (i *RunInfo) Baseline() bool {
	return i.Status == Complete && !i.Commit.Dirty && i.Benchmarks > 0
}

// A HistoryPoint is what one run measured of a benchmark.
type HistoryPoint struct {
	Run       RunInfo
	Benchmark Benchmark
}
