// Package harness finds the benchmark harnesses of a repository in other languages than Go, and
// writes a target for each.
//
// It reads file names and a bounded amount of text, and never runs anything. Start with Find in
// find.go, which asks one file per language; target.go has what they return. Package setup writes
// the targets to perftrack.toml.
package harness
