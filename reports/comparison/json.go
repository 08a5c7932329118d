package comparison

import (
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/compare/profiles"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison/profilediff"
	"github.com/perftrack/perftrack/runner/record"
)

// document describes the document of kind "comparison". Each function below describes one of the
// objects in it.
func (v View) document(c *compare.Comparison) reports.Object {
	verdicts := map[string]int{}
	for _, v := range compare.Verdicts {
		verdicts[string(v)] = c.Count(v)
	}
	for _, s := range c.Starved { // these have no rows
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
		// Whether both sides were measured together, in a trial. If not, suspect is the only
		// possible verdict. In a trial, a row is suspect if it was measured without a new layout of
		// the code in each round.
		{"trial", c.Trial()},
		{"alpha", c.Options.Alpha},                       // family-wise error rate of the verdicts
		{"shift_confidence", reports.Optional(interval)}, // confidence level of the shifts' intervals, which decide a trial
		{"confidence", c.Options.Confidence},             // confidence level of the centers' intervals, which do not affect verdicts
		{"compare_alpha", c.Options.CompareAlpha},        // significance level for one row of unpaired runs, as in benchstat
		{"tested", c.Tested},                             // number of tested rows; adjusted_p is corrected for so many tests
		{"verdicts", verdicts},                           // number of rows by verdict; "not checked" also counts the benchmarks without a round
		{"gate", reports.Part(&v.Gate, gateFields)},      // only with check or --gate
		{"command", reports.Optional(command)},           // command to decide suspect rows
		{"base", sideFields(c.Base)},
		{"head", sideFields(c.Head)},
		{"tables", reports.Objects(&c.Tables, tableFields)},
		{"missing", reports.Objects(&c.Missing, oneSidedFields)},
		{"new", reports.Objects(&c.New, oneSidedFields)},
		{"interrupted", reports.Optional(reports.Objects(&c.Cut, oneSidedFields))}, // measured on one side only
		{"failures", reports.Objects(&c.Failures, failureFields)},
		{"same_code", reports.Optional(reports.Objects(&c.Same, sameCodeFields))},       // only for check: packages not measured because their code is the same
		{"unreached", reports.Optional(reports.Objects(&c.Unreached, unreachedFields))}, // only for check: packages not measured because no changed code is reached
		{"rewritten", reports.Optional(reports.Objects(&c.Rewritten, rewrittenFields))}, // only for check: benchmarks not comparable because they were edited
		{"edited", reports.Optional(reports.Objects(&c.Shared, sharedFields))},          // only for check: benchmarks measured on both sides with the test files of one side
		{"caveats", reports.CaveatObjects(c.Caveats)},
		{"not_checked", reports.Optional(notCheckedFields(c.NotChecked()))}, // benchmarks with too few rounds for any verdict
		{"error", reports.Unset},                                            // kind and message of the error if the command failed although there is a comparison
		// If both sides are profiles or runs of the engine's suites, there is one entry for each
		// target, suite and environment.
		{"profiles", reports.Optional(reports.Objects(&diffs, reports.Pointed(profilediff.Fields)))},
		{"explanations", reports.Unset}, // explanations of the regressions, if requested; each is like a document of kind "explanation"
	}
}

// gateFields describes the result of a gate (pass, fail or no-result) and its cause.
func gateFields(g *gates.Gate) reports.Object {
	return reports.Object{{"result", &g.Result}, {"cause", reports.Optional(&g.Cause)}}
}

// sideFields describes one side and its runs.
func sideFields(s compare.Side) reports.Object {
	runs := []reports.Object{}
	for _, r := range s.Runs {
		runs = append(runs, reports.RunFields(r, r.ID()))
	}
	return reports.Object{{"label", s.Label}, {"runs", runs}}
}

// tableFields describes the table for one target, kind, package, suite, environment and unit. The
// geometric means are those of the table's rows.
func tableFields(t *compare.Table) reports.Object {
	return reports.Object{
		{"target", t.Target},
		{"benchmark_kind", t.Kind},
		{"package", t.Package},
		{"suite", t.Suite},
		{"unit", t.Unit},
		{"trial", t.Trial},
		{"of_trial", reports.Optional(t.OfTrial)}, // set if several trials were compared
		{"comparable", t.Comparable},
		{"environment_differences", reports.Objects(&t.Different, differenceFields)},
		{"rows", reports.Objects(&t.Rows, reports.Pointed(RowFields))},
		{"geomean", reports.Object{
			{"base", t.Geomean.Base},
			{"head", t.Geomean.Head},
			{"ratio", t.Geomean.Ratio},   // ratio of the means of the centers
			{"change", t.Geomean.Change}, // mean of the shifts if all of them are relative, else of the deltas
			{"notes", reports.Optional(reports.CaveatObjects(t.Geomean.Notes))},
		}},
	}
}

// differenceFields describes a difference between the two environments.
func differenceFields(d *pairs.Difference) reports.Object {
	return reports.Object{{"key", d.Key}, {"base", d.Base}, {"head", d.Head}}
}

// RowFields describes one benchmark in one unit. delta and p are computed as in benchstat, by
// treating the samples as unpaired. adjusted_p, shift, bound, need and verdict describe perftrack's
// decision. Without one, they are null, 0 or "". In a trial, shift is estimated from the pairs in
// its rounds. A slice is a short turn of one side within a round.
func RowFields(r *compare.Row) reports.Object {
	correlated := ""
	if r.CorrelatedWith != nil {
		correlated = r.CorrelatedWith.Name
	}
	return slices.Concat(reports.BenchmarkFields(&r.BenchmarkID), reports.Object{
		{"unit", &r.Unit},
		{"unit_stored", &r.OrigUnit},
		{"better", &r.Better}, // +1 if higher is better, -1 if lower is, 0 if unknown
		{"base", reports.SummaryFields(&r.Base)},
		{"head", reports.SummaryFields(&r.Head)},
		{"delta", &r.Delta},
		{"p", &r.P},
		{"derived", &r.Derived},
		{"exact", &r.Exact},
		{"tested", &r.Tested},
		{"threshold", &r.Threshold},
		{"noise", reports.Optional(&r.Noise)},                 // the noise floor, if known
		{"adjusted_p", reports.Known(&r.AdjustedP, !r.Exact)}, // null for exact counts
		{"shift", reports.ShiftFields(&r.Shift)},
		{"rounds", reports.Optional(&r.Rounds)},           // in a trial: the number of rounds that the shift is based on
		{"pair_noise", reports.Optional(&r.PairNoise)},    // standard deviation of ln(head / base) from round to round, if known
		{"way", reports.Part(&r.Method, measuringFields)}, // in a trial: how the benchmark was measured, if known
		{"by_mean", reports.Optional(&r.ByMean)},          // the mean of all slices changed, or may have changed, but the typical slice did not; shift, bound, adjusted_p, rounds, base and head then refer to the mean
		{"mean", reports.Part(&r.Mean, meanFields)},       // if known: the mean of all slices, or of all repetitions in a process
		{"bound", &r.Bound},                               // the largest relative change that the interval allows
		{"verdict", &r.Verdict},
		{"reason", reports.Optional(&r.Reason)},
		{"limits", reports.Optional(reports.Objects(&r.Limits, limitFields))}, // limits from the configuration
		{"need", reports.Optional(&r.Need)},                                   // smallest number of samples per side that allows a verdict
		{"notes", reports.Optional(reports.CaveatObjects(r.Base.Notes, r.Head.Notes, r.Notes))},
		{"within", reports.Optional(rowNames(r.Within))}, // the rows that directly contain this one
		{"one_with", reports.Optional(correlated)},       // another row that shows the same change, which is counted once
	})
}

// meanFields describes the mean of all slices in a trial.
func meanFields(m *compare.Mean) reports.Object {
	return reports.Object{
		{"rounds", &m.Rounds},
		{"shift", reports.ShiftFields(&m.Shift)},
		{"bound", &m.Bound}, // the largest relative change of the mean that its interval allows
		{"adjusted_p", &m.AdjustedP},
		{"typical", reports.ShiftFields(&m.Typical)}, // the change of a typical slice
		{"slow_base", &m.Slow[0]},                    // share of the base's slices, from 0 to 1, that took far longer than most
		{"slow_head", &m.Slow[1]},
	}
}

// measuringFields describes how a benchmark was measured.
func measuringFields(w *record.Method) reports.Object {
	return reports.Object{
		{"how", &w.How},                                // slices: the sides take turns; fresh: each side runs in a new process
		{"why", reports.Optional(&w.Why)},              // why it was not measured in slices
		{"detail", reports.Optional(&w.Detail)},        // numbers about this benchmark that explain why
		{"slices", reports.Optional(&w.Slices)},        // number of pairs of slices in a round
		{"slice_ns", reports.Optional(&w.Length)},      // approximate length of a slice
		{"iterations", reports.Optional(&w.N)},         // mean number of iterations in a slice
		{"clock", reports.Optional(&w.Clock)},          // wall, or cpu for the CPU time of the process
		{"estimator", reports.Optional(&w.Estimator)},  // which slices of a round count: middle, or in older runs one of sum, trimmed, median, quiet, all, quicker
		{"stopped", reports.Optional(&w.Stopped)},      // the waiting side was stopped
		{"pinned", reports.Optional(&w.Pinned)},        // all slices of a round ran on one CPU
		{"sliced_rounds", reports.Optional(&w.Sliced)}, // number of rounds measured in slices
		{"fresh_rounds", reports.Optional(&w.Fresh)},   // number of rounds measured in new processes
	}
}

func rowNames(rows []*compare.Row) []string {
	var out []string
	for _, r := range rows {
		out = append(out, r.Name)
	}
	return out
}

// oneSidedFields describes a benchmark, or one of its units, missing on one side.
func oneSidedFields(u *compare.OneSided) reports.Object {
	return slices.Concat(reports.Object{{"target", u.Target}}, reports.BenchmarkFields(&u.BenchmarkID), reports.Object{{"unit", reports.Optional(u.Unit)}})
}

// failureFields describes a failed benchmark.
func failureFields(f *compare.Failure) reports.Object {
	return reports.Object{{"side", f.Side}, {"target", f.Target}, {"benchmark", f.Benchmark}, {"reason", f.Reason}}
}

// sameCodeFields describes a package with the same machine code on both sides.
func sameCodeFields(s *compare.SameCode) reports.Object {
	return reports.Object{{"target", s.Target}, {"package", s.Package}, {"benchmarks", s.Benchmarks}}
}

// unreachedFields describes the benchmarks in a package that reach no changed code.
func unreachedFields(u *compare.Unreached) reports.Object {
	return reports.Object{{"target", u.Target}, {"package", u.Package}, {"benchmarks", u.Benchmarks}}
}

// rewrittenFields describes a benchmark that cannot be compared because it was edited.
func rewrittenFields(r *compare.Rewritten) reports.Object {
	return reports.Object{{"target", r.Target}, {"package", r.Package}, {"name", r.Name}}
}

// sharedFields describes an edited or new benchmark and names the side whose test files were used
// on both sides.
func sharedFields(s *compare.Shared) reports.Object {
	return reports.Object{{"target", s.Target}, {"package", s.Package}, {"name", s.Name}, {"test_files", s.Of}, {"new", s.New}}
}

// notCheckedFields counts the benchmarks with too few rounds.
func notCheckedFields(u compare.Shortfall) reports.Object {
	if u.Benchmarks == 0 {
		return nil
	}
	return reports.Object{
		{"benchmarks", u.Benchmarks},
		{"rounds", u.Rounds},                                     // sufficient number of rounds for all of them
		{"budget_seconds", reports.Optional(u.Budget.Seconds())}, // sufficient budget for all of them, if known
	}
}
