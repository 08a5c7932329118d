package pullrequest

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/record"
)

// editedIn says of which packages a list of changed files may have changed the benchmarks. A trial
// says so of itself, and who wrote it would take its regressions out of judgement by that. The module's
// path is not known here, so a package is found by the end of its own, and that of the module's root
// as the one that all of the trial's are below.
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

// claimsEdits reports whether a run says of benchmarks that they are not comparable.
func claimsEdits(runs []*record.Run) bool {
	return slices.ContainsFunc(runs, func(r *record.Run) bool { return r.Facts.Get(record.KeyRewritten) != "" })
}

// edited returns which packages' benchmarks the pull request may have changed, by what the forge lists
// of its files. Where it lists not all, none may be: what was measured is judged.
func (c *job) edited(ctx context.Context, trials []*trialRun) (func(target, pkg string) bool, error) {
	edits := func(string, string) bool { return false }
	var runs []*record.Run
	for _, m := range trials {
		runs = append(runs, m.head.Runs...)
	}
	if !claimsEdits(runs) {
		return edits, nil
	}
	files, all, err := c.github.Changed(ctx, sideCommit(trials[0].base), sideCommit(trials[0].head))
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

const unfoundedText = "The trial calls benchmarks changed of which the two commits show no changed test file: they were judged by what was measured"

// unfounded reports whether a run calls a benchmark edited of a package without edits.
func unfounded(runs []*record.Run, edits func(target, pkg string) bool) bool {
	return slices.ContainsFunc(runs, func(r *record.Run) bool {
		return slices.ContainsFunc(compare.RewrittenOf(r), func(w compare.Rewritten) bool {
			if w.Package != "*" {
				return !edits(w.Target, w.Package)
			}
			return slices.ContainsFunc(r.Benchmarks, func(b record.Benchmark) bool { return !edits(w.Target, b.Package) })
		})
	})
}
