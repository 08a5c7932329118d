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

// CarriedFrom returns the id of the run that counts for this run's commit, too, because both
// have the same machine code; "" for one that was measured.
func (i *RunInfo) CarriedFrom() string {
	if i.Status != Complete || i.Commit.Dirty || i.Benchmarks > 0 {
		return ""
	}
	return i.Facts.Get(KeyCarried)
}

// A HistoryPoint is what one run measured of a benchmark.
type HistoryPoint struct {
	Run       RunInfo
	Benchmark Benchmark
	// CarriedFrom is the commit at which it was measured, if that is not the run's own: both
	// have the same machine code. Such a point shows what its commit would have measured, and is
	// no measurement of its own.
	CarriedFrom string
}
