// Package vet finds faults in Go benchmarks by reading their source. A fault is code that makes the
// result of a benchmark mean something other than it seems to.
//
// Use it through [Analyzers] with any go/analysis driver, or through [Package.Findings] as the
// command perftrack vet does, which also runs benchmarks to confirm suspicions.
//
// Start with benchmark.go, which finds benchmarks and their measured loops. Each rule is a method
// of [benchmark]. The rules are listed in rules.go and described in docs/vet.md.
package vet
