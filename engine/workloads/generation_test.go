package workloads

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/perftrack/perftrack/engine/profile"
	"github.com/perftrack/perftrack/engine/transformer"
)

// The time of the first token is recorded as soon as the token exists, once per inference and for
// any number of tokens.
func TestFirstTokenIsNotedAtTheFirst(t *testing.T) {
	for _, n := range []int{1, 2, 5} {
		var m Meter
		g := newGeneration(nil, transformer.Small, 4, n, generationScopes{})
		start := time.Now()
		g.infer(nil, &m, 1)
		if wall := time.Since(start); m.calls != 1 || m.firstToken <= 0 || m.firstToken > wall {
			t.Errorf("of %d tokens the first was noted %d times, after %v of %v", n, m.calls, m.firstToken, wall)
		}
	}
}

// The cost of a decoded token grows linearly with the number of tokens before it, so the mean is
// the cost of the token in the middle.
func TestDecodeFLOPsAreTheMean(t *testing.T) {
	for _, c := range []transformer.Config{transformer.Small, transformer.Medium} {
		for _, n := range []int{2, 4, 24} {
			const prompt = 10
			if got, want := decodeFLOPs(c, prompt, n), c.DecodeFLOPs(prompt+n/2); got != want {
				t.Errorf("%d tokens after a prompt of %d: %d FLOPs each, want %d", n-1, prompt, got, want)
			}
			w := inference("I", c, prompt, n)
			if want := c.PrefillFLOPs(prompt) + int64(n-1)*c.DecodeFLOPs(prompt+n/2); w.FLOPs != want {
				t.Errorf("an inference of %d tokens is %d FLOPs, want %d", n, w.FLOPs, want)
			}
		}
	}
}

// Allocations are counted with nothing else running; times are measured as the program normally
// runs.
func TestAllocationsAreCountedSerially(t *testing.T) {
	suites := []string{Memory}
	if slices.Contains(programs(), Training) {
		suites = append(suites, Training) // the suite with workers
	}
	for _, suite := range suites {
		counted, tree := runUnder(suite, parameters{}, profile.Allocations)
		if !counted.serial {
			t.Errorf("%s: the allocations were not counted serially", suite)
		}
		// The profiler adds a caveat if two workers were counted at the same time.
		if len(tree.Caveats) != 1 {
			t.Errorf("%s: caveats %q, want only that the whole process is counted", suite, tree.Caveats)
		}
	}
	if timed, _ := runUnder(Memory, parameters{}, profile.Timing); timed.serial {
		t.Error("times were taken of a serial run: that is not the program")
	}
}

// The saving is the part of the wasteful workload's bytes that is not allocated: 100 % if nothing
// is allocated, and 75 % if a quarter is.
func TestSaved(t *testing.T) {
	restore, err := setBenchtime("20x")
	if err != nil {
		t.Fatal(err)
	}
	defer restore()
	wasteful, ok := ByName(Memory, "TensorAdd_Allocating")
	if !ok {
		t.Fatal("no TensorAdd_Allocating")
	}
	w := Workload{Name: "Quarter", Suite: Memory, Wasteful: wasteful.Name, Calls: 1, Setup: func(*Meter) func() {
		return func() { sink = make([]byte, wasteful.FLOPs*floatBytes/4) }
	}}
	if got := testing.Benchmark(func(b *testing.B) { Bench(b, w) }).Extra["saved-%"]; math.Abs(got-75) > 2 {
		t.Errorf("a quarter of the bytes saves %.1f %%, want 75", got)
	}
	w.Setup = func(*Meter) func() { return func() {} }
	if got := testing.Benchmark(func(b *testing.B) { Bench(b, w) }).Extra["saved-%"]; math.Abs(got-100) > 2 {
		t.Errorf("no bytes save %.1f %%, want 100", got)
	}
}
