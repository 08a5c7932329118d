// Package check measures base and head in alternation until every benchmark is decided or the
// budget is spent.
//
// Begin with check.go. state.go has the state of a check, trial.go begins or continues a trial, and
// judge.go has the terms for judging it. turns.go lets the targets take turns of one round each,
// and target.go runs the rounds of one target. A look is an analysis planned after a certain round:
// look.go then decides which benchmarks need more rounds. plan.go fits the benchmarks to the
// budget.
package check
