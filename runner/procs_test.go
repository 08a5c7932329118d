package runner

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
)

const procsBody = `
func BenchmarkA(b *testing.B) {
	b.Run("n-2", func(b *testing.B) { for b.Loop() {} ; b.ReportMetric(float64(runtime.GOMAXPROCS(0)), "threads") })
}
func BenchmarkB(b *testing.B) {
	if os.Getenv("GOMAXPROCS") != fmt.Sprint(runtime.GOMAXPROCS(0)) { b.Fatal("other from the start") }
	for b.Loop() {}
	b.ReportMetric(float64(runtime.GOMAXPROCS(0)), "threads")
}
func init() { runtime.GOMAXPROCS(5) }
`

// procsModule writes a module with benchmarks that ask the runtime for GOMAXPROCS.
func procsModule(t *testing.T) string {
	t.Helper()
	dir := writeModule(t, procsBody)
	text, err := os.ReadFile(filepath.Join(dir, "m_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "m_test.go", strings.Replace(string(text), "\t\"os\"\n", "\t\"fmt\"\n\t\"os\"\n\t\"runtime\"\n", 1))
	return dir
}

// If the target lists GOMAXPROCS values, each benchmark is measured at each of them, under the name
// printed by go test, both in fresh processes and in slices. A value set by the program itself has
// no effect. The run records that its names contain GOMAXPROCS.
func TestMeasureProcs(t *testing.T) {
	dir := procsModule(t)
	p := gotestPlan(dir)
	p.Target.Layout, p.Target.Procs, p.Rounds = config.LayoutDefault, config.Procs{1, 3}, 1
	rounds, out := measure(t, p)
	var got []string
	for _, s := range rounds[0].Samples {
		threads, _ := s.Result.Value("threads")
		got = append(got, fmt.Sprintf("%s at %g", s.Result.Name, threads))
	}
	if want := []string{"A/n-2 at 1", "A/n-2-3 at 3", "B at 1", "B-3 at 3"}; !slices.Equal(got, want) {
		t.Errorf("measured %q, want %q", got, want)
	}
	env, facts := out.Environments[0], out.Facts[0]
	if env.Get(record.KeyGOMAXPROCS) != record.ProcsInNames || facts.Get(record.KeyProcs) != "1,3" {
		t.Errorf("recorded as GOMAXPROCS %q of the list %q", env.Get(record.KeyGOMAXPROCS), facts.Get(record.KeyProcs))
	}
	before, err := program.Environment(t.Context(), p.Target, dir, nil)
	if err != nil || before.Get(record.KeyGOMAXPROCS) != record.ProcsInNames {
		t.Errorf("before it is built the environment is %v, %v", before, err)
	}
}

// If two benchmarks would have the same name, the second one fails, because their samples would be
// mixed.
func TestMeasureProcsTwice(t *testing.T) {
	dir := writeModule(t, `
func BenchmarkA(b *testing.B) {
	b.Run("n", func(b *testing.B) { for b.Loop() {} })
	b.Run("n-2", func(b *testing.B) { for b.Loop() {} })
}
`)
	p := gotestPlan(dir)
	p.Target.Layout, p.Target.Procs, p.Rounds = config.LayoutDefault, config.Procs{1, 2}, 1
	rounds, out := measure(t, p)
	var got []string
	for _, s := range rounds[0].Samples {
		got = append(got, string(s.Result.Name))
	}
	if want := []string{"A/n", "A/n-2"}; !slices.Equal(got, want) {
		t.Errorf("measured %q, want %q", got, want)
	}
	const want = "two benchmarks have the name A/n-2, one at GOMAXPROCS 1 and one at 2"
	if len(out.Failures) != 1 || !strings.Contains(out.Failures[0].Reason, want) {
		t.Errorf("failures %v, want %s", out.Failures, want)
	}
}
