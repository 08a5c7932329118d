// Package modules finds the Go modules below a directory that have benchmarks.
//
// A [Tree] is what was found, with the targets that measure the modules and the go command
// that covers those that are left out. go.mod, go.work and test files are read, nothing is
// built. All of it is in modules.go.
package modules
