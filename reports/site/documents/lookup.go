package documents

import "github.com/perftrack/perftrack/runner/record"

// A Lookup finds the indices that documents use. Its functions return -1 for an unknown value.
type Lookup struct {
	Commit      func(sha string) int
	Run         func(id string) int
	Environment func(id string) int
	Benchmark   func(target string, id record.BenchmarkID) int
}
