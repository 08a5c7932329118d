// Package modules finds the Go modules that contain benchmarks in and below a directory.
//
// The result is a [Tree]. Its methods return the targets that measure the modules, and the go
// command that makes it possible to measure the remaining modules. The package reads go.mod,
// go.work and test files, and builds nothing. All the code is in modules.go.
package modules
