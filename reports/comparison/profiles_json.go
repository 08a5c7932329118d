package comparison

import (
	"github.com/perftrack/perftrack/compare/profiles"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
)

// profilesFields are what two profiles, or two runs of one of the engine's
// suites, say as a whole. Times are in seconds, sizes in bytes.
func profilesFields(p *profiles.Diff) reports.Object {
	t := p.Table
	return reports.Object{
		{"target", t.Target},
		{"benchmark_kind", t.Kind}, // scope: of all calls; bench: of one operation
		{"package", t.Package},
		{"suite", t.Suite},
		{"single_sample", p.Single},                       // no row has a second sample: nothing could be tested
		{"total", pairFields(p.Time)},                     // sum of all rows; what is nested counts with each row around it
		{"total_outer", pairFields(p.Outer)},              // of rows that lie in no other
		{"total_shared", pairFields(p.Shared)},            // of rows that both sides have
		{"total_outer_shared", pairFields(p.OuterShared)}, // of rows that both sides have and that lie in no other of these
		{"allocated", pairFields(p.Bytes)},                // sum of all rows
		{"allocated_outer", pairFields(p.OuterBytes)},     // of rows that lie in no other
		{"call_paths", p.Paths},                           // rows are call paths: the run is total_outer
		{"methods", reports.Object{{"base", p.Count[0]}, {"head", p.Count[1]}, {"both", p.Both}}}, // how many
		{"changes", reports.Objects(&p.Changes, changeFields)},                                    // nested rows as one, the largest first
		{"undecided", reports.Objects(&p.Undecided, changeFields)},                                // differ by the threshold or more, but could be noise; as changes
		{"undecided_rows", p.UndecidedRows},                                                       // how many rows were tested in vain, small differences included
		{"models", reports.Objects(&p.Models, reports.Pointed(modelFields))},                      // of the engine
		{"scaling", reports.Part(&p.Scaling, scalingFields)},                                      // of the larger model against the smaller
		{"kernels", reports.Objects(&p.Kernels, kernelFields)},
		{"kernel_repeats", reports.Objects(&p.Repeats, repeatFields)},        // kernels that a call runs more than once, so that gflops is too low
		{"rows", reports.Objects(&p.Methods, reports.Pointed(methodFields))}, // the hottest first
		{"caveats", reports.CaveatObjects(p.Caveats)},
	}
}

// pairFields are a quantity on both sides; change is head/base - 1.
func pairFields(p tree.Pair) reports.Object {
	return reports.Object{{"base", p.Base}, {"head", p.Head}, {"change", p.Ratio()}}
}

// changeFields are one change: the deepest row that explains it, and the rows that
// show it because one contains the other. Its change is of all calls, or of one
// call where the sides differ in calls.
func changeFields(c *profiles.MethodChange) reports.Object {
	var with []string
	for _, m := range c.With {
		with = append(with, m.Name)
	}
	return reports.Object{{"name", c.Name}, {"with", reports.Optional(with)}, {"change", c.Change()}}
}

// modelFields are one model: its inference, what it does a token, and the time to
// the first one.
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

// scalingFields set models against each other: efficiency is parameter_ratio /
// time_ratio, and time_ratio that of seconds_per_token.
func scalingFields(s *profiles.Scaling) reports.Object {
	return reports.Object{
		{"small", s.Small.Name},
		{"large", s.Large.Name},
		{"time_ratio", pairFields(s.Time)},
		{"parameter_ratio", s.Parameters},
		{"efficiency", pairFields(s.Efficiency)},
	}
}

// kernelFields are a kernel's rate: as reported, or flops, which the name tells,
// over the time of a call; then flops is not 0.
func kernelFields(k *profiles.Kernel) reports.Object {
	return reports.Object{{"name", k.Name}, {"flops", k.FLOPs}, {"gflops", pairFields(k.GFLOPS)}}
}

// repeatFields say how often a call runs its kernel, on average.
func repeatFields(r *profiles.Repeat) reports.Object {
	return reports.Object{{"kernel", r.Kernel}, {"times", r.Times}}
}

// methodFields are one method: its time and self time in all calls, or in one
// operation of a benchmark.
func methodFields(m *profiles.Method) reports.Object {
	var calls []float64 // of base and head, of a scope
	if m.Calls != [2]float64{} {
		calls = m.Calls[:]
	}
	return reports.Object{
		{"name", m.Name},
		{"within", reports.Optional(rowNames(m.Within))},
		{"calls", reports.Optional(calls)},
		{"time", pairFields(m.Time)},
		{"self", pairFields(m.Self)},
		{"allocated", append(pairFields(m.Bytes), [2]any{"notes", reports.Optional(reports.CaveatObjects(m.Notes[0], m.Notes[1]))})},
	}
}
