package tree

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func outward(value float64, outermostFirst ...string) Stack {
	s := Stack{Value: value}
	for i := len(outermostFirst) - 1; i >= 0; i-- {
		s.Functions = append(s.Functions, outermostFirst[i])
	}
	return s
}

func underBenchmark(value float64, path ...string) Stack {
	return outward(value, append([]string{"runtime.goexit", "testing.(*B).launch", "testing.(*B).runN", "m.BenchmarkSort"}, path...)...)
}

// text formats a tree in the form that the tests expect.
func (s *Sampled) text() string {
	var b strings.Builder
	var walk func(nodes []*Node, indent string)
	walk = func(nodes []*Node, indent string) {
		for _, n := range nodes {
			fmt.Fprintf(&b, "%s%s %v/%v self %v/%v\n", indent, n.Function, n.Total.Base, n.Total.Head, n.Self.Base, n.Self.Head)
			walk(n.Children, indent+" ")
		}
	}
	walk(s.Roots, "")
	for _, f := range s.Functions {
		fmt.Fprintf(&b, "= %s %v/%v self %v/%v\n", f.Function, f.Total.Base, f.Total.Head, f.Self.Base, f.Self.Head)
	}
	return b.String()
}

func TestSampledOfOneSide(t *testing.T) {
	s := NewSampled(nil, []Stack{
		underBenchmark(60, "m.Sort", "m.less"), underBenchmark(20, "m.Sort"), underBenchmark(5, "m.Sort", "runtime.memmove"),
		underBenchmark(10, "m.Sort", "m.grow", "runtime.mallocgc"),
		outward(7, "runtime.goexit", "runtime.gcBgMarkWorker", "runtime.scanobject"),
		outward(100, "runtime.main", "main.main", "testing.(*M).Run"),         // the harness
		underBenchmark(50, "testing.(*B).Run", "testing.(*B).run", "m.other"), // starts a sub-benchmark
	}, false)
	const want = `m.BenchmarkSort NaN/95 self NaN/0
 m.Sort NaN/95 self NaN/20
  m.less NaN/60 self NaN/60
  m.grow NaN/10 self NaN/0
   runtime.mallocgc NaN/10 self NaN/10
  runtime.memmove NaN/5 self NaN/5
runtime.gcBgMarkWorker NaN/7 self NaN/0
 runtime.scanobject NaN/7 self NaN/7
= m.less NaN/60 self NaN/60
= m.Sort NaN/95 self NaN/25
= (allocation and GC) NaN/17 self NaN/17
= m.BenchmarkSort NaN/95 self NaN/0
= m.grow NaN/10 self NaN/0
`
	if got := s.text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if s.Total.Head != 102 || !math.IsNaN(s.Total.Base) {
		t.Errorf("total %v", s.Total)
	}
}

func TestSampledOfTwoSides(t *testing.T) {
	s := NewSampled(
		[]Stack{underBenchmark(40, "m.Sort"), underBenchmark(30, "m.Sort", "m.old")},
		[]Stack{underBenchmark(40, "m.Sort"), underBenchmark(90, "m.Sort", "m.new"), underBenchmark(10, "m.Sort", "m.new", "m.Sort")}, false)
	const want = `m.BenchmarkSort 70/140 self 0/0
 m.Sort 70/140 self 40/40
  m.new 0/100 self 0/90
   m.Sort 0/10 self 0/10
  m.old 30/0 self 30/0
= m.new 0/100 self 0/90
= m.Sort 70/140 self 40/50
= m.old 30/0 self 30/0
= m.BenchmarkSort 70/140 self 0/0
`
	if got := s.text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A function calling itself, directly or indirectly, counts the time of each sample only once.
func TestSampledRecursionCountsOnce(t *testing.T) {
	s := NewSampled(nil, []Stack{
		underBenchmark(10, "m.walk", "m.walk", "m.walk", "m.visit"), underBenchmark(5, "m.walk", "m.each", "m.walk", "m.each"), underBenchmark(1, "m.walk", "m.walk"),
	}, false)
	want := map[string][2]float64{"m.BenchmarkSort": {0, 16}, "m.walk": {1, 16}, "m.each": {5, 5}, "m.visit": {10, 10}}
	for _, f := range s.Functions {
		if got := [2]float64{f.Self.Head, f.Total.Head}; got != want[f.Function] {
			t.Errorf("%s has %v of its own and with what it calls, want %v", f.Function, got, want[f.Function])
		}
		delete(want, f.Function)
	}
	if len(want) > 0 || s.Total.Head != 16 {
		t.Errorf("left out: %v, total %v", want, s.Total)
	}
}

// Allocations are the difference between two processes: those common to both, such as allocations
// during setup, are not part of an operation, and neither are the runtime's own.
func TestSampledAllocations(t *testing.T) {
	s := NewSampled(nil, []Stack{
		underBenchmark(4096, "m.Sort", "m.grow"), underBenchmark(8, "m.setup"), underBenchmark(-8, "m.setup"),
		outward(64, "runtime.goexit", "runtime.allocm"), underBenchmark(48, "testing.(*B).Run", "testing.(*B).run", "testing.BenchmarkResult.String"), outward(32, "runtime.main", "main.main", "testing.(*M).Run"),
	}, true)
	const want = `m.BenchmarkSort NaN/4096 self NaN/0
 m.Sort NaN/4096 self NaN/0
  m.grow NaN/4096 self NaN/4096
= m.grow NaN/4096 self NaN/4096
= m.BenchmarkSort NaN/4096 self NaN/0
= m.Sort NaN/4096 self NaN/0
`
	if got := s.text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if empty := NewSampled(nil, nil, true); len(empty.Roots) != 0 || empty.Total.Head != 0 {
		t.Errorf("of nothing: %+v", empty)
	}
}
