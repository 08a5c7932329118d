package runner

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A profile needs one process per package, regardless of the number of benchmarks. In a package
// that prints no profile, no benchmark runs.
func TestMeasureGotestProfile(t *testing.T) {
	dir := writeModule(t, `
func TestMain(m *testing.M) {
	if suite := os.Getenv("PERFTRACK_PROFILE"); suite != "" {
		os.Stdout.WriteString("suite: " + suite + "\nprofile: scopes\nBenchmarkParse 1 1000 ns/op\nprofile:\nBenchmarkC 1 1 ns/op\n")
		return
	}
	os.Exit(m.Run())
}

func BenchmarkA(b *testing.B) {}
func BenchmarkB(b *testing.B) {}
`)
	plain := filepath.Join(dir, "plain")
	if err := os.Mkdir(plain, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, plain, "plain_test.go", "package plain\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc BenchmarkPlain(b *testing.B) { _ = os.WriteFile(\"ran\", nil, 0o644) }\n")
	p := gotestPlan(dir)
	p.Profile, p.Benchtime = "parse", ""
	p.Target.Layout = "default"
	rounds, out := measure(t, p)
	if got := rows(rounds); !slices.Equal(got, []string{"1 0 0 Parse", "2 0 0 Parse"}) || len(out.Failures) > 0 {
		t.Errorf("measured %q, failures %v", got, out.Failures)
	}
	for _, r := range rounds {
		for _, s := range r.Samples {
			if suite, pkg := s.Result.GetConfig("suite"), s.Result.GetConfig("pkg"); suite != "parse" || pkg != "" {
				t.Errorf("the scopes are of suite %q and package %q", suite, pkg)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(plain, "ran")); err == nil {
		t.Error("a benchmark ran during a profile")
	}
}
