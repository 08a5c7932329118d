// Package modules finds the Go modules below a directory that have benchmarks.
//
// A directory comes in; a [Tree] goes out, with the targets that measure its modules and the
// go command that covers those that are left out. go.mod, go.work and test files are read,
// nothing is built. All of it is in modules.go.
//
// A folder goes in, modules and targets come out. Begin with modules.go.
package modules
