// Package steps finds where the level of a history changes, and where it drifts.
//
// A [Line] has the runs of one benchmark in the order of their commits, one value a run.
// [Line.Course] finds its levels, steps, drifts and outliers; [Regressions] are the steps
// for the worse that are still in force. Begin with line.go and course.go: partition.go
// cuts the runs into levels, slide.go and drift.go find what changes little by little,
// outliers.go what nothing confirms, noise.go and trend.go how much single runs scatter.
//
// The runs are unpaired: a step is a reason to measure both of its sides together, not a
// proof. Package steps has no I/O, no clock and no randomness.
package steps
