package tree

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

func onlyTree(t *testing.T, run *record.Run) *Tree {
	t.Helper()
	trees := Of(run)
	if len(trees) != 1 {
		t.Fatalf("%d trees", len(trees))
	}
	return trees[0]
}

func TestCallTree(t *testing.T) {
	tree := onlyTree(t, runtest.Profile(t, `
		A 2 100 ns/op 40 self-ns/op 90 min-ns/op 110 max-ns/op 64 B/op 2 allocs/op
		A/B 4 20 ns/op 20 self-ns/op 10 min-ns/op 30 max-ns/op 16 B/op 1 allocs/op
		A/C 2 20 ns/op 0 B/op 0 allocs/op
		A/C/B 1 30 ns/op 30 self-ns/op
		D 1 800 ns/op`))
	if tree.Suite != "s" || tree.Total != 1000 || tree.Bytes != 128 || !tree.Counted || len(tree.Scopes) != 2 {
		t.Errorf("tree %+v", tree)
	}
	a := tree.Scopes[0]
	if a.Path != "A" || a.Calls != 2 || a.Total != 200 || a.Self != 80 || a.Min != 90 || a.Max != 110 || a.Bytes != 128 || a.SelfBytes != 64 || a.Objects != 4 {
		t.Errorf("A is %+v", a)
	}
	c := a.Children[1]
	if c.Name != "C" || c.Total != 40 || c.Self != 10 || !math.IsNaN(c.Min) || c.Children[0].Path != "A/C/B" {
		t.Errorf("C is %+v: without self time its own is what its children leave", c)
	}
	var names []string
	sum := 0.0
	for _, m := range tree.Methods() {
		names = append(names, fmt.Sprintf("%s %d %g %g", m.Name, m.Calls, m.Total, m.Self))
		sum += m.Self
	}
	if got, want := strings.Join(names, ", "), "D 1 800 800, B 5 110 110, A 2 200 80, C 2 40 10"; got != want {
		t.Errorf("methods %s, want %s", got, want)
	}
	if sum != tree.Total || tree.Busy != tree.Total {
		t.Errorf("the self times add up to %g of %g", sum, tree.Total)
	}
}

// The total of a method calling itself counts only its outermost calls, and a scope without its
// parent becomes a child of its nearest ancestor.
func TestCallTreeRecursionAndGaps(t *testing.T) {
	tree := onlyTree(t, runtest.Profile(t, `
		R 1 100 ns/op 30 self-ns/op
		R/R 1 70 ns/op 70 self-ns/op
		X/Y 1 5 ns/op
		R/gone/Z 1 0 ns/op`))
	if got := tree.Methods()[0]; got.Name != "R" || got.Total != 100 || got.Self != 100 || got.Calls != 2 {
		t.Errorf("R is %+v", got)
	}
	if len(tree.Scopes) != 2 || tree.Scopes[1].Name != "X/Y" || tree.Scopes[0].Children[1].Name != "gone/Z" {
		t.Errorf("scopes %+v", tree.Scopes)
	}
}

// Together, the workers of a scope worked longer than the scope took.
func TestCallTreeForked(t *testing.T) {
	tree := onlyTree(t, runtest.Profile(t, `
		P 1 100 ns/op 90 self-ns/op
		P/Work 2 80 ns/op 80 self-ns/op`))
	p := tree.Scopes[0]
	if p.Forked != 150 || p.Self != 0 || p.Waiting != 90 || tree.Busy != 160 || tree.Base() != 160 || tree.Gap != 0 {
		t.Errorf("forked %g, self %g, waiting %g, busy %g of %g: the scope waited for its workers", p.Forked, p.Self, p.Waiting, tree.Busy, tree.Base())
	}
	if m := tree.Methods(); m[0].Name != "Work" || m[1].Waiting != 90 || m[1].Self != 0 {
		t.Errorf("methods %+v and %+v: waiting is no work", m[0], m[1])
	}
}

// A single worker is recognized even if it worked for less time than its scope waited.
func TestCallTreeForkedLittle(t *testing.T) {
	tree := onlyTree(t, runtest.Profile(t, `
		P 1 1000 ns/op 990 self-ns/op
		P/Work 1 15 ns/op 15 self-ns/op`))
	if p := tree.Scopes[0]; p.Forked != 5 || p.Waiting != 990 || tree.Busy != 15 || tree.Base() != 1000 {
		t.Errorf("forked %g, waiting %g, busy %g of %g, want 5, 990, 15 of the run", p.Forked, p.Waiting, tree.Busy, tree.Base())
	}
}

// If a program's self times do not add up to the times of its scopes, shares refer to the duration
// of the run, and Gap shows the difference.
func TestCallTreeGap(t *testing.T) {
	tree := onlyTree(t, runtest.Profile(t, `
		A 1 100 ns/op 10 self-ns/op
		A/B 2 20 ns/op 15 self-ns/op`))
	if a := tree.Scopes[0]; a.Self != 10 || a.Forked != 0 || tree.Busy != 40 || tree.Base() != 100 || tree.Gap != 60 {
		t.Errorf("busy %g, base %g, gap %g, want 40, 100 and 60", tree.Busy, tree.Base(), tree.Gap)
	}
}

// A method's minimum and maximum are taken over all paths ending in its name, in any order.
func TestMethodsLeastAndMost(t *testing.T) {
	for _, rounds := range []string{
		"A 1 9 ns/op 3 min-ns/op 5 max-ns/op\nB/A 1 9 ns/op 1 min-ns/op 9 max-ns/op",
		"A 1 9 ns/op 1 min-ns/op 9 max-ns/op\nB/A 1 9 ns/op 3 min-ns/op 5 max-ns/op",
	} {
		run := runtest.Profile(t, rounds+"\nB 1 9 ns/op")
		for _, m := range onlyTree(t, run).Methods() {
			if m.Name == "A" && (m.Min != 1 || m.Max != 9) {
				t.Errorf("%s\nfrom %g to %g, want 1 to 9", rounds, m.Min, m.Max)
			}
		}
	}
}

// A scope's own allocations do not include those of the scopes inside it.
func TestCallTreeOwnAllocations(t *testing.T) {
	tree := onlyTree(t, runtest.Profile(t, `
		A 2 100 ns/op 64 B/op 5 allocs/op
		A/B 4 20 ns/op 16 B/op 1 allocs/op`))
	if a := tree.Scopes[0]; a.SelfBytes != 64 || a.OwnObjects != 6 {
		t.Errorf("%g bytes and %g objects of its own, want 64 and 6", a.SelfBytes, a.OwnObjects)
	}
}

// Averages that do not add up to the last bit do not count as an allocation.
func TestOwnAllocationsWithoutResidue(t *testing.T) {
	tr := onlyTree(t, runtest.Read(t, "profile: scopes\nA 3 100 ns/op 7540326.4 B/op 0.1 allocs/op\nA/B 7 10 ns/op 3231568.4571428559 B/op 0.04285714285714286 allocs/op\n"))
	a := tr.Scopes[0]
	if inner := a.Children[0]; a.Bytes == inner.Bytes || a.SelfBytes != 0 || a.OwnObjects != 0 || inner.SelfBytes != inner.Bytes {
		t.Errorf("%v of %v own bytes, %v own objects", a.SelfBytes, a.Bytes, a.OwnObjects)
	}
}

// The tree shows the whole round with the median run time.
func TestCallTreeMedianRound(t *testing.T) {
	tree := onlyTree(t, runtest.Profile(t,
		"A 1 300 ns/op\nA/B 1 10 ns/op",
		"A 1 100 ns/op\nA/B 1 99 ns/op",
		"A 1 200 ns/op\nA/B 1 50 ns/op",
		"A 1 900 ns/op\nA/B 1 20 ns/op"))
	if tree.Round != 3 || tree.Total != 200 || tree.Scopes[0].Children[0].Total != 50 || fmt.Sprint(tree.Totals) != "[100 200 300 900]" {
		t.Errorf("round %d of %v: %+v", tree.Round, tree.Totals, tree.Scopes[0])
	}
}

func TestCallTreesOfSuites(t *testing.T) {
	run := runtest.Profile(t, "A 1 1 ns/op")
	other := runtest.Profile(t, "Z 1 1 ns/op")
	other.Benchmarks[0].Suite = "other"
	other.Benchmarks[0].Rounds[0].Order = 1
	run.Benchmarks = append(run.Benchmarks, other.Benchmarks[0], record.Benchmark{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: "Plain"}, Rounds: []record.Round{{N: 1}}})
	trees := Of(run)
	if len(trees) != 2 || trees[0].Suite != "s" || trees[1].Suite != "other" || trees[1].Scopes[0].Name != "Z" {
		t.Errorf("trees %+v", trees)
	}
}

// An imported report has only the printed figures. Its scopes are nested according to the naming
// rules of its suite. A row inside several others does not add to the duration of the run, and the
// self times of those other rows are unknown.
func TestCallTreeOfAReport(t *testing.T) {
	run := runtest.Profile(t, `
		Model_Small_Inference 1 1000 ns/op 1000 total-ns 64 B/op
		Model_Small_GenerateToken 10 99 ns/op 990 total-ns 6.4 B/op
		Model_Small_Forward 10 98 ns/op 985 total-ns 6 B/op
		MatMul_Iteration 3 100 ns/op 300 total-ns
		MatMul_64x64 1 100 ns/op 100 total-ns
		MatMul_128x128 1 210 ns/op 210 total-ns`)
	for i := range run.Benchmarks {
		run.Benchmarks[i].Suite = "enhanced"
	}
	tree := onlyTree(t, run)
	if !tree.Printed || !tree.Placed || tree.Total != 1310 || tree.Busy != 1300 || tree.Bytes != 64 || tree.Sum != 3585 {
		t.Errorf("total %g, busy %g, bytes %g, sum %g, want 1310, 1300, 64 and 3585", tree.Total, tree.Busy, tree.Bytes, tree.Sum)
	}
	var got []string
	for _, m := range tree.Methods() {
		got = append(got, fmt.Sprintf("%s %g of %g, %g objects", m.Name, m.Self, m.Total, m.Objects))
	}
	want := []string{
		"Model_Small_Forward 985 of 985, NaN objects", "MatMul_Iteration 300 of 300, NaN objects", "Model_Small_Inference 10 of 1000, NaN objects",
		"Model_Small_GenerateToken 5 of 990, NaN objects", "MatMul_128x128 NaN of 210, NaN objects", "MatMul_64x64 NaN of 100, NaN objects",
	}
	if !slices.Equal(got, want) {
		t.Errorf("methods\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The nesting in a flat table from an unknown program is not known, so neither self times nor the
// duration of the run are known. For a table of call paths, both are known.
func TestCallTreeOfAFlatTable(t *testing.T) {
	for _, tt := range []struct {
		rows  string
		total float64
		self  float64 // self time of the first row
	}{
		{"Epoch 1 100 ns/op 100 total-ns\nStep 10 9 ns/op 90 total-ns 5 B/op", math.NaN(), math.NaN()},
		{"Epoch 1 100 ns/op 100 total-ns\nEpoch/Step 10 9 ns/op 90 total-ns\nOther 1 50 ns/op 50 total-ns", math.NaN(), math.NaN()},
		{"Epoch 1 100 ns/op 100 total-ns\nEpoch/Step 10 9 ns/op 90 total-ns", 100, 10},
		{"Epoch 1 100 ns/op 100 total-ns 10 self-ns/op\nOther 1 50 ns/op 50 total-ns", 150, 10},
		{"Epoch 1 100 ns/op\nStep 10 9 ns/op", 190, 100}, // a program's own profile
	} {
		tree := onlyTree(t, runtest.Profile(t, tt.rows))
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if !same(tree.Total, tt.total) || !same(tree.Scopes[0].Self, tt.self) || tree.Placed == math.IsNaN(tt.total) {
			t.Errorf("%s\ntotal %g, self %g, placed %v, want %g, %g", tt.rows, tree.Total, tree.Scopes[0].Self, tree.Placed, tt.total, tt.self)
		}
	}
}
