package tree

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/compare"
	_ "github.com/perftrack/perftrack/runner/drawtest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// stack parses text of the form "leaf < caller < caller".
func stack(text string, value float64) Stack {
	return Stack{Functions: strings.Split(text, " < "), Value: value}
}

const inBenchmark = " < x/p.BenchmarkA < testing.(*B).runN < testing.(*B).launch < runtime.goexit"

func TestOwnTime(t *testing.T) {
	for _, tt := range []struct{ stack, want string }{
		{"x/p.f < x/p.g" + inBenchmark, "x/p.f"},
		{"runtime.memmove < x/p.f" + inBenchmark, "x/p.f"},
		{"memeqbody < x/p.f" + inBenchmark, "x/p.f"},
		{"internal/runtime/maps.(*Map).getWithoutKey < runtime.mapaccess1 < x/p.f" + inBenchmark, "x/p.f"},
		{"runtime.memclrNoHeapPointers < runtime.mallocgcLarge < runtime.mallocgc < runtime.makeslice < x/p.f" + inBenchmark, PartAllocation},
		{"runtime.scanobject < runtime.gcDrain < runtime.gcBgMarkWorker.func2 < runtime.systemstack", PartAllocation},
		{"runtime.futex < runtime.futexsleep < runtime.notesleep < runtime.stopm < runtime.findRunnable < runtime.schedule < runtime.mcall", PartScheduling},
		{"runtime.nanotime1 < runtime.something", PartRuntime},
		{"runtime.memmove < strings.(*Builder).WriteString < x/p.f" + inBenchmark, "strings.(*Builder).WriteString"},
		{"x/p.sort[...] < x/p.f" + inBenchmark, "x/p.sort[...]"},
		{"x/runtime.f" + inBenchmark, "x/runtime.f"},
		{"x/p.worker < x/p.f.func1 < runtime.goexit", "x/p.worker"}, // a goroutine of the benchmark
		// The harness is not part of an operation.
		{"runtime.gcStart < runtime.GC < testing.(*B).runN < testing.(*B).launch", ""},
		{"x/p.setup < x/p.TestMain < main.main < runtime.main", ""},
		{"compress/flate.(*compressor).deflate < runtime/pprof.profileWriter < runtime.goexit", ""},
		{"testing.(*B).run < testing.runBenchmarks < testing.(*M).Run < main.main", ""},
	} {
		if got, _ := ownTime(strings.Split(tt.stack, " < ")); got != tt.want {
			t.Errorf("%s\n\tis time of %q, want %q", tt.stack, got, tt.want)
		}
	}
}

// profiledSide returns a profile in which each process has the given number of samples in each
// function.
func profiledSide(perOp float64, processes int, samples map[string]float64) Profile {
	s := Profile{PerOp: perOp}
	for range processes {
		var stacks []Stack
		for _, name := range sorted(samples) {
			stacks = append(stacks, stack(name+inBenchmark, samples[name]))
		}
		s.Processes = append(s.Processes, stacks)
	}
	return s
}

func TestTimeContributors(t *testing.T) {
	// x/p.mix takes 40 % longer, and the others take as long as before.
	c := TimeContributors(
		profiledSide(1.00, 8, map[string]float64{"x/p.mix": 50, "x/p.hash": 45, "x/p.rest": 5}),
		profiledSide(1.20, 8, map[string]float64{"x/p.mix": 70, "x/p.hash": 45, "x/p.rest": 5}))
	first := c.Parts[0]
	if first.Function != "x/p.mix" || math.Abs(c.Share(first)-1) > 1e-9 || !first.Certain() || c.Certain() != 1 {
		t.Errorf("the first of %d certain is %s with %.3f of the change, want x/p.mix alone with all of it", c.Certain(), first.Function, c.Share(first))
	}
	if c.Samples != [2]float64{800, 960} || c.Processes != [2]int{8, 8} || len(c.Caveats) != 0 {
		t.Errorf("of %v samples, %v processes: %v", c.Samples, c.Processes, c.Caveats)
	}
	// With few samples, such a difference is not certain.
	c = TimeContributors(profiledSide(1, 1, map[string]float64{"x/p.mix": 10, "x/p.hash": 9}), profiledSide(1.2, 1, map[string]float64{"x/p.mix": 12, "x/p.hash": 7}))
	if c.Certain() != 0 || len(c.Caveats) != 2 || c.Caveats[0].Code != compare.CodeFewSamples || c.Caveats[1].Code != CodeSampling {
		t.Errorf("of 19 samples a side, %d are certain: %v", c.Certain(), c.Caveats)
	}
	// If the time itself may be unchanged, nothing is certain.
	unsure := profiledSide(1.2, 8, map[string]float64{"x/p.mix": 50, "x/p.hash": 45, "x/p.rest": 5})
	if c := TimeContributors(profiledSide(1, 8, map[string]float64{"x/p.mix": 50, "x/p.hash": 45, "x/p.rest": 5}), unsure); c.Certain() == 0 {
		t.Error("a time that is known exactly and 20 % longer has no contributor")
	}
	unsure.Error = [2]float64{0.25, 0.1}
	if c := TimeContributors(profiledSide(1, 8, map[string]float64{"x/p.mix": 50, "x/p.hash": 45, "x/p.rest": 5}), unsure); c.Certain() != 0 {
		t.Errorf("%d certain contributors to a time that may not have changed: %+v", c.Certain(), c.Parts[0])
	}
	// Without samples on a side, the figures are unknown.
	c = TimeContributors(Profile{PerOp: 1}, profiledSide(1.2, 1, map[string]float64{"x/p.mix": 58}))
	if p := c.Parts[0]; p.Known() || p.Certain() {
		t.Errorf("without samples of base, x/p.mix is %v", p)
	}
}

// If processes differ by more than sampling can explain, the intervals become wider.
func TestSpread(t *testing.T) {
	processes := func(mix ...float64) (s Profile) {
		s.PerOp = 1
		for _, n := range mix {
			s.Processes = append(s.Processes, []Stack{stack("x/p.mix"+inBenchmark, n), stack("x/p.hash"+inBenchmark, 100-n)})
		}
		return s
	}
	steady, wild := processes(50, 50, 50, 50), processes(20, 80, 30, 70)
	width := func(c *Contributions) float64 { return c.Parts[0].Difference.Hi - c.Parts[0].Difference.Lo }
	a, b := TimeContributors(steady, steady), TimeContributors(steady, wild)
	if a.Spread != [2]float64{1, 1} || b.Spread[head] < 30 || width(b) < 2*width(a) {
		t.Errorf("spread %v and %v, width %.3f and %.3f", a.Spread, b.Spread, width(a), width(b))
	}
}

// For any samples, the parts add up to the measured total, on each side and in the difference, and
// every difference is within its interval.
func TestContributionsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := func(label string) Profile {
			s := Profile{PerOp: rapid.Float64Range(1e-9, 10).Draw(t, label)}
			for range rapid.IntRange(1, 4).Draw(t, "processes") {
				stacks := []Stack{stack("x/p.f0"+inBenchmark, 1)}
				for range rapid.IntRange(0, 6).Draw(t, "stacks") {
					name := "x/p.f" + strconv.Itoa(rapid.IntRange(0, 9).Draw(t, "function"))
					stacks = append(stacks, stack(name+inBenchmark, float64(rapid.IntRange(1, 200).Draw(t, "samples"))))
				}
				s.Processes = append(s.Processes, stacks)
			}
			return s
		}
		c := TimeContributors(side("base"), side("head"))
		var sum Pair
		for _, p := range c.Parts {
			sum.Base, sum.Head = sum.Base+p.Base, sum.Head+p.Head
			if d := p.Difference; d.Lo > d.Center+1e-12 || d.Hi < d.Center-1e-12 || c.Spread[base] < 1 || c.Spread[head] < 1 {
				t.Fatalf("%s: %v, spread %v", p.Function, d, c.Spread)
			}
		}
		if math.Abs(sum.Base-c.Total.Base) > 1e-9*c.Total.Base || math.Abs(sum.Head-c.Total.Head) > 1e-9*c.Total.Head {
			t.Fatalf("the parts are %v, the total %v", sum, c.Total)
		}
		if !slices.IsSortedFunc(c.Parts, func(a, b Contributor) int {
			if a.Certain() && !b.Certain() {
				return -1
			}
			return 0
		}) {
			t.Fatal("not in order")
		}
	})
}

func TestAllocationContributors(t *testing.T) {
	in := "runtime.mallocgc < runtime.makeslice < "
	b := []Stack{stack(in+"x/p.buffer"+inBenchmark, 1024), stack(in+"x/p.keep"+inBenchmark, 512), stack(in+"x/p.pool"+inBenchmark, 3),
		stack("compress/flate.NewWriter < runtime/pprof.newProfileBuilder < runtime.goexit", 800000)}
	h := []Stack{stack(in+"x/p.buffer"+inBenchmark, 3072), stack(in+"x/p.keep"+inBenchmark, 512), stack(in+"x/p.keep"+inBenchmark, 0.1)}
	c := AllocationContributors("B/op", b, h, Pair{1536, 3584})
	first := c.Parts[0]
	if c.Certain() != 1 || first.Function != "x/p.buffer" || first.Pair != (Pair{1024, 3072}) || math.Abs(c.Share(first)-1) > 0.01 || len(c.Caveats) != 0 {
		t.Errorf("%+v, %v", c.Parts, c.Caveats)
	}
	c = AllocationContributors("allocs/op", []Stack{stack(in+"x/p.f"+inBenchmark, 10)}, []Stack{stack(in+"x/p.f"+inBenchmark, 10.05)}, Pair{40, 40})
	if c.Certain() != 0 || c.Share(c.Parts[0]) == c.Share(c.Parts[0]) || len(c.Caveats) != 1 || c.Caveats[0].Code != CodeUnseen {
		t.Errorf("%+v, %v", c.Parts, c.Caveats)
	}
}

// No function allocates a negative amount. Small objects sharing a block are counted only once in
// the profile and attributed to no function. They make up the rest of the benchmark's count.
func TestUnknownAllocations(t *testing.T) {
	small := func(text string, value float64) Stack {
		s := stack(text+inBenchmark, value)
		s.Shared = true
		return s
	}
	b := []Stack{stack("x/p.list"+inBenchmark, 3), small("x/p.tiny", 0.5), small("x/p.first", 0.001), stack("x/p.setup"+inBenchmark, 0.002), stack("x/p.setup"+inBenchmark, -0.004),
		stack("runtime.malg < runtime.newproc1 < runtime.systemstack", 0.7)}
	h := []Stack{stack("x/p.list"+inBenchmark, 3), small("x/p.tiny", 1), stack("x/p.setup"+inBenchmark, -0.001)}
	for _, tt := range []struct {
		name          string
		unit          string
		measured      Pair
		total         Pair
		first, caveat string
	}{
		{"hidden on both sides", "allocs/op", Pair{4, 5}, Pair{4, 5}, PartUnseen + " 1 2", "x/p.tiny"},
		{"hidden on one side", "allocs/op", Pair{3, 6}, Pair{3, 6}, PartUnseen + " 0 3", "x/p.tiny"},
		{"rounded down", "allocs/op", Pair{3, 4}, Pair{3.501, 4}, "x/p.tiny 0.5 1", ""},
		{"bytes are of blocks", "B/op", Pair{3.5, 4}, Pair{3.501, 4}, "x/p.tiny 0.5 1", ""},
	} {
		c := AllocationContributors(tt.unit, b, h, tt.measured)
		first, caveat := c.Parts[0], ""
		if len(c.Caveats) > 0 {
			caveat = c.Caveats[0].Detail
		}
		if got := fmt.Sprintf("%s %g %g", first.Function, first.Base, first.Head); got != tt.first || caveat != tt.caveat || math.Abs(c.Total.Base-tt.total.Base)+math.Abs(c.Total.Head-tt.total.Head) > 1e-12 {
			t.Errorf("%s: first %q, total %v, caveat %q; want %q, %v, %q", tt.name, got, c.Total, caveat, tt.first, tt.total, tt.caveat)
		}
		for _, p := range c.Parts {
			if p.Base < 0 || p.Head < 0 || p.Function == "x/p.setup" {
				t.Errorf("%s: %s allocates %v", tt.name, p.Function, p.Pair)
			}
		}
	}
}

// A changed function is the cause if it calls another function more often, even if its own time is
// unchanged.
func TestCauses(t *testing.T) {
	side := func(perOp, mixes float64) Profile {
		s := Profile{PerOp: perOp}
		for range 8 {
			s.Processes = append(s.Processes, []Stack{
				stack("x/leaf.Mix < x/p.body < x/p.Encode"+inBenchmark, mixes), stack("x/leaf.Mix < x/p.header < x/p.Encode"+inBenchmark, 40),
				stack("x/p.walk < x/p.walk < x/p.Encode"+inBenchmark, 10),
			})
		}
		return s
	}
	c := TimeContributors(side(1, 50), side(1.5, 100))
	c.Mark(func(function string) bool { return function == "x/p.body" || function == "x/p.header" })
	if c.Parts[0].Function != "x/leaf.Mix" || c.Certain() != 1 {
		t.Errorf("%d certain by themselves, the first %s; want x/leaf.Mix alone", c.Certain(), c.Parts[0].Function)
	}
	causes, callers := c.Causes(), c.Callers()
	if len(causes) != 1 || causes[0].Function != "x/p.body" || math.Abs(causes[0].Cumulative.Difference.Center-0.5) > 1e-9 || causes[0].Certain() {
		t.Errorf("causes: %+v, want x/p.body with 0.5 s more in what it calls", causes)
	}
	if len(callers) != 1 || callers[0].Function != "x/p.Encode" {
		t.Errorf("callers: %+v, want x/p.Encode", callers)
	}
	for _, p := range c.Parts {
		if p.Function == "x/p.walk" && p.Cumulative.Samples != [2]float64{80, 80} {
			t.Errorf("x/p.walk, which calls itself, is in %v samples, want 80 on both sides", p.Cumulative.Samples)
		}
	}
	alloc := func(n float64) []Stack { return []Stack{stack("x/leaf.New < x/p.body < x/p.Encode"+inBenchmark, n)} }
	b := AllocationContributors("B/op", alloc(64), alloc(128), Pair{64, 128})
	b.Mark(func(function string) bool { return function == "x/p.body" })
	if causes := b.Causes(); b.Parts[0].Function != "x/leaf.New" || len(causes) != 1 || causes[0].Function != "x/p.body" || causes[0].Cumulative.Pair != (Pair{64, 128}) {
		t.Errorf("of bytes: %+v", causes)
	}
}

func TestScopeContributors(t *testing.T) {
	run := func(slower float64) *record.Run {
		var rounds []string
		for round := range 12 {
			wobble := 1 + 0.001*float64(round%5)
			leaf, total := 400*wobble*slower, 1000*wobble+400*wobble*(slower-1)
			rounds = append(rounds, fmt.Sprintf("Run 1 %g ns/op\nRun/Leaf 2 %g ns/op\nRun/Other 1 %g ns/op\n", total, leaf/2, 100*wobble))
		}
		return runtest.Profile(t, rounds...)
	}
	all := ScopeContributors(run(1), run(1.5))
	for _, p := range all[0].Parts {
		if d := p.Difference; d.Center != p.Head-p.Base || d.Lo > d.Center || d.Hi < d.Center {
			t.Errorf("%s: from %v to %v is %+v", p.Function, p.Base, p.Head, d)
		}
	}
	if len(all) != 1 {
		t.Fatalf("%d suites", len(all))
	}
	c := all[0]
	if first := c.Parts[0]; c.Suite != "s" || c.Certain() != 1 || first.Function != "Run/Leaf" || !(c.Change.Lo > 0) || math.Abs(c.Share(first)-1) > 0.01 || math.Abs(first.Difference.Center-200e-9) > 2e-9 {
		t.Errorf("%+v", c)
	}
	if same := ScopeContributors(run(1), run(1))[0]; same.Certain() != 0 || len(same.Caveats) != 1 || same.Share(same.Parts[0]) == same.Share(same.Parts[0]) {
		t.Errorf("nothing changed: %+v", same)
	}
}
