package main

import "github.com/spf13/cobra"

func newCICommand(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ci comment|ask|accept|notify",
		Short: "Commands that CI jobs call",
		Long: `Commands that CI jobs call: the files that perftrack init writes use them.

They report to GitHub, GitLab or Forgejo: see perftrack help github and perftrack help
forges. The short forms, such as perftrack comment, also work.
` + exitStatus,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(ciCommands(g)...)
	return cmd
}

func ciCommands(g *globals) []*cobra.Command {
	return []*cobra.Command{newCommentCommand(g), newAskCommand(g), newAcceptCommand(g), newNotifyCommand(g)}
}
