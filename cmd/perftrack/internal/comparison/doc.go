// Package comparison finds the runs that a user's words mean, and compares them under the
// terms by which their trial is judged: alpha, thresholds, noise floors, accepted changes.
//
// Words, or the runs of a trial, come in; a [compare.Comparison] goes out. Begin with
// resolve.go; choose.go picks among several trials, terms.go and noise.go are what a
// check decided by, accept.go and accept_landed.go which changes are intended.
package comparison
