// Package check measures base and head interleaved until every benchmark is decided or the
// budget ends: what a pull request runs.
//
// Begin with check.go; trial.go begins or continues a trial, and judge.go knows what it is judged
// by. turns.go has the targets measured one round each in turn, course.go goes through the
// rounds of one of them, look.go decides after each look which benchmarks go on, and plan.go for
// which the budget suffices.
package check
