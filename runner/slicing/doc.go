// Package slicing measures the two sides of a Go benchmark in slices that alternate every few
// milliseconds: it chooses how, and makes one result a side of each round.
//
// A benchmark, and what a fresh process of each side printed of it, goes into [Choose]; out comes a
// [Way]: how long slices are, and how many make a round; or why the benchmark is to be measured in fresh
// processes. It is decided once, before any verdict. [Way.Measure] then measures a [Round]: a process of
// each side, in package turnstile, whose slices alternate ABBA. Both results are of
// the pairs whose ratios are the middle fifth ([Estimator]), and the [Mean] of all slices stands beside them.
//
// Choose asks, in this order:
//
//   - whether slices stand for a long sample, from two milliseconds on: they allocate as it does, half
//     of their time is timed, an operation takes as long as in slices some times as long
//     (represent.go);
//   - which share of the time goes into collections; where it matters, slices hold so many that one
//     more or less does not (collect.go);
//   - whether the time of an operation depends on how many a slice has, as it does where something
//     happens every so often: then slices are so long that once more or less does not matter
//     (phases.go); not where many benchmarks share the budget;
//   - whether more than one thread is at work; if not, a round stays on one CPU (threads.go);
//   - whether anything goes on in parked sides: then they are stopped;
//   - how many slices the threshold needs.
//
// Two things keep the value of a round honest. A selection of slices is the same when the sides change
// places, to the last bit, so that the exactness of the test of rounds needs nothing of the machine
// ([Estimator]). And the number of operations is another one in each round, so that no round is like
// the last in what happens every so often ([Way]).
//
// Begin with way.go, then round.go, estimator.go, mean.go and choose.go.
//
// Limits. What begins anew with each count and happens only after more operations than a slice has is
// not measured. Under a load that takes the CPU from most slices, what a benchmark does in a part of its
// slices cannot be told from what others do to it. The process CPU clock is not used: it misses what a
// benchmark waits for.
package slicing
