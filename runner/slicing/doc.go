// Package slicing measures the two sides of a Go benchmark in slices: short runs, alternating
// between the sides every few milliseconds. It chooses the slices, and it reduces each round to one
// result per side. A slice is one count of package testing: it runs the benchmark function for a
// fixed number of iterations. A pair consists of two slices in a row, one from each side.
//
// [Choose] takes a benchmark and the result of one fresh process of each side. It returns a
// [Method], which states the length of slices and their number per round, or else why fresh
// processes should measure the benchmark. The choice is made once, before any verdict.
// [Method.Measure] then measures a [Round] with one process per side. It uses package turnstile and
// alternates the slices in the order ABBA. The result of a round comes from the middle fifth of the
// pairs, ordered by ratio ([Estimator]), but its [Mean] covers all slices.
//
// Choose examines the following, in this order:
//
//   - Whether slices of at least two milliseconds represent a long sample. They must allocate the
//     same amount per operation, at least half of their time must be timed, and an operation must
//     take the same time as in much longer slices (represent.go).
//   - The share of time spent in garbage collections. If it matters, slices must contain enough
//     collections that one more or less does not matter (collect.go).
//   - Whether the time of an operation depends on the number of operations in a slice, because of
//     periodic events. If so, slices must contain enough events that one more or less does not
//     matter (phases.go). This step is skipped if many benchmarks share the budget.
//   - Whether more than one thread is at work. If not, a round stays on one CPU (threads.go).
//   - Whether parked sides do any work. If so, they are stopped.
//   - How many slices the threshold requires.
//
// Two properties keep the value of a round unbiased. Exchanging the sides selects exactly the same
// slices, so the test on rounds is exact on any machine ([Estimator]). In addition, each round has
// a different number of operations per slice, so no two rounds contain periodic events in the same
// way ([Method]).
//
// Begin with method.go, followed by round.go, estimator.go, mean.go and choose.go.
//
// The approach has limits. Events that start over with each count and need more operations than a
// slice has are not measured. If load takes the CPU away from most slices, rare work of the
// benchmark itself cannot be distinguished from disturbances. The CPU clock of the process is not
// used, because it misses the time a benchmark spends waiting.
package slicing
