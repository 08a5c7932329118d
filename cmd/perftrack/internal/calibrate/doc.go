// Package calibrate measures a commit against itself, to learn how large a change this
// machine can show.
package calibrate
