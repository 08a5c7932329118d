package gotool

import (
	"context"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/proc"
)

// PackagesDeclaring returns the import paths of the packages in dir that match patterns and declare
// the given benchmark function in their tests. The function is given without the Benchmark prefix.
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

// Dependencies returns the directories of the packages built into a package's test binary,
// excluding packages from the standard library and other modules.
func Dependencies(ctx context.Context, dir, importPath string) ([]string, error) {
	argv := []string{"go", "list", "-e", "-deps", "-test", "-f", "{{if and (not .Standard) .Module}}{{if .Module.Main}}{{.Dir}}{{end}}{{end}}", "--", importPath}
	out, err := build.Step(ctx, "the dependencies of "+importPath, proc.Command{Argv: argv, Dir: dir})
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
