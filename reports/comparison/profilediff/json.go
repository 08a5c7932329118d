package profilediff

import (
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/profiles"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
)

// Fields describes the comparison of two whole profiles, or of two runs of one of the engine's
// suites. Times are in seconds and sizes in bytes.
func Fields(p *profiles.Diff) reports.Object {
	t := p.Table
	return reports.Object{
		{"target", t.Target},
		{"benchmark_kind", t.Kind}, // scope: times are those of all calls; bench: times are those of one operation
		{"package", t.Package},
		{"suite", t.Suite},
		{"single_sample", p.Single},                       // no row has a second sample, so nothing was tested
		{"total", pairFields(p.Time)},                     // sum of all rows; nested rows count more than once
		{"total_outer", pairFields(p.Outer)},              // sum of the outermost rows
		{"total_shared", pairFields(p.Shared)},            // sum of the rows on both sides
		{"total_outer_shared", pairFields(p.OuterShared)}, // sum of the outermost rows on both sides
		{"allocated", pairFields(p.Bytes)},                // sum of all rows
		{"allocated_outer", pairFields(p.OuterBytes)},     // sum of the outermost rows
		{"call_paths", p.Paths},                           // rows are call paths, so total_outer is the whole run
		{"methods", reports.Object{{"base", p.Count[0]}, {"head", p.Count[1]}, {"both", p.Both}}}, // numbers of methods
		{"changes", reports.Objects(&p.Changes, changeFields)},                                    // largest first; nested rows count as one change
		{"undecided", reports.Objects(&p.Undecided, changeFields)},                                // rows that differ by the threshold or more, which may be noise; listed in the same way as changes
		{"undecided_rows", p.UndecidedRows},                                                       // number of tested rows without a verdict, including small differences
		{"models", reports.Objects(&p.Models, reports.Pointed(modelFields))},                      // models of the engine
		{"scaling", reports.Part(&p.Scaling, scalingFields)},                                      // compares the larger model with the smaller one
		{"kernels", reports.Objects(&p.Kernels, kernelFields)},
		{"kernel_repeats", reports.Objects(&p.Repeats, repeatFields)},        // kernels that ran more than once in a call, so their gflops are too low
		{"rows", reports.Objects(&p.Methods, reports.Pointed(methodFields))}, // hottest first
		{"caveats", reports.CaveatObjects(p.Caveats)},
	}
}

// pairFields describes a quantity on both sides. change is head/base - 1.
func pairFields(p tree.Pair) reports.Object {
	return reports.Object{{"base", p.Base}, {"head", p.Head}, {"change", p.Ratio()}}
}

// changeFields describes one change. name is the deepest row that shows it, and with lists the
// enclosing rows that show it, too. change is the change of all calls together, or of a single call
// if the sides differ in the number of calls.
func changeFields(c *profiles.MethodChange) reports.Object {
	var with []string
	for _, m := range c.With {
		with = append(with, m.Name)
	}
	return reports.Object{{"name", c.Name}, {"with", reports.Optional(with)}, {"change", c.Change()}}
}

// modelFields describes the inference of one model as a whole, per token, and up to the first
// token.
func modelFields(m *profiles.Model) reports.Object {
	return reports.Object{
		{"name", m.Name},
		{"parameters", m.Parameters},
		{"inference", pairFields(m.Inference.Time)},
		{"tokens_per_second", pairFields(m.Tokens)},
		{"seconds_per_token", pairFields(m.Latency)},
		{"seconds_to_first_token", pairFields(m.FirstToken)},
		{"bytes_per_token", pairFields(m.Memory)},
	}
}

// scalingFields compares a larger model with a smaller one. time_ratio is the ratio of their
// seconds_per_token, and efficiency is parameter_ratio / time_ratio.
func scalingFields(s *profiles.Scaling) reports.Object {
	return reports.Object{
		{"small", s.Small.Name},
		{"large", s.Large.Name},
		{"time_ratio", pairFields(s.Time)},
		{"parameter_ratio", s.Parameters},
		{"efficiency", pairFields(s.Efficiency)},
	}
}

// kernelFields describes the rate of a kernel. The rate is either the reported one or computed from
// the time of a call and its number of operations, flops, which follows from the kernel's name.
// flops is 0 if the rate was reported.
func kernelFields(k *profiles.Kernel) reports.Object {
	return reports.Object{{"name", k.Name}, {"flops", k.FLOPs}, {"gflops", pairFields(k.GFLOPS)}}
}

// repeatFields describes the average number of times a call runs its kernel.
func repeatFields(r *profiles.Repeat) reports.Object {
	return reports.Object{{"kernel", r.Kernel}, {"times", r.Times}}
}

// methodFields describes one method. Times and allocations are those of all its calls, or of one
// operation of a benchmark.
func methodFields(m *profiles.Method) reports.Object {
	var calls []float64 // for a scope: numbers of calls in base and head
	if m.Calls != [2]float64{} {
		calls = m.Calls[:]
	}
	return reports.Object{
		{"name", m.Name},
		{"within", reports.Optional(namesOf(m.Within))},
		{"calls", reports.Optional(calls)},
		{"time", pairFields(m.Time)},
		{"self", pairFields(m.Self)},
		{"allocated", append(pairFields(m.Bytes), [2]any{"notes", reports.Optional(reports.CaveatObjects(m.Notes[0], m.Notes[1]))})},
	}
}

func namesOf(rows []*compare.Row) []string {
	var out []string
	for _, r := range rows {
		out = append(out, r.Name)
	}
	return out
}
