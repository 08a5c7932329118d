// Package history follows benchmarks over the commits of a repository: values by commit,
// levels, steps, and the regressions that are still in force.
//
// Begin with history.go, which finds the series of a benchmark and narrows them; read.go
// reads the runs and orders the commits, steps.go lists the regressions, anchor.go turns
// values into ratios to a baseline.
package history
