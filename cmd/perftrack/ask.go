package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/demand"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/record"
)

func newAskCommand(g *globals) *cobra.Command {
	var workflow string
	cmd := &cobra.Command{
		Use:   "ask",
		Short: "Decide whether a comment may have a pull request measured",
		Long: `Decide whether somebody may have a pull request measured by a comment.

It reads the event of a job that runs on a comment, or was started by hand with the
number of a pull request. It is the first step of the workflow that perftrack init --on
comment writes; perftrack help github says how to set it up.

A comment is one line, /perftrack [--bench RE] [--budget D], by somebody who may push to
the repository. Anybody else is refused, and told so in a comment. What is to be
measured, two commits and checked arguments, is written to the outputs of the step; the
head gets the status pending until there is a result. Whatever GitHub does not answer is
not allowed.

The token is taken from GITHUB_TOKEN.
` + exitStatus,
		Example: `  perftrack ask`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := g.start(cmd)
			if err != nil {
				return err
			}
			job := actionsJob()
			if job.EventPath == "" {
				return fault.Usagef("there is no event: perftrack ask runs in a workflow on a comment")
			}
			answer, err := demand.Decide(cmd.Context(), demand.Options{
				API: job.API, Token: job.Token, EventPath: job.EventPath, Workflow: workflow, Now: a.Now,
				Link: job.Server + "/" + os.Getenv("GITHUB_REPOSITORY") + "/actions/runs/" + job.Run,
			})
			if err != nil {
				return err
			}
			if answer.Refused != "" {
				g.term.notice("nothing is measured: " + answer.Refused)
				return nil
			}
			g.term.notice(fmt.Sprintf("pull request %d: %s is to be measured against %s, asked for by %s",
				answer.Pull, record.ShortHash(answer.Head), record.ShortHash(answer.Base), answer.By))
			return answer.WriteOutputs(os.Getenv("GITHUB_OUTPUT"))
		},
	}
	cmd.Flags().StringVar(&workflow, "workflow", "perftrack", "`name` of the comment among those of other workflows")
	return cmd
}
