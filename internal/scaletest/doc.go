// Package scaletest fills databases with more than any project has, for tests of how long
// something takes.
//
// All of it is in scaletest.go.
package scaletest
