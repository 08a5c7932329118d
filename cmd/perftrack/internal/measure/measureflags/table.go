// Package measureflags declares and checks the flags of the commands that measure or judge. Begin
// with table.go.
package measureflags

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/calibrate"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/config"
)

// Values are the variables that the flags set.
type Values struct {
	*measure.Flags
	Session *workspace.Session // for Threshold and Alpha
}

// A flag declares, documents and checks one flag. A flag whose help text differs between commands
// has several rows.
type flag struct {
	name  string
	of    []string // commands, as the user types them
	usage string
	value func(Values) any // returns a pointer to the flag's variable
	check checkFlag
}

// A checkFlag checks the value that the user gave a flag. It is nil if the value needs no check, or
// cannot be checked before the machine and the target are known.
type checkFlag func(*cobra.Command, Values) error

const benchtimeUsage = "duration or number of iterations per sample, `d` as in go test"

// table lists the flags.
var table = []flag{
	{"bench", []string{"run", "check", "calibrate", "backfill", "rounds"}, helptext.BenchUsage, benchValue, checkBench},
	{"bench", []string{"profile"}, helptext.BenchUsage + ": profile their functions", benchValue, checkBench},
	{"bench", []string{"bisect-helper", "bisect-helper auto", "explain"}, helptext.BenchUsage + ": exactly one", benchValue, checkBench},

	{"suite", []string{"run", "check", "calibrate", "backfill", "rounds"}, "only benchmarks of this `suite`", suiteValue, nil},
	{"suite", []string{"explain"}, "compare the scopes in the profile of suite `name`", suiteValue, nil},

	{"benchtime", []string{"run"}, benchtimeUsage + ": 100ms, 50x (default 100ms, in a trial 50ms)", benchtimeValue, checkBenchtime},
	{"benchtime", []string{"backfill"}, benchtimeUsage + ": 100ms, 50x (default 50ms)", benchtimeValue, checkBenchtime},
	{"benchtime", []string{"check", "rounds"}, benchtimeUsage + ": 100ms, 50x (default 100ms)", benchtimeValue, checkBenchtime},
	{"benchtime", []string{"calibrate"}, benchtimeUsage + " (default as for check)", benchtimeValue, checkBenchtime},
	{"benchtime", []string{"bisect-helper", "bisect-helper auto"}, benchtimeUsage + " (default 100ms)", benchtimeValue, checkBenchtime},
	{"benchtime", []string{"profile"}, "for functions: time or iterations per process, `d` as in go test (default 1s)", benchtimeValue, checkBenchtime},
	{"benchtime", []string{"explain"}, "time or iterations per process, `d` as in go test (default 1s)", benchtimeValue, checkBenchtime},

	{"rounds", []string{"run"}, "samples per benchmark, after the warm-up (default 10, in a trial 30)", roundsValue, checkRounds(1)},
	{"rounds", []string{"backfill"}, "samples per benchmark and commit, after the warm-up (default 10)", roundsValue, checkRounds(4)}, // an interval needs at least four samples
	{"rounds", []string{"profile"}, "runs of the suite, after the warm-up (default 5, in a trial 12); for functions, profiled processes (default 3)", roundsValue, checkRounds(1)},
	{"rounds", []string{"calibrate"}, fmt.Sprintf("samples per benchmark and side, after the warm-up (default %d)", calibrate.Rounds), roundsValue, checkRounds(4)}, // an interval needs at least four samples
	{"rounds", []string{"explain"}, "rounds to measure if no trial is stored (default 30; scopes 12)", roundsValue, checkRounds(1)},

	{"timeout", measuringCommands, "time limit for one process (default 2m)", func(v Values) any { return &v.Timeout }, checkTimeout},

	{"cpus", measuringCommands, "pin benchmarks to this `list` of CPUs, as in taskset: 1 or 2-3,6; all ignores perftrack.toml. For go test's -cpu, see --procs",
		func(v Values) any { return &v.CPUs }, checkCPUs},

	{"cpus", []string{"worker"}, "measure on this `list` of CPUs, as in taskset; the worker itself stays on the others", func(v Values) any { return &v.CPUs }, checkCPUs},

	{"isolate", measuringCommands, "run benchmarks in bubblewrap, without access to the network, your home folder and other processes: see perftrack help trust",
		func(v Values) any { return &v.Isolate }, nil},

	{"procs", []string{"run", "profile", "check", "backfill", "calibrate", "rounds"}, "measure each benchmark at each GOMAXPROCS of this `list`, like go test's -cpu: 1,2,4. Sort-4 is a separate benchmark",
		func(v Values) any { return &v.Procs }, checkProcs},

	{"pairs", []string{"check", "rounds", "calibrate", "backfill", "bisect-helper", "bisect-helper auto", "explain"}, pairsUsage, pairsValue, checkPairs},
	{"pairs", []string{"run"}, pairsUsage + "; with --against or --anchor", pairsValue, checkPairs},

	{"threshold", []string{"check", "compare", "rounds"}, thresholdUsage, thresholdValue, nil},
	{"threshold", []string{"run"}, thresholdUsage + "; with --against", thresholdValue, checkTrial},
	{"alpha", []string{"check", "compare"}, alphaUsage, alphaValue, nil},
	{"alpha", []string{"run"}, alphaUsage + "; with --against", alphaValue, checkTrial},
}

const (
	thresholdUsage = "smallest `change` worth blocking, as 5% or 0.05, instead of perftrack.toml's"
	pairsUsage     = "measure both sides in slices of milliseconds, if possible, or in fresh processes: slices or fresh (default slices)"
	alphaUsage     = "`chance` of a false alarm, as 1% or 0.01, instead of perftrack.toml's"
)

// measuringCommands lists the commands that measure.
var measuringCommands = []string{"run", "profile", "check", "backfill", "calibrate", "bisect-helper", "bisect-helper auto", "explain", "rounds"}

func benchValue(v Values) any     { return &v.Bench }
func suiteValue(v Values) any     { return &v.Suite }
func benchtimeValue(v Values) any { return &v.Benchtime }
func roundsValue(v Values) any    { return &v.Rounds }
func thresholdValue(v Values) any { return &Fraction{config.ParseThreshold, &v.Session.Threshold} }
func pairsValue(v Values) any     { return &v.Pairs }
func alphaValue(v Values) any     { return &Fraction{config.ParseAlpha, &v.Session.Alpha} }

// A Fraction is a flag value in the syntax that perftrack.toml uses.
type Fraction struct {
	parse func(string) (float64, error)
	to    *float64
}

// Value returns the fraction.
func (f *Fraction) Value() float64 { return *f.to }

// Set parses text.
func (f *Fraction) Set(text string) (err error) {
	*f.to, err = f.parse(text)
	return err
}

// String returns "" because the help shows no default.
func (f *Fraction) String() string { return "" }

// Type returns the placeholder for the value in the help text.
func (f *Fraction) Type() string { return "fraction" }

// Add declares the flags on the commands below root.
func Add(root *cobra.Command, v Values) {
	for _, m := range table {
		for _, of := range m.of {
			cmd, _, err := root.Find(strings.Fields(of))
			if err != nil {
				panic("declare --" + m.name + ": " + err.Error()) // the table names an unknown command
			}
			switch to := m.value(v).(type) {
			case *bool:
				cmd.Flags().BoolVar(to, m.name, false, m.usage)
			case *string:
				cmd.Flags().StringVar(to, m.name, "", m.usage)
			case *int:
				cmd.Flags().IntVar(to, m.name, 0, m.usage)
			case *time.Duration:
				cmd.Flags().DurationVar(to, m.name, 0, m.usage)
			case *Fraction:
				cmd.Flags().Var(to, m.name, m.usage)
			default:
				panic(fmt.Sprintf("declare --%s: add a case for %T", m.name, to))
			}
		}
	}
}

// Check checks the flags that the user set.
func Check(cmd *cobra.Command, v Values) error {
	name := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
	var errs []error
	for _, m := range table {
		if m.check != nil && slices.Contains(m.of, name) && cmd.Flags().Changed(m.name) {
			errs = append(errs, m.check(cmd, v))
		}
	}
	return errors.Join(errs...)
}
