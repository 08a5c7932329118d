package record

// Limits of a run. Exceeding one is an error that names it: nothing is ever
// cut off silently.
const (
	MaxNameLen      = 512       // bytes of a benchmark's name
	MaxUnitLen      = 32        // bytes of a unit
	MaxUnits        = 256       // units of a benchmark, and units that a run declares
	MaxSettings     = 64        // configuration keys of a run, its environment included
	MaxKeyLen       = 128       // bytes of a configuration key
	MaxSettingLen   = 1 << 10   // bytes of a configuration value
	MaxBenchmarks   = 10_000    // benchmarks of a run
	MaxSamples      = 10_000    // samples of a benchmark
	MaxTotalSamples = 1_000_000 // samples of a run, over all benchmarks and units, rounds without one included
	MaxFailures     = 100       // failures of a run that are named; the rest is counted
	MaxFailureLen   = 512       // bytes of a failure's reason, and of its benchmark
)

// maxListLen bounds the JSON of a run's units and of its failures. A reader of
// the benchmark format gives up at lines of 64 KiB.
const maxListLen = 60 << 10
