package workloads

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/engine/kernels"
)

// ProfileVariable is the variable of the environment by which perftrack asks a
// test binary, or any benchmark program, for the profile of the suite that it
// names, instead of its benchmarks.
const ProfileVariable = "PERFTRACK_PROFILE"

// DefaultSuite is the value of the variable where no suite is named.
const DefaultSuite = "default"

// RunTests is TestMain of a package with a suite's Benchmark functions, and
// returns the exit code. It adds to the output of go test -bench the
// configuration lines that the testing package does not know; without -bench
// it prints nothing. Where the environment asks for a profile it runs no test.
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

// BenchNamed runs the workload of the suite that the calling Benchmark function
// is named for.
func BenchNamed(b *testing.B, suite string) {
	name := strings.TrimPrefix(b.Name(), "Benchmark")
	w, ok := ByName(suite, name)
	if !ok {
		b.Fatalf("no workload %s in suite %s", name, suite)
	}
	Bench(b, w)
}
