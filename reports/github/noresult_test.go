package github

import (
	"strings"
	"testing"
)

// messages returns comments for commits without a result.
func messages() map[string]string {
	o := Options{Workflow: "w", Link: "https://git.example/o/r/actions/runs/7", Commits: "https://git.example/o/r/commit/"}
	sha := strings.Repeat("b", 40)
	return map[string]string{
		"failed":     o.Failed(sha, Broken, "the measuring workflow left no readable trial", ""),
		"expired":    o.Failed(sha, Pending, "the trial has expired", "run the measuring workflow again"),
		"waiting":    o.Failed(sha, Pending, "the benchmarks are being measured", ""),
		"unmeasured": o.Unmeasured(sha, "not measured: no changed file matches paths in perftrack.toml on main"),
	}
}

func TestMessages(t *testing.T) {
	for name, got := range messages() {
		check(t, got)
		golden(t, name+".md", got)
	}
}
