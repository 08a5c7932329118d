package functions

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
)

func (b *Benchmark) tables(v View) []reports.Table {
	var tables []reports.Table
	if b.Time != nil {
		tables = append(tables, b.hotPaths(v))
	}
	if b.Bytes != nil {
		tables = append(tables, b.allocators(v))
	}
	if b.Time != nil {
		tables = append(tables, b.hierarchy(v))
	}
	for i := range tables {
		tables[i].Facts = b.facts()
	}
	return tables
}

func (b *Benchmark) facts() []reports.Fact {
	facts := []reports.Fact{{Key: "benchmark", Value: reports.BenchmarkName(b.Target, b.BenchmarkID)}}
	for i, c := range b.Commits {
		key := "commit"
		if b.two() {
			key = []string{"base", "head"}[i]
		}
		if name := reports.CommitName(c); name != "" {
			facts = append(facts, reports.Fact{Key: key, Value: name})
		}
	}
	if b.Time != nil {
		facts = append(facts, reports.Fact{Key: "profiled", Value: b.sides(b.Time.Total, "sec") + " per operation under the profiler, " + reports.Plural(b.Samples, "sample")})
	}
	if b.Bytes != nil {
		facts = append(facts, reports.Fact{Key: "allocated", Value: b.sides(b.Bytes.Total, "B") + " per operation"})
	}
	var collected, resident []string
	for _, m := range b.Memory {
		collected, resident = append(collected, m.collected()), append(resident, m.resident())
	}
	if len(b.Memory) > 0 {
		facts = append(facts, reports.Fact{Key: "collected", Value: strings.Join(collected, " → ")}, reports.Fact{Key: "peak resident memory", Value: strings.Join(resident, " → ")})
	}
	return facts
}

// sides formats the value of the only side, or the values of both sides.
func (b *Benchmark) sides(p tree.Pair, unit string) string {
	head := reports.Quantity{Value: p.Head, Unit: unit}.String()
	if !b.two() {
		return head
	}
	return reports.Quantity{Value: p.Base, Unit: unit}.String() + " → " + head
}

// columns returns the columns for a value: the value and its share of the total or, if there are
// two sides, both values and their difference.
func (b *Benchmark) columns(title string) []reports.Column {
	if !b.two() {
		return []reports.Column{{Title: title, Right: true}, {Title: "%", Right: true}}
	}
	return []reports.Column{{Over: title, Title: "base", Right: true, Extra: true}, {Over: title, Title: "head", Right: true, Extra: true}, {Over: title, Title: "difference", Right: true}}
}

func (b *Benchmark) cells(p, whole tree.Pair, unit string) []reports.Cell {
	of := func(x float64) reports.Quantity { return reports.Quantity{Value: x, Unit: unit} }
	if !b.two() {
		return []reports.Cell{{Text: of(p.Head).String()}, {Text: reports.Share(p.Head, whole.Head)}}
	}
	return []reports.Cell{{Text: of(p.Base).String()}, {Text: of(p.Head).String()}, {Text: of(p.Difference()).Signed()}}
}

// hotPaths returns a table ranking the functions by their own time or, if there are two sides, by
// the difference in their own time.
func (b *Benchmark) hotPaths(v View) reports.Table {
	t := reports.Table{Heading: "Hot paths, by own time"}
	if b.two() {
		t.Heading = "Hot paths, by the difference in own time"
	}
	ranked := b.ranked(b.Time)
	t.Columns = slices.Concat([]reports.Column{{Title: "rank", Right: true}, {Title: "function", Code: true}}, b.columns("own"), b.columns("with its calls"))
	shown := min(len(ranked), v.rows(shownHotPaths))
	for i, f := range ranked[:shown] {
		t.Rows = append(t.Rows, slices.Concat([]reports.Cell{{Text: fmt.Sprint(i + 1)}, {Text: f.Function}},
			b.cells(f.Self, b.Time.Total, "sec"), b.cells(f.Total, b.Time.Total, "sec")))
	}
	if len(ranked) > shown {
		t.Caption = fmt.Sprintf("%d of %d functions", shown, len(ranked))
	}
	return t
}

// ranked returns the functions with a self cost above 0, largest cost first or, if there are two
// sides, largest difference first.
func (b *Benchmark) ranked(s *tree.Sampled) []tree.FunctionCost {
	own := slices.DeleteFunc(slices.Clone(s.Functions), func(f tree.FunctionCost) bool {
		return !(f.Self.Head > 0) && !(f.Self.Base > 0)
	})
	if b.two() {
		slices.SortStableFunc(own, func(x, y tree.FunctionCost) int {
			return cmp.Compare(math.Abs(y.Self.Difference()), math.Abs(x.Self.Difference()))
		})
	}
	return own
}

// allocators returns a table ranking the functions by the bytes they allocate themselves or, if
// there are two sides, by the difference of these bytes.
func (b *Benchmark) allocators(v View) reports.Table {
	t := reports.Table{Heading: "Top allocators, by own bytes"}
	t.Columns = slices.Concat([]reports.Column{{Title: "rank", Right: true}, {Title: "function", Code: true}}, b.columns("own"),
		[]reports.Column{{Title: "objects", Right: true, Extra: true, Rank: 1}, {Title: "with its calls", Right: true, Extra: true}})
	objects := map[string]tree.Pair{}
	if b.Objects != nil {
		for _, f := range b.Objects.Functions {
			objects[f.Function] = f.Self
		}
	}
	ranked := b.ranked(b.Bytes)
	shown := min(len(ranked), v.rows(shownAllocators))
	for i, f := range ranked[:shown] {
		t.Rows = append(t.Rows, slices.Concat([]reports.Cell{{Text: fmt.Sprint(i + 1)}, {Text: f.Function}}, b.cells(f.Self, b.Bytes.Total, "B"),
			[]reports.Cell{{Text: b.sides(objects[f.Function], "")}, {Text: b.sides(f.Total, "B")}}))
	}
	if len(ranked) > shown {
		t.Caption = fmt.Sprintf("%d of %d allocating functions", shown, len(ranked))
	}
	return t
}

// hierarchy returns the call tree. Calls within the runtime are added to their caller, and small
// paths with the same caller share one row, so that the rows still add up.
func (b *Benchmark) hierarchy(v View) reports.Table {
	t := reports.Table{Heading: "Call hierarchy", Columns: slices.Concat([]reports.Column{{Title: "function", Code: true}}, b.columns("total"), b.columns("own"))}
	whole := b.Time.Total
	var walk func(nodes []*tree.Node, depth int)
	walk = func(nodes []*tree.Node, depth int) {
		indent := strings.Repeat("· ", depth)
		folded, n := tree.Node{}, 0
		for _, node := range nodes {
			if !v.All && !(node.Total.Head >= leastShown*whole.Head) && !(node.Total.Base >= leastShown*whole.Base) {
				folded.Total.Base, folded.Total.Head = folded.Total.Base+node.Total.Base, folded.Total.Head+node.Total.Head
				n++
				continue
			}
			own, below := node.Self, node.Children
			if node.OfRuntime() || depth == deepest && !v.All { // a flame graph shows the details
				own, below = node.Total, nil
			}
			t.Rows = append(t.Rows, slices.Concat([]reports.Cell{{Text: indent + node.Function}}, b.cells(node.Total, whole, "sec"), b.cells(own, whole, "sec")))
			walk(below, depth+1)
		}
		if n > 0 {
			name := fmt.Sprintf("%s(%s below %.0f %%)", indent, reports.Plural(n, "path"), 100*leastShown)
			blank := slices.Repeat([]reports.Cell{{}}, len(b.columns("")))
			t.Rows = append(t.Rows, slices.Concat([]reports.Cell{{Text: name}}, b.cells(folded.Total, whole, "sec"), blank))
		}
	}
	walk(b.Time.Roots, 0)
	return t
}

// deepest is the maximum depth of the hierarchy. Deeper calls are added to their callers.
const deepest = 12
