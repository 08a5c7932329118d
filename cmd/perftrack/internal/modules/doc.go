// Package modules finds the Go modules with benchmarks in and below a directory.
//
// The result is a [Tree]. Its methods return targets for the modules, and a go command to make the
// remaining modules measurable. The package reads go.mod, go.work and test files, and builds
// nothing. All the code is in modules.go.
package modules
