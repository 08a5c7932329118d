package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gotool"
)

// isPattern reports whether the name of a target is a pattern of Go packages instead: the
// name of a target has no slash and does not begin with a dot.
func isPattern(name string) bool {
	return strings.Contains(name, "/") || strings.HasPrefix(name, ".") || strings.Contains(name, "...")
}

// addMatching adds the targets of which packages match the patterns, each with only those
// packages: their results belong to the history of the target, under its name.
func (a *Session) addMatching(ctx context.Context, where Place, known, chosen []config.Target, patterns []string) ([]config.Target, error) {
	if len(patterns) == 0 {
		return chosen, nil
	}
	only, err := where.patterns(patterns)
	if err != nil {
		return nil, err
	}
	matched := make([]bool, len(only))
	for _, t := range known {
		if _, whole := FindTarget(chosen, t.Name); whole || t.Kind != config.GoTest {
			continue
		}
		for i, pattern := range only { // one by one, so that none matches nothing unseen
			has, err := gotool.HasBenchmarks(ctx, where.ModuleDir(), t.Packages, []string{pattern})
			if err != nil {
				return nil, fault.Build(err)
			}
			if has {
				matched[i] = true
				t.Only = append(t.Only, pattern)
			}
		}
		if len(t.Only) > 0 {
			chosen = append(chosen, t)
		}
	}
	if i := slices.Index(matched, false); i >= 0 {
		if folder := where.missingFolder(patterns[i]); folder != "" {
			return nil, fault.Usagef("%s: there is no folder %s", patterns[i], folder)
		}
		return nil, fault.Usagef("no benchmarks in %s that belong to a target: there are %s (see `perftrack list targets`)", patterns[i], nameList(known))
	}
	return chosen, nil
}

// patterns returns the patterns as they are written where targets stand.
func (p Place) patterns(patterns []string) (out []string, err error) {
	for _, pattern := range patterns {
		first, _, _ := strings.Cut(pattern, "/")
		if first == "." || first == ".." {
			rel, err := filepath.Rel(p.ModuleDir(), filepath.Join(p.Dir, pattern))
			if err != nil {
				return nil, fault.Usagef("find the packages %s: %v", pattern, err)
			}
			if pattern = filepath.ToSlash(rel); !strings.HasPrefix(pattern, "../") {
				pattern = "./" + pattern
			}
		}
		out = append(out, pattern)
	}
	return out, nil
}

// missingFolder is the folder that a pattern of packages begins in and that is not there, "" where it
// is, or where the pattern names packages by their import path.
func (p Place) missingFolder(pattern string) string {
	first, _, _ := strings.Cut(pattern, "/")
	if first != "." && first != ".." {
		return ""
	}
	if whole, _, wild := strings.Cut(pattern, "..."); wild {
		pattern = path.Dir(whole + "_")
	}
	folder := filepath.Join(p.Dir, pattern)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return folder
	}
	return ""
}

// patternHint tells who named a folder how to name its packages.
func (p Place) patternHint(name string) string {
	if info, err := os.Stat(filepath.Join(p.Dir, name)); err == nil && info.IsDir() {
		return "; for the packages of the folder write ./" + name + " or ./" + name + "/..."
	}
	return ""
}
