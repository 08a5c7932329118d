// Package steps finds level changes and drifts in a history.
//
// A [Line] holds the runs of one benchmark in the order of their commits, one value per run.
// [Line.Course] finds its levels, steps, drifts and outliers; [Regressions] holds the unresolved
// regressions. Begin with line.go and course.go. partition.go divides the runs into levels,
// slide.go and drift.go find gradual changes, outliers.go finds unconfirmed runs, and noise.go and
// trend.go estimate the scatter of single runs.
//
// The runs are unpaired, so a step is a reason to measure both of its sides together rather than a
// proof. The package does no I/O and uses neither the clock nor randomness.
package steps
