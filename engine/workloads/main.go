package workloads

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/engine/kernels"
)

// Main is the benchmark program inside the perftrack binary. It measures the workloads selected by
// args and writes the output of go test -bench for this package to stdout, each row as soon as it
// has been measured. It returns the exit code: 0 for success; 1 if a workload panicked (the other
// rows are valid then) or stdout could not be written; 2 if the arguments are invalid.
//
//	-list          print the selected names, one per line, and measure nothing
//	-bench REGEXP  select the workloads by name (default all)
//	-suite NAME    select the workloads of this suite (default all)
//	-profile NAME  run this suite once under the scope profiler instead
//	-benchtime D   measure each for the duration (100ms) or count (100x)
func Main(args []string, stdout, stderr io.Writer) int {
	if err := kernels.PathErr(); err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	return run(All(), args, stdout, stderr)
}

func run(all []Workload, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("engine", flag.ContinueOnError)
	flags.SetOutput(stderr)
	list := flags.Bool("list", false, "print the selected names, one a line, and measure nothing")
	pattern := flags.String("bench", "", "select workloads by name with this `regexp` (default all)")
	suite := flags.String("suite", "", "select the workloads of suite `name` (default all)")
	profiled := flags.String("profile", "", "run suite `name` once under the scope profiler instead")
	benchtime := flags.String("benchtime", "1s", "measure each for a duration (100ms) or a count (100x), `d`")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2 // Parse has already reported the error
	case flags.NArg() > 0:
		fmt.Fprintf(stderr, "unexpected argument %q: select workloads with -bench\n", flags.Arg(0))
		return 2
	}
	if *profiled != "" {
		return profileSuite(*profiled, stdout, stderr)
	}
	matches, err := regexp.Compile(*pattern)
	if err != nil {
		fmt.Fprintf(stderr, "-bench: %v\n", err)
		return 2
	}
	restore, err := setBenchtime(*benchtime)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	defer restore()

	var selected []Workload
	for _, w := range all {
		if matches.MatchString(w.Name) && (*suite == "" || w.Suite == *suite) {
			selected = append(selected, w)
		}
	}
	if len(selected) == 0 {
		// As in go test, this is not an error, because the expression may be meant for another
		// target.
		fmt.Fprintf(stderr, "no workload matches -bench %q -suite %q\n", *pattern, *suite)
		return 0
	}
	if *list {
		for _, w := range selected {
			fmt.Fprintln(stdout, w.Name)
		}
		return 0
	}
	return measureAll(selected, stdout, stderr)
}

// profileSuite writes the profile of the suite and returns the exit code.
func profileSuite(asked string, stdout, stderr io.Writer) int {
	name, _, err := parseSuite(asked)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	if !slices.Contains(Suites(), name) {
		fmt.Fprintf(stderr, "no suite %q: there are %s\n", name, strings.Join(Suites(), ", "))
		return 2
	}
	if err := Profile(asked, stdout); err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

// measureAll measures the workloads, writes their rows and returns the exit code.
func measureAll(selected []Workload, stdout, stderr io.Writer) int {
	width := 0
	for _, w := range selected {
		width = max(width, len(rowName(w)))
	}
	code, suite := 0, ""
	for _, w := range selected {
		if w.Suite != suite {
			suite = w.Suite
			if _, err := io.WriteString(stdout, header(suite)+configuration(suite)); err != nil {
				fmt.Fprintf(stderr, "write results: %v\n", err)
				return 1
			}
		}
		result, err := measure(w)
		if err != nil {
			fmt.Fprintf(stderr, "%s: %v\n", w.Name, err)
			code = 1
			continue
		}
		// Each row is written in a single call, so a killed process leaves only complete rows.
		if _, err := fmt.Fprintf(stdout, "%-*s\t%s\t%s\n", width, rowName(w), result, result.MemString()); err != nil {
			fmt.Fprintf(stderr, "write results: %v\n", err)
			return 1
		}
	}
	return code
}

// measure benchmarks w. If the workload panics, measure returns an error with the stack trace.
func measure(w Workload) (testing.BenchmarkResult, error) {
	var failure error
	result := testing.Benchmark(func(b *testing.B) {
		defer func() {
			if v := recover(); v != nil {
				failure = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
				b.Fail() // prevents a second attempt
			}
		}()
		Bench(b, w)
	})
	return result, failure
}

// header returns the lines that the testing package prints before the first row of the suite's
// package.
func header(suite string) string {
	text := fmt.Sprintf("goos: %s\ngoarch: %s\npkg: %s\n", runtime.GOOS, runtime.GOARCH, packageOf(suite))
	if name := cpuName(); name != "" {
		text += "cpu: " + name + "\n"
	}
	return text
}

// rowName returns the name printed by go test, including GOMAXPROCS unless it is 1.
func rowName(w Workload) string {
	if n := runtime.GOMAXPROCS(0); n != 1 {
		return fmt.Sprintf("Benchmark%s-%d", w.Name, n)
	}
	return "Benchmark" + w.Name
}

// setBenchtime sets for how long, or how many times, testing.Benchmark runs a function, and returns
// a function that restores the old value. The testing package keeps this setting only in a flag,
// which testing.Init registers outside of tests.
func setBenchtime(d string) (restore func(), err error) {
	testing.Init()
	value := flag.Lookup("test.benchtime").Value
	old := value.String()
	if err := value.Set(d); err != nil {
		return nil, fmt.Errorf("-benchtime %q: %w: want a duration such as 100ms or a count such as 100x", d, err)
	}
	return func() { _ = value.Set(old) }, nil
}
