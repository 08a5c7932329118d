package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/build"
)

// openModule builds a module with the given number of packages, each with a benchmark B. The source
// of all but the first is unique, so they are not in the build cache.
func openModule(t testing.TB, packages int) (*gotestProgram, []Slot) {
	t.Helper()
	dir := writeModule(t, "func BenchmarkB(b *testing.B) {}\n")
	for i := 1; i < packages; i++ {
		name := fmt.Sprintf("p%d", i)
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, dir, name+"/p.go", fmt.Sprintf("package p\n\nvar Now = %d\n", time.Now().UnixNano()))
		write(t, dir, name+"/p_test.go", "package p_test\n\nimport (\n\t\"testing\"\n\n\tp \"example.com/m/"+name+"\"\n)\n\nfunc BenchmarkB(b *testing.B) { p.Now++ }\n")
	}
	plan := gotestPlan(dir)
	prog, err := openGotest(t.Context(), &plan, plan.Sides[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := prog.close(); err != nil {
			t.Error(err)
		}
	})
	slots, err := prog.slots(t.Context())
	if err != nil || len(slots) != packages {
		t.Fatalf("slots %v, %v", slots, err)
	}
	return prog.(*gotestProgram), slots
}

func readFile(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A seed results in the same binary, whichever way it is linked.
func TestLinkedAgainIsTheSame(t *testing.T) {
	g, slots := openModule(t, 2)
	seed := LayoutSeed(1)
	for i, pkg := range g.pkgs {
		if _, ok := g.recipes.find(pkg.ImportPath); ok && i == 1 {
			t.Errorf("the recipe of %s needs what the go command has removed", pkg.ImportPath)
		}
		byGo := filepath.Join(t.TempDir(), "m.test")
		if err := g.link(t.Context(), pkg, LayoutSeed(2), byGo, 1); err != nil { // learns the recipe if there is none yet
			t.Fatal(err)
		}
		if err := g.test(t.Context(), "m", seed, nil, byGo, pkg.ImportPath); err != nil {
			t.Fatal(err)
		}
		again := filepath.Join(t.TempDir(), "m.test")
		if !g.linkAgain(t.Context(), pkg, seed, again, 2) {
			t.Fatalf("%s has no recipe", pkg.ImportPath)
		}
		if !bytes.Equal(readFile(t, byGo), readFile(t, again)) {
			t.Errorf("%s is not what the go command links", pkg.ImportPath)
		}
		if bytes.Equal(readFile(t, again), readFile(t, g.command(slots[i]).Argv[0])) {
			t.Errorf("%s has the layout of another seed", pkg.ImportPath)
		}
	}
}

// If a link cannot be repeated, the go command links the binary, and a new recipe is learned.
func TestLinkWithoutRecipe(t *testing.T) {
	g, _ := openModule(t, 1)
	pkg := g.pkgs[0]
	first, again, own := filepath.Join(g.bin, "first"), filepath.Join(g.bin, "again"), filepath.Join(g.bin, "own")
	if err := g.link(t.Context(), pkg, LayoutSeed(1), first, 1); err != nil {
		t.Fatal(err)
	}
	r, ok := g.recipes.find(pkg.ImportPath)
	if !ok {
		t.Fatal("no recipe was learnt")
	}
	if err := os.Remove(r.importcfg); err != nil {
		t.Fatal(err)
	}
	if err := g.link(t.Context(), pkg, LayoutSeed(1), again, 1); err != nil {
		t.Fatal(err)
	}
	now, ok := g.recipes.find(pkg.ImportPath)
	if !ok || now.importcfg == r.importcfg {
		t.Errorf("after %s was lost there is the recipe %v", r.importcfg, now)
	}
	g.flags = "-toolexec=/usr/bin/env"
	if err := os.Remove(now.importcfg); err != nil {
		t.Fatal(err)
	}
	if err := g.link(t.Context(), pkg, LayoutSeed(1), own, 1); err != nil {
		t.Fatal(err)
	}
	if _, ok := g.recipes.find(pkg.ImportPath); ok {
		t.Error("there is a recipe although the last one was lost and the user's own -toolexec is in use")
	}
	for _, file := range []string{again, own} {
		if !bytes.Equal(readFile(t, file), readFile(t, first)) {
			t.Errorf("%s is another binary", file)
		}
	}
}

// A recipe refers only to files that outlive the run of the go command.
func TestRecipe(t *testing.T) {
	list := filepath.Join(t.TempDir(), "importcfg")
	for _, tt := range []struct {
		argv, list string
		seed       int // index of the seed in argv, or 0 if there is no recipe
	}{
		{"link -o /w/b1/x.test -importcfg /w/b1/importcfg -s -randlayout=7 /cache/x", "packagefile x=/cache/x", 6},
		{"link -o /w/b1/x.test -importcfg /w/b1/importcfg -randlayout=3 -randlayout=7 /cache/x", "", 6},
		{"link -o /w/b1/x.test -importcfg /w/b1/importcfg -s -randlayout=7 /w/b2/x", "", 0},
		{"link -o /w/b1/x.test -importcfg /w/b1/importcfg -fipso /w/b1/fips.o -randlayout=7 /cache/x", "", 0},
		{"link -o /w/b1/x.test -importcfg /w/b1/importcfg -randlayout=7 /cache/x", "packagefile x=/w/b2/_pkg_.a", 0},
		{"link -o /w/b1/x.test -importcfg /w/b1/importcfg -s /cache/x", "", 0},
		{"link", "", 0},
	} {
		if err := os.WriteFile(list, []byte(tt.list), 0o600); err != nil {
			t.Fatal(err)
		}
		r, ok := recordedLink{argv: strings.Fields(tt.argv), importcfg: list}.recipe()
		if ok != (tt.seed > 0) || ok && r.seed != tt.seed {
			t.Errorf("%s, %q: recipe %v with the seed at %d", tt.argv, tt.list, ok, r.seed)
		}
	}
}

// Rounds are linked ahead only if they are certain to be measured and their binaries fit within the
// limit.
func TestLinkAhead(t *testing.T) {
	g, slots := openModule(t, 1)
	binary := g.command(slots[0]).Argv[0]
	rounds := func(plan func(m *measurement)) int {
		m := &measurement{Plan: *g.plan, programs: []program{g}}
		m.Rounds = 1000
		plan(m)
		return len(m.linkJobs(1, [][]Slot{slots}))
	}
	all := rounds(func(*measurement) {})
	if all < jobsPerCPU || all > 1000 {
		t.Errorf("%d rounds are linked ahead of 1000", all)
	}
	for _, tt := range []struct {
		name string
		plan func(m *measurement)
		want int
	}{
		{"the last rounds", func(m *measurement) { m.Rounds = 3 }, 3},
		{"each round decides", func(m *measurement) { m.schedule.Open = func(Slot) bool { return true } }, 1},
		{"two are sure", func(m *measurement) { m.First, m.schedule.Needed = 31, func(round int) int { return round + 1 } }, 2},
		{"nothing is sure", func(m *measurement) { m.schedule.Needed = func(int) int { return 0 } }, 1},
		{"large binaries", func(*measurement) { truncate(t, binary, AheadLimit/3) }, 3},
		{"one that is larger than the limit", func(*measurement) { truncate(t, binary, AheadLimit+1) }, 1},
	} {
		if got := rounds(tt.plan); got != tt.want {
			t.Errorf("%s: %d rounds are linked, want %d", tt.name, got, tt.want)
		}
	}
}

// truncate sets a file's size. If the file grows, the new part is a hole.
func truncate(t *testing.T, file string, size int64) {
	if err := os.Truncate(file, size); err != nil {
		t.Fatal(err)
	}
}

// Binaries linked ahead are used and removed round by round, even for a package that only one side
// has and whose benchmark is closed before the last of these rounds.
func TestMeasureLinkedAhead(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	if linkers() == 1 { // a single linker would link only two rounds at once
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	}
	base := writeModule(t, "func BenchmarkA(b *testing.B) {}\n")
	head := writeModule(t, "func BenchmarkA(b *testing.B) {}\n")
	if err := os.Mkdir(filepath.Join(head, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, head, "sub/sub_test.go", "package sub\n\nimport \"testing\"\n\nfunc BenchmarkNew(b *testing.B) {}\n")
	p := gotestPlan(base, head)
	p.Rounds = 3
	var did []string
	waiting := func() int {
		files, _ := filepath.Glob(filepath.Join(os.TempDir(), "perftrack-bin-*", "[1-9]*", "*.test"))
		return len(files)
	}
	schedule := Schedule{
		Open:   func(s Slot) bool { return s.Bench == "A" || len(did) < 3 },
		Needed: func(int) int { return 3 },
	}
	_, _, err := drive(t.Context(), p, schedule, func(p Progress) {
		if p.Stage == "link" {
			did = append(did, fmt.Sprintf("link in round %d", p.Round))
		}
	}, func(r Round) {
		did = append(did, fmt.Sprintf("round %d: %d samples, %d binaries wait", r.N, len(r.Samples), waiting()))
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"link in round 1", "round 1: 3 samples, 6 binaries wait", "round 2: 3 samples, 3 binaries wait", "round 3: 2 samples, 0 binaries wait"}
	if !slices.Equal(did, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(did, "\n"), strings.Join(want, "\n"))
	}
}

// Pressing Ctrl-C while several rounds are being linked leaves no files behind.
func TestInterruptedLinkLeavesNothing(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	p := gotestPlan(writeModule(t, "func BenchmarkA(b *testing.B) {}\n"))
	p.Rounds = 100
	ctx, interrupt := context.WithCancel(t.Context())
	m, err := Build(ctx, p, func(p Progress) {
		if p.Stage == "link" {
			time.AfterFunc(50*time.Millisecond, interrupt)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range m.Rounds(ctx, Schedule{}) {
		err = e
	}
	if cleanup := m.Close(); !errors.Is(err, context.Canceled) || cleanup != nil {
		t.Errorf("interrupted: %v, cleanup %v", err, cleanup)
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// A package that no longer links ends the measurement, and the error names the package and its
// side.
func TestLinkFails(t *testing.T) {
	g, slots := openModule(t, 2)
	g.recipes = recipes{}
	write(t, g.pkgs[1].Dir, "p.go", "package p\n\nvar Now = missing\n")
	m := &measurement{Plan: *g.plan, programs: []program{g}}
	m.Sides = []Side{{Name: "head"}}
	err := inParallel(t.Context(), m.linkJobs(1, [][]Slot{slots}))
	var side *SideError
	var failed *build.Error
	if !errors.As(err, &side) || side.Side != "head" || !errors.As(err, &failed) || failed.What != "example.com/m/p1" || !strings.Contains(failed.Output, "undefined: missing") {
		t.Errorf("the link ends with %v", err)
	}
}

// BenchmarkLink links a binary with a new layout on all CPUs, both with the go command and by its
// recipe.
func BenchmarkLink(b *testing.B) {
	g, _ := openModule(b, 1)
	pkg, to := g.pkgs[0], b.TempDir()
	for _, way := range []struct {
		name string
		link func(ctx context.Context, seed uint64, to string, cpus int) error
	}{
		{"go", func(ctx context.Context, seed uint64, to string, _ int) error {
			return g.test(ctx, "m", seed, nil, to, pkg.ImportPath)
		}},
		{"recipe", func(ctx context.Context, seed uint64, to string, cpus int) error {
			return g.link(ctx, pkg, seed, to, cpus)
		}},
	} {
		b.Run(way.name, func(b *testing.B) {
			seed := uint64(0)
			for b.Loop() {
				var jobs []linkJob
				for i := range linkers() {
					seed++
					now, file := seed, filepath.Join(to, fmt.Sprint(i))
					jobs = append(jobs, linkJob{run: func(ctx context.Context, cpus int) error { return way.link(ctx, now, file, cpus) }})
				}
				if err := inParallel(b.Context(), jobs); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(seed), "s/binary")
		})
	}
}
