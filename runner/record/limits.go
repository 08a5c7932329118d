package record

import "fmt"

// Limits of a run. Exceeding one is an error that names it: nothing is ever
// cut off silently. The readers of package format keep the same: a run within
// these limits is read back from its own text.
const (
	MaxNameLen      = 512       // bytes of a benchmark's name
	MaxUnitLen      = 32        // bytes of a unit
	MaxUnits        = 256       // units of a benchmark, and units that a run declares
	MaxSettings     = 64        // configuration keys of a run that [Keys] does not have
	MaxKeyLen       = 128       // bytes of a configuration key
	MaxSettingLen   = 1 << 10   // bytes of a configuration value
	MaxParts        = 16        // parts of a numbered value
	MaxBenchmarks   = 10_000    // benchmarks of a run
	MaxSamples      = 10_000    // samples of a benchmark
	MaxTotalSamples = 1_000_000 // samples of a run, over all benchmarks and units, rounds without one included
	MaxFailures     = 100       // failures of a run that are named; the rest is counted
	MaxFailureLen   = 512       // bytes of a failure's reason, and of its benchmark
)

// maxListLen bounds the JSON of a run's units and of its failures. A reader of
// the benchmark format gives up at lines of 64 KiB.
const maxListLen = 60 << 10

// MaxValueLen is how many bytes the value of a configuration key may have.
func MaxValueLen(key string) int {
	if key == keyUnits || key == keyFailures {
		return maxListLen
	}
	return MaxSettingLen
}

// MaxConfigKeys is how many configuration keys may stand above a result: all of
// [Keys] in all their parts, and as many others as a run may have.
var MaxConfigKeys = func() int {
	n := MaxSettings + len(Keys)
	for _, k := range Keys {
		if k.Numbered {
			n += MaxParts - 1
		}
	}
	return n
}()

// checkUnknown reports more keys than a run may have of those that [Keys] does not have.
func checkUnknown(list Settings) error {
	n := 0
	for _, s := range list {
		if _, known := Lookup(s.Key); !known {
			n++
		}
	}
	if n > MaxSettings {
		return fmt.Errorf("%d configuration keys that perftrack does not know: more than %d", n, MaxSettings)
	}
	return nil
}
