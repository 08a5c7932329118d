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
		facts = append(facts, reports.Fact{Key: "profiled", Value: b.sides(b.Time.Total, seconds) + " an operation under the profiler, " + reports.Plural(b.Samples, "sample")})
	}
	if b.Bytes != nil {
		facts = append(facts, reports.Fact{Key: "allocated", Value: b.sides(b.Bytes.Total, size) + " an operation"})
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

// sides shows a value, of both sides where there are two.
func (b *Benchmark) sides(p tree.Pair, show func(float64) string) string {
	if !b.two() {
		return show(p.Head)
	}
	return show(p.Base) + " → " + show(p.Head)
}

// columns are those of a value: it and its share, or both sides and the difference.
func (b *Benchmark) columns(title string) []reports.Column {
	if !b.two() {
		return []reports.Column{{Title: title, Right: true}, {Title: "%", Right: true}}
	}
	return []reports.Column{{Over: title, Title: "base", Right: true, Extra: true}, {Over: title, Title: "head", Right: true, Extra: true}, {Over: title, Title: "difference", Right: true}}
}

func (b *Benchmark) cells(p, whole tree.Pair, show func(float64) string) []reports.Cell {
	if !b.two() {
		return []reports.Cell{{Text: show(p.Head)}, {Text: share(p.Head, whole.Head)}}
	}
	return []reports.Cell{{Text: show(p.Base)}, {Text: show(p.Head)}, {Text: signed(p.Difference(), show)}}
}

// signed shows a difference with its sign.
func signed(d float64, show func(float64) string) string {
	switch {
	case d > 0:
		return "+" + show(d)
	case d < 0:
		return "-" + show(-d)
	}
	return "0"
}

// hotPaths ranks the functions by their own time; of two sides by its difference.
func (b *Benchmark) hotPaths(v View) reports.Table {
	t := reports.Table{Heading: "Hot paths, by own time"}
	if b.two() {
		t.Heading = "Hot paths, by the difference of own time"
	}
	ranked := b.ranked(b.Time)
	t.Columns = slices.Concat([]reports.Column{{Title: "rank", Right: true}, {Title: "function", Code: true}}, b.columns("own"), b.columns("with what it calls"))
	shown := min(len(ranked), v.rows(shownHotPaths))
	for i, f := range ranked[:shown] {
		t.Rows = append(t.Rows, slices.Concat([]reports.Cell{{Text: fmt.Sprint(i + 1)}, {Text: f.Function}},
			b.cells(f.Self, b.Time.Total, seconds), b.cells(f.Total, b.Time.Total, seconds)))
	}
	if len(ranked) > shown {
		t.Caption = fmt.Sprintf("%d of %d functions", shown, len(ranked))
	}
	return t
}

// ranked are the functions that take anything by themselves, the largest first; of two sides
// those with the largest difference.
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

// allocators ranks the functions by the bytes that they allocate themselves.
func (b *Benchmark) allocators(v View) reports.Table {
	t := reports.Table{Heading: "Top allocators, by own bytes"}
	t.Columns = slices.Concat([]reports.Column{{Title: "rank", Right: true}, {Title: "function", Code: true}}, b.columns("own"),
		[]reports.Column{{Title: "objects", Right: true, Extra: true, Rank: 1}, {Title: "with what it calls", Right: true, Extra: true}})
	objects := map[string]tree.Pair{}
	if b.Objects != nil {
		for _, f := range b.Objects.Functions {
			objects[f.Function] = f.Self
		}
	}
	ranked := b.ranked(b.Bytes)
	shown := min(len(ranked), v.rows(shownAllocators))
	for i, f := range ranked[:shown] {
		t.Rows = append(t.Rows, slices.Concat([]reports.Cell{{Text: fmt.Sprint(i + 1)}, {Text: f.Function}}, b.cells(f.Self, b.Bytes.Total, size),
			[]reports.Cell{{Text: b.sides(objects[f.Function], count)}, {Text: b.sides(f.Total, size)}}))
	}
	if len(ranked) > shown {
		t.Caption = fmt.Sprintf("%d of %d functions that allocate", shown, len(ranked))
	}
	return t
}

// hierarchy is the call tree. Paths that hardly count are folded into one row below their
// caller, so that what is shown still adds up, and so is what the runtime calls.
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
			if node.OfRuntime() || depth == deepest && !v.All { // how it works inside is for a flame graph
				own, below = node.Total, nil
			}
			t.Rows = append(t.Rows, slices.Concat([]reports.Cell{{Text: indent + node.Function}}, b.cells(node.Total, whole, seconds), b.cells(own, whole, seconds)))
			walk(below, depth+1)
		}
		if n > 0 {
			name := fmt.Sprintf("%s(%s below %.0f %%)", indent, reports.Plural(n, "path"), 100*leastShown)
			blank := slices.Repeat([]reports.Cell{{}}, len(b.columns("")))
			t.Rows = append(t.Rows, slices.Concat([]reports.Cell{{Text: name}}, b.cells(folded.Total, whole, seconds), blank))
		}
	}
	walk(b.Time.Roots, 0)
	return t
}

// deepest is how deep the hierarchy goes: what is called there counts as that function's own.
const deepest = 12
