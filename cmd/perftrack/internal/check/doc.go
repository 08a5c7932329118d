// Package check measures base and head interleaved until every benchmark is decided or the
// budget ends: what a pull request runs.
//
// Begin with check.go, the trial and what it is judged by; trial.go begins or continues
// one, turns.go shares the budget among targets, course.go decides after each look which
// benchmarks go on.
package check
