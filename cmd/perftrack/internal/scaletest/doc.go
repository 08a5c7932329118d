// Package scaletest fills databases with more data than any project has, to test perftrack's speed.
//
// All the code is in scaletest.go.
package scaletest
