// Package compare decides which benchmarks changed between two sides.
//
// Data flows from the engine through runner and store to this package, and from here to the reports.
// A [Comparison] depends only on its runs and options; there is no I/O, no clock and no randomness.
//
// A [Row] has two separate kinds of numbers. Its summaries, delta and p equal those of benchstat
// for the same samples (package golang.org/x/perf/benchmath). Its [Decision] is perftrack's own: a
// shift with an interval, a p adjusted for all rows of the comparison, and a verdict. Only runs of
// one trial, measured side by side, can get a verdict other than "suspect".
//
// Begin with compare.go. The result is in comparison.go, row.go and caveat.go. rows.go fills in the
// numbers of rows, decide.go passes the series of a trial to package stat, and verdict.go describes
// the decisions. suspect.go handles unpaired runs, and exact.go handles counts. geomean.go computes
// the means of tables. nesting.go nests rows in each other, and change.go groups them by change.
// accepted.go deals with intended changes; coverage.go, selection.go and unchecked.go with
// unmeasured and unchecked benchmarks; layout.go with code placement; known.go with the base's
// history; limits.go with values beyond a limit; and failures.go with failures. trials.go joins
// several trials of the same two commits, and detectable.go reads calibrations.
//
// The packages below this one:
//   - compare/stat tests series of numbers
//   - compare/pairs matches runs and lines up their rounds
//   - compare/units classifies and orders units
//   - compare/anchors computes ratios to a baseline
//   - compare/gates decides whether the change may be merged
//   - compare/acceptance holds the intended changes
//   - compare/digest turns a comparison into verdicts and counts for the reports
//   - compare/tree finds the functions responsible for a difference
//   - compare/profiles compares two profiles
//   - compare/steps finds the steps in a history
//   - compare/search finds the commit that changed something
//   - compare/evaluation measures how often these packages are wrong
package compare
