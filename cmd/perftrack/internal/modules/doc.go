// Package modules finds the Go modules below a directory that have benchmarks, and the
// targets that measure them. It reads go.mod, go.work and test files; nothing is built.
//
// A folder goes in, modules and targets come out. Begin with modules.go.
package modules
