// Package explain says where the difference between two commits comes from: the functions
// that take more time or memory, and which of them the change touched.
//
// Begin with explain.go; functions.go profiles both sides, changed.go reads the sources,
// culprit.go explains what a bisection found.
package explain
