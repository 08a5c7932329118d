// Package modules finds the Go modules below a directory that have benchmarks, and the
// targets that measure them. It reads go.mod, go.work and test files; nothing is built.
package modules
