package profilediff

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/naming"
)

// models returns the table comparing the inference of the engine's models.
func (l pair) models() reports.Table {
	t := reports.Table{Heading: "Models", Words: l.byMedians(), Columns: []reports.Column{
		{Title: "model"}, {}, {Title: "base", Right: true}, {Title: "head", Right: true},
		{Title: "difference", Right: true, Extra: true}, {Title: "change", Right: true},
	}}
	for _, m := range l.Models {
		for _, q := range []struct {
			name string
			tree.Pair
			format func(float64) string
		}{
			{"time per inference", m.Inference.Time, l.duration},
			{"throughput", m.Tokens, func(x float64) string { return reports.Fixed(x) + " tok/s" }},
			{"latency per token", m.Latency, l.duration},
			{"time to the first token", m.FirstToken, l.duration},
			{"memory per token", m.Memory, l.size},
		} {
			if !math.IsNaN(q.Base) || !math.IsNaN(q.Head) {
				t.Rows = append(t.Rows, append([]reports.Cell{{Text: m.Name}, {Text: q.name}}, l.quantity(q.Pair, q.format, false)...))
			}
		}
	}
	return t
}

// scaling returns the table that compares how time and number of parameters grow from the smaller
// to the larger model.
func (l pair) scaling() reports.Table {
	s := l.Scaling
	small, large := s.Small, s.Large
	times := func(x float64) string { return reports.Unscaled(x, 2) + "x" }
	row := func(name string, p tree.Pair) []reports.Cell {
		return append([]reports.Cell{{Text: name}}, l.quantity(p, times, false)[:2]...)
	}
	ratio := fmt.Sprintf(" %s / %s", large.Name, small.Name)
	return reports.Table{
		Heading: "Scaling, " + large.Name + " against " + small.Name,
		Words: []string{fmt.Sprintf("efficiency = (parameters%s) / (time per token%s); parameters %s and %s. Above 1.00x the time grows more slowly than the parameters.",
			ratio, ratio, reports.WithCommas(fmt.Sprint(large.Parameters)), reports.WithCommas(fmt.Sprint(small.Parameters)))},
		Columns: []reports.Column{{}, {Title: "base", Right: true}, {Title: "head", Right: true}},
		Rows: [][]reports.Cell{
			row("time per token,"+ratio, s.Time),
			row("parameters,"+ratio, tree.Pair{Base: s.Parameters, Head: s.Parameters}),
			row("efficiency", s.Efficiency),
		},
	}
}

// kernels returns the table of kernel rates.
func (l pair) kernels() reports.Table {
	t := reports.Table{
		Heading: "Kernels",
		Words:   []string{"GFLOPS as reported, or else 1e-9 operations / seconds per call. The operations follow from the name: 2 n n n for MatMul_NxN, " + perElement(l.Engine.Kernels) + "."},
		Columns: []reports.Column{
			{Title: "kernel", Code: true}, {Over: "base", Title: "GFLOPS", Unit: true, Right: true}, {Over: "head", Title: "GFLOPS", Unit: true, Right: true},
			{Title: "difference", Right: true, Extra: true}, {Title: "change", Right: true},
		},
	}
	if len(l.Repeats) > 0 {
		var times []string
		for _, r := range l.Repeats {
			times = append(times, fmt.Sprintf("%s %.3g", r.Kernel, r.Times))
		}
		t.Words = append(t.Words, "As in the reports, these assume one operation per call. Kernels that ran several times per call: "+strings.Join(times, ", ")+".")
	}
	for _, k := range l.Kernels {
		t.Rows = append(t.Rows, append([]reports.Cell{{Text: k.Name}}, l.quantity(k.GFLOPS, func(x float64) string { return reports.AtLeast(2, x) }, true)...))
	}
	return t
}

// perElement lists how many operations each kernel needs for one element, with the most expensive
// kernel first. Kernels that need a single operation are summed up as "the others".
func perElement(kernels []naming.Kernel) string {
	kernels = slices.SortedStableFunc(slices.Values(kernels), func(a, b naming.Kernel) int { return cmp.Compare(b.FLOPs, a.FLOPs) })
	var words []string
	for _, k := range kernels {
		if k.FLOPs == 1 {
			words = append(words, "1 for the others")
			break
		}
		words = append(words, fmt.Sprintf("%.0f for %s", k.FLOPs, k.Name))
	}
	return "and per element " + strings.Join(words, ", ")
}
