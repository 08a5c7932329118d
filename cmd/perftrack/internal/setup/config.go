package setup

import (
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/modules"
	"github.com/perftrack/perftrack/runner/config"
)

// keptConfig reads the perftrack.toml that the root has already, nil without one.
func keptConfig(root string) (*config.Config, error) {
	path, ok := config.Find(root, root)
	if !ok {
		return nil, nil
	}
	kept, err := config.Load(path)
	if err != nil {
		return nil, fault.Config(err)
	}
	return kept, nil
}

// noTargetText is what perftrack.toml says instead of targets.
func noTargetText(found modules.Tree) string {
	why := "# No Go benchmarks were found. "
	if found.Loose > 0 {
		why = `# Go benchmarks were found, but in no module, so that the go command does not build them: after
# go mod init, commit go.mod, move this file away and run perftrack init again, or write a target.
# `
	}
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
