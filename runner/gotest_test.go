package runner

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A round links only the packages measured in it.
func TestLinkOnlyPackagesOfOpenSlots(t *testing.T) {
	dir := writeModule(t, "func BenchmarkA(b *testing.B) { for b.Loop() {} }\n")
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "sub/sub_test.go", "package sub\n\nimport \"testing\"\n\nfunc BenchmarkB(b *testing.B) { for b.Loop() {} }\n")
	plan := gotestPlan(dir)
	prog, err := openGotest(t.Context(), &plan, plan.Sides[0])
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = prog.close() }()
	slots, err := prog.slots(t.Context())
	if err != nil || len(slots) != 2 {
		t.Fatalf("slots %v, %v", slots, err)
	}
	stat := func(s Slot) os.FileInfo {
		info, err := os.Stat(prog.command(s).Argv[0])
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	closed, open := stat(slots[0]), stat(slots[1])
	err = inParallel(t.Context(), prog.lacking(LayoutSeed(1), slots[1:]))
	if err = errors.Join(err, prog.use(LayoutSeed(1), slots[1:])); err != nil {
		t.Fatal(err)
	}
	if now := stat(slots[0]); !now.ModTime().Equal(closed.ModTime()) {
		t.Errorf("%s was linked, of which nothing is open", slots[0].Package)
	}
	if now := stat(slots[1]); now.ModTime().Equal(open.ModTime()) {
		t.Errorf("%s was not linked", slots[1].Package)
	}
}

// A profile takes one process per package, regardless of the number of benchmarks. In a package
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
