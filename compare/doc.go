// Package compare decides which benchmarks changed between two sides.
//
// It stands in the flow engine -> runner -> store -> compare -> reports and is
// pure: runs in, a [Comparison] out, with no I/O, no clock and no randomness.
//
// A [Row] carries two kinds of numbers, which are kept apart. Its summaries,
// delta and p are what benchstat prints for the same samples (package
// golang.org/x/perf/benchmath). Its [Decision] is perftrack's own: a shift with
// an interval, a p adjusted for all rows of the comparison, and a verdict. Only
// runs of one trial, which were measured side by side, get a verdict that says
// more than "suspect".
//
// Where a thing lives: pairing of runs and series in pair.go, the numbers of a
// row in row.go, the verdicts in decide.go and exact.go, the shift and its
// interval in shift.go, geomeans in geomean.go. Which rows contain which is in
// nesting.go, which of them show one change in change.go.
//
// Below this package, compare/profiles adds what two profiles show, compare/tree which
// functions make a difference, compare/steps finds the steps of a history, compare/search the commit
// that changed something, and compare/simulate counts how often all of them are wrong.
package compare
