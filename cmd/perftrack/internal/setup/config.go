package setup

import (
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/modules"
	"github.com/perftrack/perftrack/reports"
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

// refuseUncovered returns why nothing is set up where there are benchmarks and the go command can name none
// of them in the root: each pull request would end without a result. A configuration that names no target
// and was there already is the user's own beginning.
func refuseUncovered(found modules.Tree, measured bool, kept *config.Config) error {
	command := found.WorkCommand()
	if measured || kept != nil || command == "" {
		return nil
	}
	reason := "no go.work is in the root, so that the go command there names none of them"
	if found.Workspace {
		reason = "go.work uses none of them"
	}
	return fault.Usagef("set up %s with benchmarks: %s; nothing was written: run `%s`, commit go.work and run `perftrack init` again, or write perftrack.toml with a target first",
		reports.Plural(len(found.Modules), "module"), reason, command)
}

// noTargetText is what perftrack.toml says instead of targets.
func noTargetText(found modules.Tree) string {
	why := "# No Go benchmarks were found. "
	if found.Loose > 0 {
		why = `# Go benchmarks were found, but in no module, so that the go command does not build them: after
# go mod init, commit go.mod, move this file away and run perftrack init again, or write a target.
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
