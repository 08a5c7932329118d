// Package comparison finds the runs named by a user's arguments, and compares them under the terms
// of their trial: alpha, thresholds, noise floors and accepted changes.
//
// Begin with resolve.go, which finds the runs; choose.go selects trials, suites.go suites, and
// find.go benchmarks. terms.go and noise.go have the terms of a check, accept.go and
// accept_landed.go the intended changes, and list.go lists all stored comparisons.
package comparison
