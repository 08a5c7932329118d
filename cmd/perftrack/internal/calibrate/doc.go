// Package calibrate measures a commit against itself, to find the smallest detectable change on
// this machine.
//
// It reports the noise of each of the targets' benchmarks. All the code is in calibrate.go.
package calibrate
