package record

import (
	"fmt"
	"strings"
)

// A Failure explains why a benchmark has no samples, or why its sampling stopped early.
type Failure struct {
	Benchmark string `json:"benchmark"` // package and name, if known
	Reason    string `json:"reason"`

	counted int // in the last entry of a full list, the number of failures it summarizes; otherwise 0
}

// NotBuilt is the prefix of the reason when a whole package failed: none of its benchmarks was
// measured, because it does not build or start.
const NotBuilt = "not built: "

// Unbuilt reports whether a whole package failed to build or start.
func (f Failure) Unbuilt() bool { return strings.HasPrefix(f.Reason, NotBuilt) }

// AddFailure records why benchmark has no samples, or why its sampling stopped early. It truncates
// texts longer than MaxFailureLen and ends them in "...". Once the list is full, its last entry
// becomes a count of the remaining failures.
func (r *Run) AddFailure(benchmark, reason string) {
	more := append(r.Failures, Failure{Benchmark: cut(benchmark, MaxFailureLen), Reason: cut(reason, MaxFailureLen)})
	if checkFailures(more) == nil {
		r.Failures = more
		return
	}
	last := &r.Failures[len(r.Failures)-1]
	n := max(last.counted, 1) + 1
	*last = Failure{Reason: fmt.Sprintf("%d more failed", n), counted: n}
}

// cut truncates s to at most n bytes of valid UTF-8.
func cut(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n-3], "") + "..."
}
