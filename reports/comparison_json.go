package reports

import (
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/profiles"
)

// comparisonDocument has kind "comparison".
func comparisonDocument(c *compare.Comparison) Object {
	verdicts := map[string]int{}
	for _, v := range compare.Verdicts {
		verdicts[string(v)] = c.Count(v)
	}
	command := ""
	if verdicts[string(compare.Suspect)] > 0 && !c.Trial() {
		command = c.DecideCommand()
	}
	diffs := profiles.Of(c)
	return Object{
		// Whether the sides were measured together; without, no row has a verdict but
		// suspect. In a trial that is one where the code was not laid out anew each round.
		{"trial", c.Trial()},
		{"alpha", c.Options.Alpha},                // family-wise error rate of the verdicts
		{"confidence", c.Options.Confidence},      // of the interval of each center
		{"compare_alpha", c.Options.CompareAlpha}, // benchstat's, for one row
		{"tested", c.Tested},                      // rows tested: the family of adjusted_p
		{"verdicts", verdicts},                    // how many rows have each; all verdicts are listed
		{"command", Optional(command)},            // decides what is suspect
		{"base", sideFields(c.Base)},
		{"head", sideFields(c.Head)},
		{"tables", Objects(&c.Tables, tableFields)},
		{"missing", Objects(&c.Missing, unpairedFields)},
		{"new", Objects(&c.New, unpairedFields)},
		{"failures", Objects(&c.Failures, failureFields)},
		{"same_code", Optional(Objects(&c.Same, sameCodeFields))},       // of checks only: not measured
		{"rewritten", Optional(Objects(&c.Rewritten, rewrittenFields))}, // of checks only: not comparable
		{"caveats", CaveatObjects(c.Caveats)},
		{"not_checked", Optional(notCheckedFields(c.NotChecked()))}, // benchmarks that ended before any look could have flagged them
		{"error", Unset},                                            // kind and message, where the command failed although there is a comparison
		// Where both sides are profiles or runs of the engine's suites: one a target,
		// suite and environment.
		{"profiles", Optional(Objects(&diffs, Pointed(profilesFields)))},
		{"explanations", Unset}, // where regressions come from, if that was asked for: as in an explanation
	}
}

// sideFields are one side with its runs.
func sideFields(s compare.Side) Object {
	runs := []Object{}
	for _, r := range s.Runs {
		runs = append(runs, RunFields(r, r.ID()))
	}
	return Object{{"label", s.Label}, {"runs", runs}}
}

// tableFields are the rows of one target, kind, package, suite, environment and
// unit. Geomean ratios are over the rows of the table.
func tableFields(t *compare.Table) Object {
	return Object{
		{"target", t.Target},
		{"benchmark_kind", t.Kind},
		{"package", t.Package},
		{"suite", t.Suite},
		{"unit", t.Unit},
		{"trial", t.Trial},
		{"of_trial", Optional(t.OfTrial)}, // which one, where several were compared
		{"comparable", t.Comparable},
		{"environment_differences", Objects(&t.Different, differenceFields)},
		{"rows", Objects(&t.Rows, Pointed(rowFields))},
		{"geomean", Object{
			{"base", t.Geomean.Base},
			{"head", t.Geomean.Head},
			{"ratio", t.Geomean.Ratio},
			{"notes", Optional(CaveatObjects(t.Geomean.Notes))},
		}},
	}
}

// differenceFields are a fact on which the environments differ.
func differenceFields(d *compare.Difference) Object {
	return Object{{"key", d.Key}, {"base", d.Base}, {"head", d.Head}}
}

// rowFields are one benchmark. delta and p are benchstat's; adjusted_p, shift,
// bound, need and verdict are perftrack's decision, null, 0 or "" where none was made.
func rowFields(r *compare.Row) Object {
	oneWith := ""
	if r.OneWith != nil {
		oneWith = r.OneWith.Name
	}
	return slices.Concat(BenchmarkFields(&r.BenchmarkID), Object{
		{"unit", &r.Unit},
		{"unit_stored", &r.OrigUnit},
		{"better", &r.Better}, // +1 higher, -1 lower, 0 unknown
		{"base", SummaryFields(&r.Base)},
		{"head", SummaryFields(&r.Head)},
		{"delta", &r.Delta},
		{"p", &r.P},
		{"derived", &r.Derived},
		{"exact", &r.Exact},
		{"tested", &r.Tested},
		{"threshold", &r.Threshold},
		{"noise", Optional(&r.Noise)}, // known noise floor
		{"adjusted_p", &r.AdjustedP},
		{"shift", ShiftFields(&r.Shift)},
		{"bound", &r.Bound}, // largest relative change that the interval leaves possible
		{"verdict", &r.Verdict},
		{"reason", Optional(&r.Reason)},
		{"need", Optional(&r.Need)}, // samples a side needed at least for a verdict
		{"notes", Optional(CaveatObjects(r.Base.Notes, r.Head.Notes, r.Notes))},
		{"within", Optional(rowNames(r.Within))}, // the rows of the table that directly contain this one
		{"one_with", Optional(oneWith)},          // the row whose change this row shows too, so that it is counted once
	})
}

func rowNames(rows []*compare.Row) []string {
	var out []string
	for _, r := range rows {
		out = append(out, r.Name)
	}
	return out
}

// unpairedFields are a benchmark that one side lacks, or one unit of it.
func unpairedFields(u *compare.Unpaired) Object {
	return slices.Concat(Object{{"target", u.Target}}, BenchmarkFields(&u.BenchmarkID), Object{{"unit", Optional(u.Unit)}})
}

func failureFields(f *compare.Failure) Object {
	return Object{{"side", f.Side}, {"target", f.Target}, {"benchmark", f.Benchmark}, {"reason", f.Reason}}
}

// sameCodeFields are a package that is the same code on both sides.
func sameCodeFields(s *compare.SameCode) Object {
	return Object{{"target", s.Target}, {"package", s.Package}, {"benchmarks", s.Benchmarks}}
}

// rewrittenFields are a benchmark whose own function changed.
func rewrittenFields(r *compare.Rewritten) Object {
	return Object{{"target", r.Target}, {"package", r.Package}, {"name", r.Name}}
}

// notCheckedFields count what a trial left out for want of rounds.
func notCheckedFields(u compare.Unchecked) Object {
	if u.Benchmarks == 0 {
		return nil
	}
	return Object{
		{"benchmarks", u.Benchmarks},
		{"rounds", u.Rounds},                             // that the last of them needs
		{"budget_seconds", Optional(u.Budget.Seconds())}, // that would do, where it is known
	}
}
