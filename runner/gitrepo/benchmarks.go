package gitrepo

import (
	"context"
	"fmt"

	"github.com/perftrack/perftrack/runner/gobench"
)

// Benchmarks returns the names, without the prefix Benchmark, of the benchmark functions in the Go
// test files of a commit, or of the work tree if sha is "". It does not build or check out
// anything. It returns an error if there are no benchmarks.
func (r *Repo) Benchmarks(ctx context.Context, sha string) (names []string, err error) {
	args := []string{"grep", "-h", "--no-color", "--no-line-number", "-E"}
	const declaration = "^" + gobench.DeclarationStart
	if sha == "" {
		args = append(args, "--untracked", "--no-exclude-standard", "-e", declaration)
	} else {
		args = append(args, "-e", declaration, sha)
	}
	out, err := r.git(ctx, append(args, "--", "*_test.go")...)
	if err != nil {
		return nil, fmt.Errorf("look for benchmarks in %s: %w", r.root, err)
	}
	for _, d := range gobench.Declarations(out) {
		names = append(names, d.Name)
	}
	return names, nil
}
