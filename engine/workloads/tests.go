package workloads

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/engine/kernels"
)

// ProfileVariable is an environment variable. If it is set, a test binary or any other benchmark
// program profiles the named suite instead of running its benchmarks.
const ProfileVariable = "PERFTRACK_PROFILE"

// DefaultSuite is the value of ProfileVariable if no suite is named.
const DefaultSuite = "default"

// RunTests serves as TestMain in a package with a suite's Benchmark functions and returns the exit
// code. With go test -bench, it prints configuration lines that the testing package does not print;
// without -bench, it prints nothing. If ProfileVariable is set, RunTests writes a profile and runs
// no tests.
func RunTests(m *testing.M, suite string) int {
	flag.Parse()
	if err := kernels.PathErr(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	if asked := os.Getenv(ProfileVariable); asked != "" {
		if asked == DefaultSuite {
			asked = Enhanced
		}
		if name, _, _ := strings.Cut(asked, " "); name == suite {
			return profileSuite(asked, os.Stdout, os.Stderr)
		}
		return 0
	}
	if flag.Lookup("test.bench").Value.String() != "" {
		if _, err := os.Stdout.WriteString(configuration(suite)); err != nil {
			fmt.Fprintf(os.Stderr, "write configuration: %v\n", err)
			return 1
		}
	}
	return m.Run()
}

// BenchNamed looks up the suite's workload by the name of the calling Benchmark function and runs
// it.
func BenchNamed(b *testing.B, suite string) {
	name := strings.TrimPrefix(b.Name(), "Benchmark")
	w, ok := ByName(suite, name)
	if !ok {
		b.Fatalf("no workload %s in suite %s", name, suite)
	}
	Bench(b, w)
}
