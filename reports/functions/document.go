package functions

import (
	"slices"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// document describes the document of kind "functions": the cost of each function per operation of a
// benchmark. Costs of the base are null if there is only one commit.
func document(res *Result) reports.Object {
	return reports.Object{
		{"benchmarks", reports.Objects(&res.Benchmarks, reports.Pointed(benchmarkFields))},
		{"failures", reports.Objects(&res.Failures, failureFields)},
		{"left", reports.Optional(&res.Left)}, // benchmarks not profiled because the budget ended or perftrack was interrupted
	}
}

func failureFields(f *Failure) reports.Object {
	return reports.Object{{"name", &f.Name}, {"reason", &f.Reason}}
}

// benchmarkFields describes one benchmark. If it has two commits, the first one is the base.
func benchmarkFields(b *Benchmark) reports.Object {
	return slices.Concat(reports.Object{{"target", &b.Target}}, reports.BenchmarkFields(&b.BenchmarkID), reports.Object{
		{"commits", reports.Objects(&b.Commits, commitFields)},
		{"samples", &b.Samples},
		{"time", reports.Part(&b.Time, sampledFields)},                         // in seconds
		{"bytes", reports.Part(&b.Bytes, sampledFields)},                       // absent if nothing was allocated
		{"objects", reports.Part(&b.Objects, sampledFields)},                   // absent if nothing was allocated
		{"memory", reports.Optional(reports.Objects(&b.Memory, memoryFields))}, // one element for each commit
		{"profiles", reports.Objects(&b.Files, fileFields)},
	})
}

func commitFields(c *record.Commit) reports.Object {
	return reports.Object{{"commit", &c.SHA}, {"dirty", reports.Optional(&c.Dirty)}}
}

// memoryFields describes one side's number of garbage collections, null if unknown, and its peak
// resident memory, 0 if unknown.
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

// sampledFields describes one kind of cost, by function and as a call tree.
func sampledFields(s *tree.Sampled) reports.Object {
	return reports.Object{
		{"base", &s.Total.Base},
		{"head", &s.Total.Head},
		{"functions", reports.Objects(&s.Functions, func(f *tree.FunctionCost) reports.Object {
			return costFields(&f.Function, &f.Self, &f.Total)
		})}, // in descending order of own cost
		{"calls", reports.Objects(&s.Roots, reports.Pointed(nodeFields))}, // the call hierarchy
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

// records returns the column names followed by one line for each function and kind of cost.
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
