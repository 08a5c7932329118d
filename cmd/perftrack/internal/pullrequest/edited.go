package pullrequest

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/record"
)

// editedIn returns a function that reports whether the benchmarks of a package may have been
// edited, judging by a list of changed files. The trial's own claim is not trusted, because its
// author could use it to exempt regressions. The module path is not known here. Therefore a package
// matches if its path ends in the folder of a changed test file. For a test file in the root
// folder, a package matches if all other packages in the trial are below it.
func editedIn(files []string, runs []*record.Run) func(target, pkg string) bool {
	var folders []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") && !slices.Contains(folders, path.Dir(file)) {
			folders = append(folders, path.Dir(file))
		}
	}
	root := func(pkg string) bool {
		return !slices.ContainsFunc(runs, func(r *record.Run) bool {
			return slices.ContainsFunc(r.Benchmarks, func(b record.Benchmark) bool {
				return b.Package != pkg && !strings.HasPrefix(b.Package, pkg+"/")
			})
		})
	}
	return func(_, pkg string) bool {
		return slices.ContainsFunc(folders, func(dir string) bool {
			return strings.HasSuffix(pkg, "/"+dir) || pkg == dir || dir == "." && root(pkg)
		})
	}
}

// claimsEdits reports whether any run claims edits to one of its benchmarks.
func claimsEdits(runs []*record.Run) bool {
	return slices.ContainsFunc(runs, func(r *record.Run) bool { return len(r.Protocol.Rewritten) > 0 })
}

// edited returns a function that reports whether the pull request may have edited the benchmarks of
// a package, judging by GitHub's list of changed files. If the list is incomplete, no package
// counts as edited.
func (c *job) edited(ctx context.Context, trials []*trialRun) (func(target, pkg string) bool, error) {
	edits := func(string, string) bool { return false }
	var runs []*record.Run
	for _, m := range trials {
		runs = append(runs, m.head.Runs...)
	}
	if !claimsEdits(runs) {
		return edits, nil
	}
	files, all, err := c.github.Changed(ctx, trials[0].base.Commit(), trials[0].head.Commit())
	if err != nil {
		return nil, err
	}
	if all {
		edits = editedIn(files, runs)
	}
	if unfounded(runs, edits) {
		c.notes = append(c.notes, github.Sentence(unfoundedText))
	}
	return edits, nil
}

const unfoundedText = "The trial says that benchmarks were edited, but the commits do not change their test files, so the benchmarks were judged as measured"

// unfounded reports whether a run claims edits to a benchmark in a package not reported by edits.
func unfounded(runs []*record.Run, edits func(target, pkg string) bool) bool {
	return slices.ContainsFunc(runs, func(r *record.Run) bool {
		return slices.ContainsFunc(r.Protocol.Rewritten, func(w record.BenchmarkFunc) bool {
			if w.Package != "*" {
				return !edits(r.Target, w.Package)
			}
			return slices.ContainsFunc(r.Benchmarks, func(b record.Benchmark) bool { return !edits(r.Target, b.Package) })
		})
	})
}
