// Package explain attributes the difference between two commits to functions. It finds the
// functions that take more time or memory, and marks those touched by the change.
//
// Start with explain.go; functions.go profiles both sides, changed.go reads the sources, and
// culprit.go explains the culprit of a bisection.
package explain
