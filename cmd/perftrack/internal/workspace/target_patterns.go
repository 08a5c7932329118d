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

// isPattern reports whether name is a pattern for Go packages rather than the name of a target.
// Names contain no slash and do not begin with a dot.
func isPattern(name string) bool {
	return strings.Contains(name, "/") || strings.HasPrefix(name, ".") || strings.Contains(name, "...")
}

// addMatching adds the known targets with packages matching the patterns to chosen, limited to the
// matching packages. The results still belong to the targets' histories.
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
		for i, pattern := range only { // check each pattern by itself, so a pattern without a match causes an error
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
			return nil, fault.Usagef("%s: folder %s does not exist", patterns[i], folder)
		}
		return nil, fault.Usagef("no benchmarks in %s belong to a target: known targets are %s (see `perftrack list targets`)", patterns[i], nameList(known))
	}
	return chosen, nil
}

// patterns returns the patterns relative to the directory for building targets.
func (p Place) patterns(patterns []string) (out []string, err error) {
	for _, pattern := range patterns {
		first, _, _ := strings.Cut(pattern, "/")
		if first == "." || first == ".." {
			rel, err := filepath.Rel(p.ModuleDir(), filepath.Join(p.Dir, pattern))
			if err != nil {
				return nil, fault.Usagef("list packages %s: %v", pattern, err)
			}
			if pattern = filepath.ToSlash(rel); !strings.HasPrefix(pattern, "../") {
				pattern = "./" + pattern
			}
		}
		out = append(out, pattern)
	}
	return out, nil
}

// missingFolder returns the folder at the beginning of a relative pattern if it does not exist. It
// returns "" if the folder exists or the pattern is an import path.
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

// patternHint returns a text on how to select the packages in a folder if name is a folder, and ""
// otherwise.
func (p Place) patternHint(name string) string {
	if info, err := os.Stat(filepath.Join(p.Dir, name)); err == nil && info.IsDir() {
		return "; for the packages in the folder, write ./" + name + " or ./" + name + "/..."
	}
	return ""
}
