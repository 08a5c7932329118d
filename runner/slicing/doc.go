// Package slicing measures the two sides of a Go benchmark in slices that alternate every few
// milliseconds: it chooses how, and makes one result a side of each round.
//
// A benchmark, and what a fresh process of each side printed of it, goes into [Choose]; out comes a
// [Way]: how long slices are, how many make a round, and what is made of them; or why the
// benchmark is to be measured in fresh processes. It is decided once, before any verdict.
// [Way.Measure] then measures a [Round]: a process of each side, in package turnstile, whose slices
// alternate ABBA, and of which an [Estimator] keeps some pairs. The two results of a round are of
// the kept slices only, so the ratio of their times is all that a verdict needs.
//
// Begin with way.go, then round.go; estimator.go selects, choose.go decides.
package slicing
