package app

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
)

// cover marks the modules whose packages the go command can name in the root: those
// that go.work uses, without one the root's own.
func (found *Initialized) cover(ctx context.Context) error {
	covered := []string{"."}
	if found.Workspace {
		var err error
		if covered, err = runner.WorkspaceModules(ctx, found.Root); err != nil {
			return &Error{Kind: "build", Err: err}
		}
	}
	found.mark(covered)
	return nil
}

// mark marks the modules in the directories as covered.
func (found *Initialized) mark(covered []string) {
	for i := range found.Modules {
		found.Modules[i].Covered = slices.Contains(covered, found.Modules[i].Dir)
	}
}

// measured says whether there is something to measure. Kept is the perftrack.toml that
// was there already, nil without one. One that names no target leaves that to the root's
// module.
func (found *Initialized) measured(kept *config.Config) bool {
	if kept != nil && len(kept.Targets) > 0 {
		return true
	}
	return slices.ContainsFunc(found.Modules, func(m Module) bool {
		return m.Covered && (kept == nil || m.Dir == ".")
	})
}

// keptConfig reads the perftrack.toml that the root has already, nil without one.
func keptConfig(root string) (*config.Config, error) {
	path, ok := config.Find(root, root)
	if !ok {
		return nil, nil
	}
	kept, err := config.Load(path)
	if err != nil {
		return nil, &Error{Kind: "config", Err: err}
	}
	return kept, nil
}

// WorkCommand is the go command that covers what is not, "" where everything is. A new
// workspace has the root's module, too: go would no longer build it otherwise.
func (found Initialized) WorkCommand() string {
	var dirs []string
	for _, m := range found.Modules {
		if !m.Covered {
			dirs = append(dirs, moduleWord(m.Dir))
		}
	}
	switch {
	case len(dirs) == 0:
		return ""
	case found.Workspace:
		return "go work use " + strings.Join(dirs, " ")
	case found.GoModule:
		dirs = append([]string{"."}, dirs...)
	}
	return "go work init " + strings.Join(dirs, " ")
}

var plainDir = regexp.MustCompile(`^[A-Za-z0-9._/-]+$`)

// moduleWord is a module's directory as one word of a command, on one line whatever
// it is called.
func moduleWord(dir string) string {
	switch {
	case dir == ".":
		return dir
	case !plainDir.MatchString(dir):
		return fmt.Sprintf("%q", "./"+dir)
	}
	return "./" + dir
}

// noTargetText is what perftrack.toml says instead of targets.
func noTargetText(found Initialized) string {
	why := "# No Go benchmarks were found. "
	if command := found.WorkCommand(); command != "" {
		reason := "there is no go.work"
		if found.Workspace {
			reason = "go.work does not use them"
		}
		why = `# Go benchmarks were found, but in modules that are not covered: ` + reason + `.
# Run
#   ` + command + `
# commit go.work, move this file away and run perftrack init again, or write a target.
# `
	}
	return "\n" + why + `Any program that prints the Go benchmark format will do:
# [[target]]
# name   = "tokenizer"
# kind   = "command"
# build  = "make bench"
# run    = "./bench"
# format = "gobench"
# layout = "seed"  # the build takes PERFTRACK_LAYOUT_SEED, or "accept": without, times are at most suspect
`
}
