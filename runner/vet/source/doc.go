// Package source reads the source of benchmarks and finds what makes their figures say
// something else than they seem to. It runs nothing but the go command.
//
// Load reads packages with their types; [Package.Findings] applies the rules. Begin with
// benchmark.go, which says what a benchmark and its measured loop are; every rule is a
// function of a [benchmark] that reports through it, listed in finding.go.
package source
