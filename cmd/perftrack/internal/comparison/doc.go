// Package comparison finds the runs that a user's words mean, and compares them under the
// terms by which their trial is judged: alpha, thresholds, noise floors, accepted changes.
//
// Begin with resolve.go, which finds the runs; choose.go picks among several trials and
// find.go among benchmarks, terms.go and noise.go have the terms of a check, accept.go and
// accept_landed.go the changes that are intended.
package comparison
