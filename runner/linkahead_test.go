package runner

import (
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
	"github.com/perftrack/perftrack/runner/program"
)

// openPlan builds the first side of a plan.
func openPlan(t *testing.T, p Plan) (program.Program, []program.Slot) {
	t.Helper()
	prog, err := program.Open(t.Context(), &p.Spec, p.Sides[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := prog.Close(); err != nil {
			t.Error(err)
		}
	})
	slots, err := prog.Slots(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return prog, slots
}

// Rounds are linked ahead only if they are certain to be measured and their binaries fit within the
// limit.
func TestLinkAhead(t *testing.T) {
	plan := gotestPlan(writeModule(t, "func BenchmarkB(b *testing.B) {}\n"))
	g, slots := openPlan(t, plan)
	binary := g.Command(slots[0]).Argv[0]
	rounds := func(change func(m *measurement)) int {
		m := &measurement{Plan: plan, programs: []program.Program{g}}
		m.Rounds = 1000
		change(m)
		return len(m.linkJobs(1, [][]program.Slot{slots}))
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
		{"each round decides", func(m *measurement) { m.schedule.Open = func(program.Slot) bool { return true } }, 1},
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

// Binaries linked ahead are used and removed round by round, even for a package on only one side,
// and for a benchmark closed before the last of these rounds.
func TestMeasureLinkedAhead(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	if program.Linkers() == 1 { // a single linker would link only two rounds at once
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
		Open:   func(s program.Slot) bool { return s.Bench == "A" || len(did) < 3 },
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
	t.Setenv("GOFLAGS", "-toolexec=/usr/bin/env") // so that the go command does each link
	dir := writeModule(t, "func BenchmarkB(b *testing.B) {}\n")
	if err := os.Mkdir(filepath.Join(dir, "p1"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "p1/p.go", "package p\n\nvar Now = 1\n")
	write(t, dir, "p1/p_test.go", "package p\n\nimport \"testing\"\n\nfunc BenchmarkB(b *testing.B) { Now++ }\n")
	plan := gotestPlan(dir)
	g, slots := openPlan(t, plan)
	write(t, dir, "p1/p.go", "package p\n\nvar Now = missing\n")
	m := &measurement{Plan: plan, programs: []program.Program{g}}
	m.Sides = []program.Side{{Name: "head"}}
	err := program.RunJobs(t.Context(), m.linkJobs(1, [][]program.Slot{slots}))
	var side *SideError
	var failed *build.Error
	if !errors.As(err, &side) || side.Side != "head" || !errors.As(err, &failed) || failed.What != "example.com/m/p1" || !strings.Contains(failed.Output, "undefined: missing") {
		t.Errorf("the link ends with %v", err)
	}
}
