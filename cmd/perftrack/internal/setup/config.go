package setup

import (
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/modules"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/config"
)

// keptConfig reads the existing perftrack.toml in the root. It returns nil if there is none.
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

// refuseUncovered returns an error if the go command in the root finds no benchmark, because no
// pull request would then get a result. It accepts any existing perftrack.toml.
func refuseUncovered(found modules.Tree, measured bool, kept *config.Config) error {
	command := found.WorkCommand()
	if measured || kept != nil || command == "" {
		return nil
	}
	reason := "there is no go.work in the root, so the go command does not find them"
	if found.Workspace {
		reason = "go.work uses none of them"
	}
	return fault.Usagef("set up %s with benchmarks: %s; nothing was written: run `%s`, commit go.work and run `perftrack init` again, or write perftrack.toml with a target first",
		reports.Plural(len(found.Modules), "module"), reason, command)
}

// noTargetText returns the comment for perftrack.toml instead of targets.
func noTargetText(found modules.Tree) string {
	why := "# No benchmarks were found. "
	if found.Loose > 0 {
		why = `# The Go benchmarks found are outside any module, so the go command cannot build them. Run
# go mod init, commit go.mod, move this file away and run perftrack init again, or write a target.
# `
	}
	return "\n" + why + `Any program can be a target if perftrack reads its output (perftrack help languages):
# [[target]]
# name   = "tokenizer"
# kind   = "command"
# build  = "make bench"
# run    = "./bench"
# format = "gobench"
# layout = "seed"  # the build uses PERFTRACK_LAYOUT_SEED; or "accept". Without, times are at most suspect
`
}
