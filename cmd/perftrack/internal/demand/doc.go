// Package demand decides whether a user may have a pull request measured, and which benchmarks to
// measure.
//
// Its input is a GitHub Actions event: either a comment, open to anyone, or a workflow started by
// hand. Its output is either the commits to measure and checked arguments, or a refusal. Start with
// demand.go. The syntax of a comment is in command.go.
package demand
