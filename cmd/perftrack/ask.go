package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/actions"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/demand"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/record"
)

func newAskCommand(g *globals) *cobra.Command {
	var workflow string
	cmd := &cobra.Command{
		Use:   "ask",
		Short: "Decide whether a comment may start a measurement",
		Long: `Decide whether a comment may start the measurement of a pull request.

ask is the first step of the workflow that perftrack init --on comment writes. It reads
the job's event: a comment /perftrack [--bench RE] [--budget D] by a user with push access,
or a manual start. It writes the two commits and the checked arguments to the step's
outputs. The token is in GITHUB_TOKEN. See perftrack help github.
` + exitStatus,
		Example: `  perftrack ci ask`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := g.start(cmd)
			if err != nil {
				return err
			}
			job := actions.Job()
			if job.EventPath == "" {
				return fault.Usagef("no event was found: run perftrack ci ask in a workflow started by a comment")
			}
			answer, err := demand.Decide(cmd.Context(), demand.Options{
				API: job.API, Token: job.Token, EventPath: job.EventPath, Workflow: workflow, Now: a.Now,
				Link: job.Server + "/" + os.Getenv("GITHUB_REPOSITORY") + "/actions/runs/" + job.Run,
			})
			if err != nil {
				return err
			}
			if answer.Refused != "" {
				g.term.Notice("nothing will be measured: " + answer.Refused)
				return nil
			}
			g.term.Notice(fmt.Sprintf("pull request %d: %s will be measured against %s, as requested by %s",
				answer.Pull, record.ShortHash(answer.Head), record.ShortHash(answer.Base), answer.By))
			return answer.WriteOutputs(os.Getenv("GITHUB_OUTPUT"))
		},
	}
	cmd.Flags().StringVar(&workflow, "workflow", "perftrack", "`name` that identifies this workflow's comment, if several workflows post one")
	return cmd
}
