package main

import (
	"time"

	"github.com/spf13/cobra"
)

// completeWithin is the time limit for computing completions.
var completeWithin = 2 * time.Second

func newCompletionCommand(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print a shell's completion script",
		Long: `Print the completion script of a shell.

It completes commands, flags, and stored and committed names: benchmarks, targets, suites,
branches, tags, commits, runs.
` + exitStatus,
		Example: `  source <(perftrack completion bash)
  perftrack completion zsh > "${fpath[1]}/_perftrack"
  perftrack completion fish | source`,
		Args:                  cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs:             []string{"bash", "zsh", "fish", "powershell"},
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			root, w := cmd.Root(), g.term.Stdout
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(w, true)
			case "zsh":
				return root.GenZshCompletion(w)
			case "fish":
				return root.GenFishCompletion(w, true)
			}
			return root.GenPowerShellCompletionWithDesc(w)
		},
	}
}
