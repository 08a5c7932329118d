// Package history follows benchmarks over the commits of a repository: values by commit,
// levels, steps, and what regressed since.
//
// A benchmark's name comes in, its series go out. Begin with history.go; read.go reads
// and orders the commits, steps.go finds the levels, anchor.go draws against a baseline.
package history
