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

// Main is the benchmark program inside the perftrack binary: it measures the
// workloads that args select and writes to stdout what go test -bench writes
// for this package, each row as soon as it is measured. It returns the exit
// code: 0; 1 if a workload panicked or stdout could not be written, the other
// rows being valid; 2 for arguments it does not understand.
//
//	-list          print the selected names, one a line, and measure nothing
//	-bench REGEXP  select the workloads whose name matches (default all)
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
	pattern := flags.String("bench", "", "select the workloads whose name matches `regexp` (default all)")
	suite := flags.String("suite", "", "select the workloads of suite `name` (default all)")
	profiled := flags.String("profile", "", "run suite `name` once under the scope profiler instead")
	benchtime := flags.String("benchtime", "1s", "measure each for a duration (100ms) or a count (100x), `d`")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2 // Parse has told stderr
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
		// As for go test, not an error: the expression may be for another target.
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

// profileSuite writes the suite's profile and returns the exit code.
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

// measureAll writes the rows of the workloads and returns the exit code.
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
		// One write a row: what a killed process leaves behind is whole rows.
		if _, err := fmt.Fprintf(stdout, "%-*s\t%s\t%s\n", width, rowName(w), result, result.MemString()); err != nil {
			fmt.Fprintf(stderr, "write results: %v\n", err)
			return 1
		}
	}
	return code
}

// measure benchmarks w. A panic of the workload is returned as an error, with
// its stack.
func measure(w Workload) (testing.BenchmarkResult, error) {
	var failure error
	result := testing.Benchmark(func(b *testing.B) {
		defer func() {
			if v := recover(); v != nil {
				failure = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
				b.Fail() // no second attempt
			}
		}()
		Bench(b, w)
	})
	return result, failure
}

// header returns what the testing package writes before the first row of the
// suite's package.
func header(suite string) string {
	text := fmt.Sprintf("goos: %s\ngoarch: %s\npkg: %s\n", runtime.GOOS, runtime.GOARCH, packageOf(suite))
	if name := cpuName(); name != "" {
		text += "cpu: " + name + "\n"
	}
	return text
}

// rowName is the name that go test prints: with GOMAXPROCS unless that is 1.
func rowName(w Workload) string {
	if n := runtime.GOMAXPROCS(0); n != 1 {
		return fmt.Sprintf("Benchmark%s-%d", w.Name, n)
	}
	return "Benchmark" + w.Name
}

// setBenchtime sets for how long, or how often, testing.Benchmark runs a
// function, and returns how to undo it. The testing package keeps that in a
// flag only, which testing.Init declares outside of tests.
func setBenchtime(d string) (restore func(), err error) {
	testing.Init()
	value := flag.Lookup("test.benchtime").Value
	old := value.String()
	if err := value.Set(d); err != nil {
		return nil, fmt.Errorf("-benchtime %q: %w: want a duration such as 100ms or a count such as 100x", d, err)
	}
	return func() { _ = value.Set(old) }, nil
}
