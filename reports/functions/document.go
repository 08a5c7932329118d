package functions

import (
	"slices"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// document describes the document of kind "functions": what each function takes of an operation
// of a benchmark. Base is null of one commit.
func document(res *Result) reports.Object {
	return reports.Object{
		{"benchmarks", reports.Objects(&res.Benchmarks, reports.Pointed(benchmarkFields))},
		{"failures", reports.Objects(&res.Failures, failureFields)},
		{"left", reports.Optional(&res.Left)}, // benchmarks that were not come to
	}
}

func failureFields(f *Failure) reports.Object {
	return reports.Object{{"name", &f.Name}, {"reason", &f.Reason}}
}

// benchmarkFields are one benchmark. The first commit is the base where there are two.
func benchmarkFields(b *Benchmark) reports.Object {
	return slices.Concat(reports.Object{{"target", &b.Target}}, reports.BenchmarkFields(&b.BenchmarkID), reports.Object{
		{"commits", reports.Objects(&b.Commits, commitFields)},
		{"samples", &b.Samples},
		{"time", reports.Part(&b.Time, sampledFields)},                         // seconds
		{"bytes", reports.Part(&b.Bytes, sampledFields)},                       // absent where nothing was allocated
		{"objects", reports.Part(&b.Objects, sampledFields)},                   // the same
		{"memory", reports.Optional(reports.Objects(&b.Memory, memoryFields))}, // as commits
		{"profiles", reports.Objects(&b.Files, fileFields)},
	})
}

func commitFields(c *record.Commit) reports.Object {
	return reports.Object{{"commit", &c.SHA}, {"dirty", reports.Optional(&c.Dirty)}}
}

// memoryFields are how often a side collected in so many operations, null where that is not known,
// and the most resident memory that it had, 0 where that is not.
func memoryFields(m *Memory) reports.Object {
	collections := 0.0
	if m.Collections != nil {
		collections = float64(*m.Collections)
	}
	return reports.Object{{"collections", reports.Known(&collections, m.Collections != nil)}, {"operations", &m.Operations}, {"peak_resident_bytes", &m.Resident}}
}

func fileFields(f *File) reports.Object {
	return reports.Object{{"kind", &f.Kind}, {"side", &f.Side}, {"path", &f.Path}}
}

// sampledFields are one kind of cost: function by function, and the call tree.
func sampledFields(s *tree.Sampled) reports.Object {
	return reports.Object{
		{"base", &s.Total.Base},
		{"head", &s.Total.Head},
		{"functions", reports.Objects(&s.Functions, func(f *tree.FunctionCost) reports.Object {
			return costFields(&f.Function, &f.Self, &f.Total)
		})}, // by falling own cost
		{"calls", reports.Objects(&s.Roots, reports.Pointed(nodeFields))}, // the hierarchy
	}
}

func costFields(name *string, self, total *tree.Pair) reports.Object {
	return reports.Object{
		{"function", name}, {"self_base", &self.Base}, {"self_head", &self.Head}, {"total_base", &total.Base}, {"total_head", &total.Head},
	}
}

func nodeFields(n *tree.Node) reports.Object {
	return append(costFields(&n.Function, &n.Self, &n.Total), [2]any{"calls", reports.Optional(reports.Objects(&n.Children, reports.Pointed(nodeFields)))})
}

// records has a line for each function and kind of cost.
func records(all []*Benchmark) [][]any {
	out := [][]any{reports.ColumnNames("target package name base_commit head_commit unit function self_base self_head total_base total_head")}
	for _, b := range all {
		base, head := "", b.Commits[len(b.Commits)-1].SHA
		if b.two() {
			base = b.Commits[0].SHA
		}
		for _, cost := range []struct {
			unit string
			*tree.Sampled
		}{{"sec/op", b.Time}, {"B/op", b.Bytes}, {"allocs/op", b.Objects}} {
			if cost.Sampled == nil {
				continue
			}
			for _, f := range cost.Functions {
				out = append(out, []any{b.Target, b.Package, b.Name, base, head, cost.unit, f.Function, f.Self.Base, f.Self.Head, f.Total.Base, f.Total.Head})
			}
		}
	}
	return out
}
