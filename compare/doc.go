// Package compare decides which benchmarks changed between two sides.
//
// It stands in the flow engine -> runner -> store -> compare -> reports. A
// [Comparison] depends on nothing but the runs and options it is made from: there is
// no I/O, no clock and no randomness.
//
// A [Row] carries two kinds of numbers, which are kept apart. Its summaries,
// delta and p are what benchstat prints for the same samples (package
// golang.org/x/perf/benchmath). Its [Decision] is perftrack's own: a shift with
// an interval, a p adjusted for all rows of the comparison, and a verdict. Only
// runs of one trial, which were measured side by side, get a verdict that says
// more than "suspect".
//
// Begin with compare.go, which pairs runs and series by pair.go. row.go has the numbers of
// a row, rounds.go turns rows into the series of a trial, decide.go has package stat
// decide them and verdict.go has the words for that; suspect.go is for unpaired runs, and
// exact.go says which units count. What else a comparison says: geomean.go; nesting.go,
// which rows contain which, and change.go, which of them show one change; accepted.go and
// size.go; coverage.go, selection.go and unchecked.go, what was not measured; layout.go,
// where code lies; known.go, what the history of the base has; limits.go, which values lie
// beyond a limit; failures.go, what failed. gate.go decides what all of
// it means for whoever merges. trials.go puts several trials of two commits together, anchor.go makes
// ratios to a baseline, detectable.go reads calibrations.
//
// Below this package, compare/stat decides by the numbers alone; compare/tree finds the
// functions that make a difference, compare/profiles what two profiles show,
// compare/steps the steps of a history, compare/search the commit that changed something;
// compare/internal/simulatetest counts how often all of them are wrong.
package compare
