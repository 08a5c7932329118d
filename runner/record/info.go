package record

// A RunInfo describes a stored run without its samples. Its Run has no Benchmarks; the fields below
// summarise them.
type RunInfo struct {
	Run
	ID            string
	Seq           int64 // increases with every stored run; orders the history
	EnvironmentID string
	Benchmarks    int // number of benchmarks
	Rounds        int // largest number of samples of any benchmark
}

// Baseline is like [Run.Baseline], but for a stored run whose benchmarks were not loaded.
func (i *RunInfo) Baseline() bool {
	return i.Status == Complete && !i.Commit.Dirty && i.Benchmarks > 0
}

// CarriedFrom returns the id of the run that this run's results were copied from, because both
// commits have the same machine code. It returns "" if no results were copied.
func (i *RunInfo) CarriedFrom() string {
	if i.Status != Complete || i.Commit.Dirty || i.Benchmarks > 0 {
		return ""
	}
	return i.Facts.Get(KeyCarried)
}

// A HistoryPoint is one run's result for a benchmark.
type HistoryPoint struct {
	Run       *RunInfo // shared by the points of all benchmarks, so it must not be changed
	Benchmark Benchmark
	// CarriedFrom is the measured commit if it is not the run's own. Both commits have the same
	// machine code, so the point shows the value expected for the run's commit, although that
	// commit was not measured itself.
	CarriedFrom string
}
