package comparison

import (
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/profiles"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// document describes the document of kind "comparison": each function below has one
// object of it, its fields in order with their values.
func document(c *compare.Comparison) reports.Object {
	verdicts := map[string]int{}
	for _, v := range compare.Verdicts {
		verdicts[string(v)] = c.Count(v)
	}
	for _, s := range c.Starved { // which have no rows
		verdicts[string(compare.NotChecked)] += s.Benchmarks
	}
	interval := 0.0
	if c.Trial() && c.Tested > 0 {
		interval = 1 - 2*c.Options.Alpha
	}
	command := ""
	if verdicts[string(compare.Suspect)] > 0 && !c.Trial() {
		command = c.DecideCommand()
	}
	diffs := profiles.Of(c)
	return reports.Object{
		// Whether the sides were measured together; without, no row has a verdict but
		// suspect. In a trial that is one where the code was not laid out anew each round.
		{"trial", c.Trial()},
		{"alpha", c.Options.Alpha},                       // family-wise error rate of the verdicts
		{"shift_confidence", reports.Optional(interval)}, // of the interval of each shift, by which a trial is decided
		{"confidence", c.Options.Confidence},             // of the interval of each center, which decides nothing
		{"compare_alpha", c.Options.CompareAlpha},        // benchstat's, for one row: of runs measured apart
		{"tested", c.Tested},                             // rows tested: the family of adjusted_p
		{"verdicts", verdicts},                           // how many rows have each; "not checked" are also the benchmarks without a round; all verdicts are listed
		{"command", reports.Optional(command)},           // decides what is suspect
		{"base", sideFields(c.Base)},
		{"head", sideFields(c.Head)},
		{"tables", reports.Objects(&c.Tables, tableFields)},
		{"missing", reports.Objects(&c.Missing, unpairedFields)},
		{"new", reports.Objects(&c.New, unpairedFields)},
		{"interrupted", reports.Optional(reports.Objects(&c.Cut, unpairedFields))}, // measured on one side only
		{"failures", reports.Objects(&c.Failures, failureFields)},
		{"same_code", reports.Optional(reports.Objects(&c.Same, sameCodeFields))},       // of checks only: not measured
		{"unreached", reports.Optional(reports.Objects(&c.Unreached, unreachedFields))}, // of checks only: not measured
		{"rewritten", reports.Optional(reports.Objects(&c.Rewritten, rewrittenFields))}, // of checks only: not comparable
		{"edited", reports.Optional(reports.Objects(&c.Shared, sharedFields))},          // of checks only: measured with the test files of one side on both
		{"caveats", reports.CaveatObjects(c.Caveats)},
		{"not_checked", reports.Optional(notCheckedFields(c.NotChecked()))}, // benchmarks that ended before any look could have flagged them
		{"error", reports.Unset},                                            // kind and message, where the command failed although there is a comparison
		// Where both sides are profiles or runs of the engine's suites: one a target,
		// suite and environment.
		{"profiles", reports.Optional(reports.Objects(&diffs, reports.Pointed(profilesFields)))},
		{"explanations", reports.Unset}, // where regressions come from, if that was asked for: as in an explanation
	}
}

// sideFields are one side with its runs.
func sideFields(s compare.Side) reports.Object {
	runs := []reports.Object{}
	for _, r := range s.Runs {
		runs = append(runs, reports.RunFields(r, r.ID()))
	}
	return reports.Object{{"label", s.Label}, {"runs", runs}}
}

// tableFields are the rows of one target, kind, package, suite, environment and
// unit. Geomean ratios are over the rows of the table.
func tableFields(t *compare.Table) reports.Object {
	return reports.Object{
		{"target", t.Target},
		{"benchmark_kind", t.Kind},
		{"package", t.Package},
		{"suite", t.Suite},
		{"unit", t.Unit},
		{"trial", t.Trial},
		{"of_trial", reports.Optional(t.OfTrial)}, // which one, where several were compared
		{"comparable", t.Comparable},
		{"environment_differences", reports.Objects(&t.Different, differenceFields)},
		{"rows", reports.Objects(&t.Rows, reports.Pointed(RowFields))},
		{"geomean", reports.Object{
			{"base", t.Geomean.Base},
			{"head", t.Geomean.Head},
			{"ratio", t.Geomean.Ratio},   // of the centers
			{"change", t.Geomean.Change}, // of the shifts, where all of them are relative; else of the deltas
			{"notes", reports.Optional(reports.CaveatObjects(t.Geomean.Notes))},
		}},
	}
}

// differenceFields are a fact on which the two environments differ.
func differenceFields(d *compare.Difference) reports.Object {
	return reports.Object{{"key", d.Key}, {"base", d.Base}, {"head", d.Head}}
}

// RowFields are one benchmark. delta and p are benchstat's, of samples that it takes for
// unpaired; adjusted_p, shift, bound, need and verdict are perftrack's decision, null, 0 or
// "" where none was made. In a trial shift is what the pairs of its rounds say, which delta
// knows nothing of.
func RowFields(r *compare.Row) reports.Object {
	correlated := ""
	if r.CorrelatedWith != nil {
		correlated = r.CorrelatedWith.Name
	}
	return slices.Concat(reports.BenchmarkFields(&r.BenchmarkID), reports.Object{
		{"unit", &r.Unit},
		{"unit_stored", &r.OrigUnit},
		{"better", &r.Better}, // +1 higher, -1 lower, 0 unknown
		{"base", reports.SummaryFields(&r.Base)},
		{"head", reports.SummaryFields(&r.Head)},
		{"delta", &r.Delta},
		{"p", &r.P},
		{"derived", &r.Derived},
		{"exact", &r.Exact},
		{"tested", &r.Tested},
		{"threshold", &r.Threshold},
		{"noise", reports.Optional(&r.Noise)},                 // known noise floor
		{"adjusted_p", reports.Known(&r.AdjustedP, !r.Exact)}, // null of counts that repeat: they are of no family
		{"shift", reports.ShiftFields(&r.Shift)},
		{"rounds", reports.Optional(&r.Rounds)},        // of a trial: that the shift rests on
		{"pair_noise", reports.Optional(&r.PairNoise)}, // standard deviation of ln(head / base) of a round, where it is known
		{"way", reports.Part(&r.Way, wayFields)},       // of a trial: how its rounds were measured, where that is known
		{"by_mean", reports.Optional(&r.ByMean)},       // the mean of all slices changed, or may have, and the typical slice did not: shift, bound, adjusted_p, rounds, base and head are of the mean
		{"mean", reports.Part(&r.Mean, meanFields)},    // of a trial in slices: what it says of the mean of all of them
		{"bound", &r.Bound},                            // largest relative change that the interval leaves possible
		{"verdict", &r.Verdict},
		{"reason", reports.Optional(&r.Reason)},
		{"limits", reports.Optional(reports.Objects(&r.Limits, limitFields))}, // that the configuration sets
		{"need", reports.Optional(&r.Need)},                                   // samples a side needed at least for a verdict
		{"notes", reports.Optional(reports.CaveatObjects(r.Base.Notes, r.Head.Notes, r.Notes))},
		{"within", reports.Optional(rowNames(r.Within))}, // the rows of the table that directly contain this one
		{"one_with", reports.Optional(correlated)},       // the row whose change this row shows too, so that it is counted once
	})
}

// meanFields are what a trial says of the mean of all slices.
func meanFields(m *compare.Mean) reports.Object {
	return reports.Object{
		{"rounds", &m.Rounds},
		{"shift", reports.ShiftFields(&m.Shift)},
		{"bound", &m.Bound}, // largest relative change of the mean that its interval leaves possible
		{"adjusted_p", &m.AdjustedP},
		{"typical", reports.ShiftFields(&m.Typical)}, // of a typical slice
		{"slow_base", &m.Slow[0]},                    // part of the slices, 0 to 1, that take far longer than the others
		{"slow_head", &m.Slow[1]},
	}
}

// wayFields are how the rounds of a benchmark were measured.
func wayFields(w *record.Way) reports.Object {
	return reports.Object{
		{"how", &w.How},                                // slices, in which the sides take turns, or fresh: a process a side
		{"why", reports.Optional(&w.Why)},              // not in slices
		{"slices", reports.Optional(&w.Slices)},        // pairs of them a round
		{"slice_ns", reports.Optional(&w.Length)},      // their length, about
		{"iterations", reports.Optional(&w.N)},         // of a slice, about which those of a round are drawn
		{"clock", reports.Optional(&w.Clock)},          // wall, or cpu: the process's CPU time
		{"estimator", reports.Optional(&w.Estimator)},  // what of its slices a round's values are made of: middle; of older ones sum, trimmed, median, quiet, all or quicker
		{"stopped", reports.Optional(&w.Stopped)},      // the side that waited was stopped
		{"pinned", reports.Optional(&w.Pinned)},        // all slices of a round ran on one CPU
		{"sliced_rounds", reports.Optional(&w.Sliced)}, // measured in slices
		{"fresh_rounds", reports.Optional(&w.Fresh)},   // measured in fresh processes
	}
}

func rowNames(rows []*compare.Row) []string {
	var out []string
	for _, r := range rows {
		out = append(out, r.Name)
	}
	return out
}

// unpairedFields are a benchmark that one side lacks, or one unit of it.
func unpairedFields(u *compare.Unpaired) reports.Object {
	return slices.Concat(reports.Object{{"target", u.Target}}, reports.BenchmarkFields(&u.BenchmarkID), reports.Object{{"unit", reports.Optional(u.Unit)}})
}

// failureFields are a benchmark that failed.
func failureFields(f *compare.Failure) reports.Object {
	return reports.Object{{"side", f.Side}, {"target", f.Target}, {"benchmark", f.Benchmark}, {"reason", f.Reason}}
}

// sameCodeFields are a package that is the same code on both sides.
func sameCodeFields(s *compare.SameCode) reports.Object {
	return reports.Object{{"target", s.Target}, {"package", s.Package}, {"benchmarks", s.Benchmarks}}
}

// unreachedFields are the benchmarks of a package that reach no changed code.
func unreachedFields(u *compare.Unreached) reports.Object {
	return reports.Object{{"target", u.Target}, {"package", u.Package}, {"benchmarks", u.Benchmarks}}
}

// rewrittenFields are a benchmark that is not the same on both sides.
func rewrittenFields(r *compare.Rewritten) reports.Object {
	return reports.Object{{"target", r.Target}, {"package", r.Package}, {"name", r.Name}}
}

// sharedFields are a benchmark that was edited or is new, and the side whose test files both were
// built with.
func sharedFields(s *compare.Shared) reports.Object {
	return reports.Object{{"target", s.Target}, {"package", s.Package}, {"name", s.Name}, {"test_files", s.Of}, {"new", s.New}}
}

// notCheckedFields count what a trial left out for want of rounds.
func notCheckedFields(u compare.Unchecked) reports.Object {
	if u.Benchmarks == 0 {
		return nil
	}
	return reports.Object{
		{"benchmarks", u.Benchmarks},
		{"rounds", u.Rounds},                                     // that the last of them needs
		{"budget_seconds", reports.Optional(u.Budget.Seconds())}, // that would do, where it is known
	}
}
