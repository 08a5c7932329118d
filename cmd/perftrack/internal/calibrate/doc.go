// Package calibrate measures a commit against itself, to learn how large a change this
// machine can show.
//
// Targets go in, the noise of each benchmark comes out. All of it is in calibrate.go.
package calibrate
