package site

import "github.com/perftrack/perftrack/runner/record"

// Places find what a document names by its place in the list of another. They return -1 for what
// is not there.
type Places struct {
	Commit      func(sha string) int
	Run         func(id string) int
	Environment func(id string) int
	Benchmark   func(target string, id record.BenchmarkID) int
}
