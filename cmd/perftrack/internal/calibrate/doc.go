// Package calibrate measures a commit against itself, to learn how large a change this
// machine can show.
//
// It reports the noise of each benchmark of the targets. All of it is in calibrate.go.
package calibrate
