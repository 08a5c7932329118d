package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/calibrate"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// A measuringFlag is a flag of commands that measure, or judge what was measured, as it is
// declared, documented and checked for all of them. A flag that commands explain in other
// words has several rows.
type measuringFlag struct {
	name  string
	of    []string // commands, as they are typed
	usage string
	value func(*globals) any // where its value is put
	check checkFlag
}

// A checkFlag checks a value that was given; nil: there is nothing to check before the
// machine and the target are known.
type checkFlag func(*cobra.Command, *globals) error

const benchtimeUsage = "time or iterations a sample, `d` as for go test"

// measuringFlags is the table of them. [measure.Flags] has what they say.
var measuringFlags = []measuringFlag{
	{"bench", []string{"profile"}, "profile the functions of the benchmarks matching this `regexp`, as for go test -bench", benchValue, checkBench},
	{"bench", []string{"run", "check", "calibrate", "backfill"}, "only benchmarks matching this `regexp`, as for go test -bench", benchValue, checkBench},
	{"bench", []string{"bisect-helper", "bisect-helper auto", "explain"}, "the `benchmark`: its whole name as perftrack history shows it, or a regexp that matches one", benchValue, checkBench},

	{"suite", []string{"run", "check", "calibrate", "backfill"}, "only benchmarks of this `suite`", suiteValue, nil},
	{"suite", []string{"explain"}, "compare the scopes of the profile of suite `name`", suiteValue, nil},

	{"benchtime", []string{"run"}, benchtimeUsage + ": 100ms, 50x (default 100ms, of a trial 50ms)", benchtimeValue, checkBenchtime},
	{"benchtime", []string{"backfill"}, benchtimeUsage + ": 100ms, 50x (default 50ms)", benchtimeValue, checkBenchtime},
	{"benchtime", []string{"check"}, benchtimeUsage + ": 100ms, 50x (default 100ms)", benchtimeValue, checkBenchtime},
	{"benchtime", []string{"calibrate"}, benchtimeUsage + " (default that of check)", benchtimeValue, checkBenchtime},
	{"benchtime", []string{"bisect-helper", "bisect-helper auto"}, benchtimeUsage + " (default 100ms)", benchtimeValue, checkBenchtime},
	{"benchtime", []string{"profile"}, "of functions: time or iterations of each process, `d` as for go test (default 1s)", benchtimeValue, checkBenchtime},
	{"benchtime", []string{"explain"}, "time or iterations of each, `d` as for go test (default 1s)", benchtimeValue, checkBenchtime},

	{"rounds", []string{"run"}, "samples of each benchmark, beside the warm-up (default 10, of a trial 30)", roundsValue, checkRounds(1)},
	{"rounds", []string{"backfill"}, "samples of each benchmark and commit, beside the warm-up (default 10)", roundsValue, checkRounds(4)}, // fewer have no interval
	{"rounds", []string{"profile"}, "runs of the suite, beside the warm-up (default 5, of a trial 12); of functions, processes under the CPU profiler (default 3)", roundsValue, checkRounds(1)},
	{"rounds", []string{"calibrate"}, fmt.Sprintf("samples of each benchmark and side, beside the warm-up (default %d)", calibrate.Rounds), roundsValue, checkRounds(4)}, // fewer have no interval
	{"rounds", []string{"explain"}, "rounds to measure, where no trial is stored (default 30; of scopes 12)", roundsValue, checkRounds(1)},

	{"timeout", measuringCommands, "longest time of one process (default 2m)", func(g *globals) any { return &g.flags.Timeout }, checkTimeout},

	{"cpus", measuringCommands, "pin benchmarks to these CPUs, a `list` as for taskset: 1 or 2-3,6; all lifts what perftrack.toml says. Not -cpu of go test, which is --procs",
		func(g *globals) any { return &g.flags.CPUs }, checkCPUs},

	{"isolate", measuringCommands, "run benchmarks in bubblewrap: no network, home, database or other processes, the checkout read-only; perftrack help trust",
		func(g *globals) any { return &g.flags.Isolate }, nil},

	{"procs", []string{"run", "profile", "check", "backfill", "calibrate"}, "measure each benchmark at each GOMAXPROCS of this `list`, as -cpu of go test: 1,2,4. Each is a benchmark of its own, Sort-4 beside Sort",
		func(g *globals) any { return &g.flags.Procs }, checkProcs},

	{"pairs", []string{"check", "calibrate", "backfill", "bisect-helper", "bisect-helper auto", "explain"}, pairsUsage, pairsValue, checkPairs},
	{"pairs", []string{"run"}, pairsUsage + "; with --against or --anchor", pairsValue, checkPairs},

	{"threshold", []string{"check", "compare"}, thresholdUsage, thresholdValue, nil},
	{"threshold", []string{"run"}, thresholdUsage + "; with --against", thresholdValue, checkTrial},
	{"alpha", []string{"check", "compare"}, alphaUsage, alphaValue, nil},
	{"alpha", []string{"run"}, alphaUsage + "; with --against", alphaValue, checkTrial},
}

const (
	thresholdUsage = "smallest `change` worth blocking, as 5% or 0.05, in place of all thresholds of perftrack.toml"
	pairsUsage     = "measure both sides in slices of milliseconds, where that can be, or in fresh processes: slices or fresh (default slices)"
	alphaUsage     = "`chance` that a harmless change is flagged, as 1% or 0.01, in place of that of perftrack.toml"
)

// measuringCommands are all commands that measure.
var measuringCommands = []string{"run", "profile", "check", "backfill", "calibrate", "bisect-helper", "bisect-helper auto", "explain"}

func benchValue(g *globals) any     { return &g.flags.Bench }
func suiteValue(g *globals) any     { return &g.flags.Suite }
func benchtimeValue(g *globals) any { return &g.flags.Benchtime }
func roundsValue(g *globals) any    { return &g.flags.Rounds }
func thresholdValue(g *globals) any { return &fraction{config.ParseThreshold, &g.session.Threshold} }
func pairsValue(g *globals) any     { return &g.flags.Pairs }
func alphaValue(g *globals) any     { return &fraction{config.ParseAlpha, &g.session.Alpha} }

// A fraction is the value of a flag that is read as perftrack.toml is.
type fraction struct {
	parse func(string) (float64, error)
	to    *float64
}

// Set reads the value.
func (f *fraction) Set(text string) (err error) {
	*f.to, err = f.parse(text)
	return err
}

// String is the default, which help does not show.
func (f *fraction) String() string { return "" }

// Type is what help calls a value that has no other name.
func (f *fraction) Type() string { return "fraction" }

// addMeasuringFlags declares the flags of the table for each of their commands.
func addMeasuringFlags(root *cobra.Command, g *globals) {
	for _, m := range measuringFlags {
		for _, of := range m.of {
			cmd, _, err := root.Find(strings.Fields(of))
			if err != nil {
				panic("declare --" + m.name + ": " + err.Error()) // a mistake in the table
			}
			switch to := m.value(g).(type) {
			case *bool:
				cmd.Flags().BoolVar(to, m.name, false, m.usage)
			case *string:
				cmd.Flags().StringVar(to, m.name, "", m.usage)
			case *int:
				cmd.Flags().IntVar(to, m.name, 0, m.usage)
			case *time.Duration:
				cmd.Flags().DurationVar(to, m.name, 0, m.usage)
			case *fraction:
				cmd.Flags().Var(to, m.name, m.usage)
			default:
				panic(fmt.Sprintf("declare --%s: add a case for %T", m.name, to))
			}
		}
	}
}

// checkMeasuringFlags checks what was given of the table's flags on the command line.
func checkMeasuringFlags(cmd *cobra.Command, g *globals) error {
	name := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
	var errs []error
	for _, m := range measuringFlags {
		if m.check != nil && slices.Contains(m.of, name) && cmd.Flags().Changed(m.name) {
			errs = append(errs, m.check(cmd, g))
		}
	}
	return errors.Join(errs...)
}

// checkTrial refuses what only a trial is judged by, where none is measured.
func checkTrial(cmd *cobra.Command, _ *globals) error {
	if !cmd.Flags().Changed("against") {
		return errors.New("--threshold and --alpha go with --against: a run alone gets no verdict")
	}
	return nil
}

// checkPairs refuses what is no way to measure, and any where there is nothing to measure beside.
func checkPairs(cmd *cobra.Command, g *globals) error {
	if cmd.Name() == "run" && !cmd.Flags().Changed("against") && !cmd.Flags().Changed("anchor") {
		return errors.New("--pairs goes with --against or --anchor: a run alone has one side")
	}
	if !slices.Contains(measure.Pairs, g.flags.Pairs) {
		return fmt.Errorf("--pairs %q is neither %s", g.flags.Pairs, strings.Join(measure.Pairs, " nor "))
	}
	return nil
}

func checkBench(_ *cobra.Command, g *globals) error {
	_, err := naming.ParsePattern(g.flags.Bench)
	return err
}

// checkBenchtime refuses here what the test binary would refuse in every single process.
func checkBenchtime(_ *cobra.Command, g *globals) error {
	s := g.flags.Benchtime
	if s == "" {
		return nil
	}
	var n int
	if _, err := fmt.Sscanf(s, "%dx", &n); err == nil && n > 0 && fmt.Sprintf("%dx", n) == s {
		return nil
	}
	if d, err := time.ParseDuration(s); err == nil && d > 0 {
		return nil
	}
	return fmt.Errorf("--benchtime %q is neither a duration such as 100ms nor a count such as 50x", s)
}

func checkRounds(least int) checkFlag {
	return func(_ *cobra.Command, g *globals) error {
		if n := g.flags.Rounds; n < least || n > record.MaxSamples {
			return fmt.Errorf("--rounds %d is not between %d and %d", n, least, record.MaxSamples)
		}
		return nil
	}
}

func checkTimeout(_ *cobra.Command, g *globals) error {
	if g.flags.Timeout < 0 {
		return fmt.Errorf("--timeout %v is negative", g.flags.Timeout)
	}
	return nil
}

// checkBudget refuses a time that no command can keep to.
func checkBudget(budget time.Duration) error {
	if budget < 0 {
		return fmt.Errorf("--budget %v is negative", budget)
	}
	return nil
}

// checkCPUs refuses what a variable that is not set leaves; the rest depends on the
// machine.
func checkCPUs(_ *cobra.Command, g *globals) error {
	if g.flags.CPUs == "" {
		return errors.New("--cpus is empty: is a variable not set?")
	}
	return nil
}

// checkProcs refuses what is no list of numbers of threads.
func checkProcs(_ *cobra.Command, g *globals) error {
	if g.flags.Procs == "" {
		return errors.New("--procs is empty: is a variable not set?")
	}
	_, err := config.ParseProcs(g.flags.Procs)
	if err != nil {
		err = fmt.Errorf("--procs: %w", err)
	}
	return err
}

// refuseEmpty refuses flags that were given without a value.
func refuseEmpty(cmd *cobra.Command, names ...string) error {
	for _, name := range names {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			return fmt.Errorf("--%s is empty: is a variable not set?", name)
		}
	}
	return nil
}
