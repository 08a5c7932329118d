package runner

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/machine"
	"github.com/perftrack/perftrack/runner/proc"
)

// twoCPUs returns two of the CPUs this process may use. It skips the test if there is only one.
func twoCPUs(t *testing.T) config.CPUs {
	t.Helper()
	cpus, err := proc.UsableCPUs()
	if err != nil || len(cpus) < 2 {
		t.Skipf("SKIPPED, PINNING IS NOT TESTED: CPUs %v, %v", cpus, err)
	}
	return cpus[:2]
}

// Benchmarks on both sides run on the plan's CPUs, with the GOMAXPROCS Go derives from these CPUs,
// and both settings are recorded.
func TestMeasurePinned(t *testing.T) {
	cpus := twoCPUs(t)
	t.Setenv("GOMAXPROCS", "") // as if the user had not set it
	const body = `
func BenchmarkA(b *testing.B) {
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(status), "Cpus_allowed_list:")
	list, _, _ := strings.Cut(rest, "\n")
	fmt.Printf("\nruns-on: %s, %d at once\n", strings.TrimSpace(list), runtime.GOMAXPROCS(0))
}
`
	module := func() string {
		dir := writeModule(t, body)
		text, err := os.ReadFile(filepath.Join(dir, "m_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, "m_test.go", strings.Replace(string(text), "\t\"os\"\n", "\t\"fmt\"\n\t\"os\"\n\t\"runtime\"\n\t\"strings\"\n", 1))
		return dir
	}
	p := gotestPlan(module(), module())
	p.Rounds, p.Target.Layout = 1, config.LayoutDefault
	for _, tt := range []struct {
		cpus     config.CPUs
		procs    int
		affinity string
		name     string
	}{
		{cpus[1:], 1, cpus[1:].String(), "A"},
		{cpus, 2, cpus.String(), "A-2"},
	} {
		p.CPUs = tt.cpus
		rounds, out := measure(t, p)
		for side := range p.Sides {
			if got, want := out.Facts[side].Get("runs-on"), fmt.Sprintf("%s, %d at once", tt.affinity, tt.procs); got != want {
				t.Errorf("CPUs %s, side %d: runs on %s, want %s", tt.cpus, side, got, want)
			}
			env := out.Environments[side]
			if a, n := env.Get("cpu-affinity"), env.Get("gomaxprocs"); a != tt.affinity || n != fmt.Sprint(tt.procs) {
				t.Errorf("CPUs %s, side %d: recorded as %s, GOMAXPROCS %s", tt.cpus, side, a, n)
			}
			if got := string(rounds[0].Samples[side].Result.Name); got != tt.name {
				t.Errorf("CPUs %s: the benchmark is called %s, want %s", tt.cpus, got, tt.name)
			}
		}
	}
}

// A build may use the whole machine. If the plan lists no CPUs, nothing is pinned or recorded.
func TestOnlyBenchmarksArePinned(t *testing.T) {
	cpus := twoCPUs(t)
	const tell = "echo $(grep Cpus_allowed_list /proc/self/status) "
	dir := t.TempDir()
	p := gotestPlan(dir)
	p.Target = config.Target{Name: "c", Kind: "command", Build: tell + ">built", Run: tell + ">ran; echo BenchmarkX 10 5 ns/op"}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(text))
	}
	_, out := measure(t, p)
	free := read("ran")
	if a := out.Environments[0].Get("cpu-affinity"); read("built") != free || a != "" {
		t.Errorf("unpinned: built on %s, ran on %s, recorded %q", read("built"), free, a)
	}
	p.CPUs = cpus[:1]
	measure(t, p)
	if want := "Cpus_allowed_list: " + p.CPUs.String(); read("built") != free || read("ran") != want {
		t.Errorf("built on %s, ran on %s, want %s and %s", read("built"), read("ran"), free, want)
	}
}

// The user's settings for Go apply to both sides and are part of the recorded environment.
func TestGoSettingsOfTheUser(t *testing.T) {
	set := map[string]string{"GOGC": "50", "GOMEMLIMIT": "1GiB", "GODEBUG": "madvdontneed=1", "GOMAXPROCS": fmt.Sprint(runtime.GOMAXPROCS(0))}
	for name := range set {
		t.Setenv(name, "")
	}
	for _, s := range machine.Environment(nil) {
		if slices.Contains([]string{"gogc", "gomemlimit", "godebug", "cpu-affinity"}, s.Key) {
			t.Errorf("%s: %s, but nothing is set", s.Key, s.Value)
		}
	}
	for name, v := range set {
		t.Setenv(name, v)
	}
	base, head := t.TempDir(), t.TempDir()
	p := gotestPlan(base, head)
	p.Target = config.Target{Name: "c", Kind: "command", Run: "env | grep -v -e ^PWD= -e ^_= | sort >env; echo BenchmarkX 10 5 ns/op"}
	p.Rounds = 1
	_, out := measure(t, p)
	var text [2]string
	for side, dir := range []string{base, head} {
		b, err := os.ReadFile(filepath.Join(dir, "env"))
		if err != nil {
			t.Fatal(err)
		}
		text[side] = "\n" + string(b)
		for name, v := range set {
			if !strings.Contains(text[side], "\n"+name+"="+v+"\n") {
				t.Errorf("side %d was not told %s=%s", side, name, v)
			}
			if got := out.Environments[side].Get(strings.ToLower(name)); got != v {
				t.Errorf("side %d: %s was %s, recorded %q", side, name, v, got)
			}
		}
	}
	if text[0] != text[1] {
		t.Errorf("the sides' variables differ:\n%s\n%s", text[0], text[1])
	}
}
