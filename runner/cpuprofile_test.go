package runner

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/perftrack/perftrack/runner/livetest"
)

// The sides are profiled alternately and take turns going first, so a disturbance affects both.
func TestProfilesTakeTurns(t *testing.T) {
	dir := writeModule(t, "func BenchmarkA(b *testing.B) { for i := 0; i < b.N; i++ { _ = make([]byte, 100) } }\n")
	want := []string{"m (base) 1", "m (head) 1", "m (head) 2", "m (base) 2", "m (base) 3", "m (head) 3"}
	plan := func() (Plan, func(Progress), *[]string) {
		p := gotestPlan(dir, dir)
		p.Sides[0].Name, p.Sides[1].Name = "base", "head"
		p.Bench, p.Benchtime = "A", "1x"
		var order []string
		return p, func(now Progress) {
			if now.Stage == "profile" {
				order = append(order, fmt.Sprintf("%s %d", now.What, now.Round))
			}
		}, &order
	}
	p, progress, order := plan()
	if _, err := ProfileFunctions(context.Background(), p, 3, time.Millisecond, progress); err != nil {
		t.Fatal(err)
	}
	if got := (*order)[:min(6, len(*order))]; !slices.Equal(got, want) {
		t.Errorf("one benchmark: %q, want %q", got, want)
	}
	p, progress, order = plan()
	if _, err := ProfileBenchmarks(context.Background(), p, 3, func(b BenchmarkProfile) bool {
		if b.Err != nil || len(b.Sides) != 2 || len(b.Sides[0].CPU) != 3 || len(b.Sides[1].CPU) != 3 || b.Sides[0].PerOp <= 0 || b.Sides[1].PerOp <= 0 {
			t.Errorf("%s: %v, %+v", b, b.Err, b.Sides)
		}
		return true
	}, progress); err != nil {
		t.Fatal(err)
	}
	if got := (*order)[:min(6, len(*order))]; !slices.Equal(got, want) {
		t.Errorf("each benchmark: %q, want %q", got, want)
	}
}

// Garbage collections are counted in the trace, except for forced ones. If the trace is incomplete,
// their number is unknown.
func TestCollections(t *testing.T) {
	const line = " @0.012s 2%: 0.018+1.2+0.003 ms clock, 0.03+0.1/0.5/0+0.006 ms cpu, 4->4->1 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 2 P"
	for _, tt := range []struct {
		stderr string
		want   int
		ok     bool
	}{
		{"gc 1" + line + " (forced)\ngc 2" + line + "\nits own words\ngc 3" + line + "\n", 2, true},
		{"gc 1" + line + " (forced)\n", 0, true},
		{"gc 1" + line + "\n... 1000 bytes are left out\ngc 9" + line + "\n", 0, false},
		{"words gc 1" + line + "\ngc 2" + line + "\n", 0, false},
		{"", 0, false},
		{"gc 1 @\n", 1, true},
	} {
		if n, ok := collections([]byte(tt.stderr)); ok != tt.ok || ok && n != tt.want {
			t.Errorf("%d, %t of\n%s", n, ok, tt.stderr)
		}
	}
	for before, want := range map[string]string{"": "GODEBUG=gctrace=1", "GODEBUG=": "GODEBUG=gctrace=1", "GODEBUG=madvdontneed=1": "GODEBUG=madvdontneed=1,gctrace=1"} {
		if got := tracingCollections([]string{"A=B", before}); got[len(got)-1] != want {
			t.Errorf("%q becomes %q", before, got)
		}
	}
}

// A benchmark that allocates a lot causes garbage collections, and its peak memory is known.
func TestProfileMemory(t *testing.T) {
	p := gotestPlan(writeModule(t, `
var kept []byte
func init() {
	memory := make([]byte, 128<<20)
	for i := 0; i < len(memory); i += 1 << 10 { memory[i] = 1 }
	kept = memory[:1:1]
}
func BenchmarkA(b *testing.B) {
	kept = nil
	for range b.N {
		for range 4 { kept = make([]byte, 4<<20) }
	}
}
`))
	p.Benchtime = "20x"
	var got []FunctionProfile
	if _, err := ProfileBenchmarks(t.Context(), p, 1, func(b BenchmarkProfile) bool { got = b.Sides; return true }, nil); err != nil || len(got) == 0 {
		t.Fatal(got, err)
	}
	side := got[0]
	if side.Collections == nil || *side.Collections < 1 || side.Operations < 1 || side.Resident < 128<<20 {
		t.Errorf("collections %v in %d operations, %d bytes resident", side.Collections, side.Operations, side.Resident)
	}
}

// On both sides, the profile of an edited benchmark contains the functions called by its new
// version.
func TestProfileOfEdited(t *testing.T) {
	livetest.Skip(t)
	const code = "package p\n\nvar Sink int\n\n//go:noinline\nfunc Work() {\n\tfor i := range 1000 {\n\t\tSink += i\n\t}\n}\n"
	var dirs []string
	for _, call := range []string{"Work()", "twice()"} {
		dir := t.TempDir()
		write(t, dir, "go.mod", "module example.com/p\n\ngo 1.24\n")
		write(t, dir, "p.go", code)
		write(t, dir, "p_test.go", "package p\n\nimport \"testing\"\n\nfunc BenchmarkA(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\t"+call+
			"\n\t}\n}\n\n//go:noinline\nfunc twice() { Work(); Work() }\n")
		dirs = append(dirs, dir)
	}
	p := gotestPlan(dirs...)
	p.Bench, p.Benchtime, p.Share = "^A$", "300ms", true
	sides, err := ProfileFunctions(t.Context(), p, 1, time.Millisecond, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, side := range sides {
		if !slices.ContainsFunc(side.CPU[0].Function, func(f *profile.Function) bool { return f.Name == "example.com/p.twice" }) {
			t.Errorf("side %d does not call twice", i)
		}
	}
}
