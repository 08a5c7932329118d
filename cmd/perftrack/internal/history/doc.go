// Package history follows benchmarks over the commits of a repository. It finds their values by
// commit, their levels and steps, and the unresolved regressions, neither accepted nor
// recovered from.
//
// Start with history.go, which finds the series of a benchmark and narrows them down by the user's
// options. read.go reads the runs and orders the commits, steps.go lists the regressions, and
// anchor.go turns values into ratios to a baseline.
package history
