package gitrepo

import (
	"context"
	"fmt"
	"regexp"
)

var benchmarkLine = regexp.MustCompile(`(?m)^func Benchmark(\w*)\s*\(`)

// Benchmarks returns the names, without the prefix Benchmark, of the functions in Go test files of a
// commit that are benchmarks by their name, of the work tree where sha is "". Nothing is built or
// checked out for that. It is an error that there are none.
func (r *Repo) Benchmarks(ctx context.Context, sha string) (names []string, err error) {
	args := []string{"grep", "-h", "--no-color", "--no-line-number", "-E"}
	const declaration = "^func Benchmark"
	if sha == "" {
		args = append(args, "--untracked", "--no-exclude-standard", "-e", declaration)
	} else {
		args = append(args, "-e", declaration, sha)
	}
	out, err := r.git(ctx, append(args, "--", "*_test.go")...)
	if err != nil {
		return nil, fmt.Errorf("look for benchmarks in %s: %w", r.root, err)
	}
	for _, m := range benchmarkLine.FindAllSubmatch(out, -1) {
		names = append(names, string(m[1]))
	}
	return names, nil
}
