package main

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
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// A measuringFlag declares, documents and checks a flag of the commands that measure or judge. A
// flag whose help text differs between commands has several rows.
type measuringFlag struct {
	name  string
	of    []string // commands, as the user types them
	usage string
	value func(*globals) any // returns a pointer to the flag's variable
	check checkFlag
}

// A checkFlag checks the value that the user gave a flag. It is nil if the value needs no check, or
// cannot be checked before the machine and the target are known.
type checkFlag func(*cobra.Command, *globals) error

const benchtimeUsage = "duration or number of iterations per sample, `d` as in go test"

// measuringFlags is the table of the measuring flags. Most of their values are stored in
// [measure.Flags].
var measuringFlags = []measuringFlag{
	{"bench", []string{"run", "check", "calibrate", "backfill"}, helptext.BenchUsage, benchValue, checkBench},
	{"bench", []string{"profile"}, helptext.BenchUsage + ": profile their functions", benchValue, checkBench},
	{"bench", []string{"bisect-helper", "bisect-helper auto", "explain"}, helptext.BenchUsage + ": exactly one", benchValue, checkBench},

	{"suite", []string{"run", "check", "calibrate", "backfill"}, "only benchmarks of this `suite`", suiteValue, nil},
	{"suite", []string{"explain"}, "compare the scopes in the profile of suite `name`", suiteValue, nil},

	{"benchtime", []string{"run"}, benchtimeUsage + ": 100ms, 50x (default 100ms, in a trial 50ms)", benchtimeValue, checkBenchtime},
	{"benchtime", []string{"backfill"}, benchtimeUsage + ": 100ms, 50x (default 50ms)", benchtimeValue, checkBenchtime},
	{"benchtime", []string{"check"}, benchtimeUsage + ": 100ms, 50x (default 100ms)", benchtimeValue, checkBenchtime},
	{"benchtime", []string{"calibrate"}, benchtimeUsage + " (default as for check)", benchtimeValue, checkBenchtime},
	{"benchtime", []string{"bisect-helper", "bisect-helper auto"}, benchtimeUsage + " (default 100ms)", benchtimeValue, checkBenchtime},
	{"benchtime", []string{"profile"}, "for functions: time or iterations per process, `d` as in go test (default 1s)", benchtimeValue, checkBenchtime},
	{"benchtime", []string{"explain"}, "time or iterations per process, `d` as in go test (default 1s)", benchtimeValue, checkBenchtime},

	{"rounds", []string{"run"}, "samples per benchmark, after the warm-up (default 10, in a trial 30)", roundsValue, checkRounds(1)},
	{"rounds", []string{"backfill"}, "samples per benchmark and commit, after the warm-up (default 10)", roundsValue, checkRounds(4)}, // an interval needs at least four samples
	{"rounds", []string{"profile"}, "runs of the suite, after the warm-up (default 5, in a trial 12); for functions, profiled processes (default 3)", roundsValue, checkRounds(1)},
	{"rounds", []string{"calibrate"}, fmt.Sprintf("samples per benchmark and side, after the warm-up (default %d)", calibrate.Rounds), roundsValue, checkRounds(4)}, // an interval needs at least four samples
	{"rounds", []string{"explain"}, "rounds to measure if no trial is stored (default 30; scopes 12)", roundsValue, checkRounds(1)},

	{"timeout", measuringCommands, "time limit for one process (default 2m)", func(g *globals) any { return &g.flags.Timeout }, checkTimeout},

	{"cpus", measuringCommands, "pin benchmarks to this `list` of CPUs, as in taskset: 1 or 2-3,6; all ignores perftrack.toml. For go test's -cpu, see --procs",
		func(g *globals) any { return &g.flags.CPUs }, checkCPUs},

	{"isolate", measuringCommands, "run benchmarks in bubblewrap, without access to the network, your home folder and other processes: see perftrack help trust",
		func(g *globals) any { return &g.flags.Isolate }, nil},

	{"procs", []string{"run", "profile", "check", "backfill", "calibrate"}, "measure each benchmark at each GOMAXPROCS of this `list`, like go test's -cpu: 1,2,4. Sort-4 is a separate benchmark",
		func(g *globals) any { return &g.flags.Procs }, checkProcs},

	{"pairs", []string{"check", "calibrate", "backfill", "bisect-helper", "bisect-helper auto", "explain"}, pairsUsage, pairsValue, checkPairs},
	{"pairs", []string{"run"}, pairsUsage + "; with --against or --anchor", pairsValue, checkPairs},

	{"threshold", []string{"check", "compare"}, thresholdUsage, thresholdValue, nil},
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
var measuringCommands = []string{"run", "profile", "check", "backfill", "calibrate", "bisect-helper", "bisect-helper auto", "explain"}

func benchValue(g *globals) any     { return &g.flags.Bench }
func suiteValue(g *globals) any     { return &g.flags.Suite }
func benchtimeValue(g *globals) any { return &g.flags.Benchtime }
func roundsValue(g *globals) any    { return &g.flags.Rounds }
func thresholdValue(g *globals) any { return &fraction{config.ParseThreshold, &g.session.Threshold} }
func pairsValue(g *globals) any     { return &g.flags.Pairs }
func alphaValue(g *globals) any     { return &fraction{config.ParseAlpha, &g.session.Alpha} }

// A fraction is a flag value in the syntax that perftrack.toml uses.
type fraction struct {
	parse func(string) (float64, error)
	to    *float64
}

// Set parses text.
func (f *fraction) Set(text string) (err error) {
	*f.to, err = f.parse(text)
	return err
}

// String returns "" because the help shows no default.
func (f *fraction) String() string { return "" }

// Type returns the placeholder for the value in the help text.
func (f *fraction) Type() string { return "fraction" }

// addMeasuringFlags declares each flag in measuringFlags on its commands.
func addMeasuringFlags(root *cobra.Command, g *globals) {
	for _, m := range measuringFlags {
		for _, of := range m.of {
			cmd, _, err := root.Find(strings.Fields(of))
			if err != nil {
				panic("declare --" + m.name + ": " + err.Error()) // the table names an unknown command
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

// checkMeasuringFlags checks the flags in measuringFlags that the user set.
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

// checkTrial returns an error if a flag for trials is given without --against.
func checkTrial(cmd *cobra.Command, _ *globals) error {
	if !cmd.Flags().Changed("against") {
		return errors.New("--threshold and --alpha require --against, because a single run gets no verdict")
	}
	return nil
}

// checkPairs returns an error if the value of --pairs is unknown, or if the flag is given although
// only one side is measured.
func checkPairs(cmd *cobra.Command, g *globals) error {
	if cmd.Name() == "run" && !cmd.Flags().Changed("against") && !cmd.Flags().Changed("anchor") {
		return errors.New("--pairs requires --against or --anchor, because a single run has only one side")
	}
	if !slices.Contains(measure.Pairs, g.flags.Pairs) {
		return fmt.Errorf("--pairs %q is not %s", g.flags.Pairs, strings.Join(measure.Pairs, " or "))
	}
	return nil
}

func checkBench(_ *cobra.Command, g *globals) error {
	_, err := naming.ParsePattern(g.flags.Bench)
	return err
}

// checkBenchtime returns an error for values that no test binary would accept.
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

// checkBudget returns an error if the budget is negative.
func checkBudget(budget time.Duration) error {
	if budget < 0 {
		return fmt.Errorf("--budget %v is negative", budget)
	}
	return nil
}

// checkCPUs returns an error if the value is empty, as it is when a shell variable is not set.
// Further checks depend on the machine.
func checkCPUs(_ *cobra.Command, g *globals) error {
	if g.flags.CPUs == "" {
		return errors.New("--cpus is empty: is a variable unset?")
	}
	return nil
}

// checkProcs returns an error unless the value is a list of GOMAXPROCS values.
func checkProcs(_ *cobra.Command, g *globals) error {
	if g.flags.Procs == "" {
		return errors.New("--procs is empty: is a variable unset?")
	}
	_, err := config.ParseProcs(g.flags.Procs)
	if err != nil {
		err = fmt.Errorf("--procs: %w", err)
	}
	return err
}
