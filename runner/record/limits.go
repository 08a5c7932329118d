package record

import "fmt"

// Limits on a run. Exceeding a limit is an error that names it; nothing is truncated silently. The
// readers in package format enforce the same limits, so a run within them can be read back from its
// own text.
const (
	MaxNameLen      = 512       // bytes in a benchmark's name
	MaxUnitLen      = 32        // bytes in a unit
	MaxFromLen      = 64        // bytes in the units that a unit was converted from
	MaxUnits        = 256       // units per benchmark, and units that a run can declare
	MaxSettings     = 64        // configuration keys in a run besides those in [Keys]
	MaxKeyLen       = 128       // bytes in a configuration key
	MaxSettingLen   = 1 << 10   // bytes in a configuration value
	MaxParts        = 16        // parts of a numbered fact
	MaxBenchmarks   = 10_000    // benchmarks in a run
	MaxSamples      = 10_000    // samples per benchmark
	MaxTotalSamples = 1_000_000 // samples in a run, over all benchmarks and units, including empty rounds
	MaxFailures     = 100       // failures listed by name in a run; any more are only counted
	MaxFailureLen   = 512       // bytes in a failure's reason, and in the name of its benchmark
)

// maxListLen is the maximum length in bytes of a run's units, its failures, or one line of its
// protocol as JSON. Readers of the benchmark format fail on lines of 64 KiB.
const maxListLen = 60 << 10

// MaxValueLen returns the maximum number of bytes in the value of a configuration key.
func MaxValueLen(key string) int {
	if key == keyUnits || key == keyFailures || protocolPart(key) > 0 {
		return maxListLen
	}
	return MaxSettingLen
}

// MaxConfigKeys is the maximum number of configuration keys above a result: all of [Keys] with all
// their parts, plus the maximum number of other keys in a run.
var MaxConfigKeys = func() int {
	n := MaxSettings + len(Keys)
	for _, k := range Keys {
		if k.Parts > 0 {
			n += k.Parts - 1
		}
	}
	return n
}()

// checkUnknown returns an error if list has more keys outside [Keys] than a run may have.
func checkUnknown(list Settings) error {
	n := 0
	for _, s := range list {
		if _, known := Lookup(s.Key); !known {
			n++
		}
	}
	if n > MaxSettings {
		return fmt.Errorf("%d unknown configuration keys exceed the limit of %d", n, MaxSettings)
	}
	return nil
}
