package gotool

import (
	"context"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/proc"
)

// PackagesDeclaring returns the import paths of the packages in dir whose tests
// declare the benchmark function; the name is without the Benchmark prefix.
func PackagesDeclaring(ctx context.Context, dir string, patterns []string, function string) ([]string, error) {
	pkgs, err := BenchmarkPackages(ctx, dir, patterns, nil)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, pkg := range pkgs {
		if slices.Contains(pkg.Declared(), function) {
			found = append(found, pkg.ImportPath)
		}
	}
	return found, nil
}

// Dependencies returns the directories of the packages that the package's tests are
// built from, the standard library's and those of other modules left out.
func Dependencies(ctx context.Context, dir, importPath string) ([]string, error) {
	argv := []string{"go", "list", "-e", "-deps", "-test", "-f", "{{if and (not .Standard) .Module}}{{if .Module.Main}}{{.Dir}}{{end}}{{end}}", "--", importPath}
	out, err := build.Step(ctx, "the list of what "+importPath+" depends on", proc.Command{Argv: argv, Dir: dir})
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var dirs []string
	for line := range strings.Lines(string(out)) {
		if d := strings.TrimSpace(line); d != "" && !seen[d] {
			seen[d] = true
			dirs = append(dirs, d)
		}
	}
	return dirs, nil
}
