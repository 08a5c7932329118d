package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/pullrequest"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports/github"
)

func newCommentCommand(g *globals) *cobra.Command {
	opt := pullrequest.Options{}
	var when string
	cmd := &cobra.Command{
		Use:   "comment [TRIAL]",
		Short: "Report a trial on a pull request: one comment, and the commit status",
		Long: `Judge a trial and report the result on the job's pull request: in one comment, which
is kept up to date, and in the commit status perftrack of its head commit, which is
what to require before merging. It is the last step of the workflow that perftrack
init writes; docs/github.md says how to set it up.

Without a TRIAL it takes, on a workflow_run, the artifact perftrack-trial of the
run that ended, else the newest trial. TRIAL is a trial, or a file as perftrack
export writes it. The pull request comes from the event, thresholds and error rate
from perftrack.toml of the base branch, verdicts from the samples: nothing that the
pull request says of itself is believed. If a run left no trial and that is nobody's
error, the status is pending; it never replaces a verdict. What GitHub refuses, or
cannot do now, is reported in the job and is no failure.

The token is taken from GITHUB_TOKEN. --dry-run prints the comment and changes
nothing; outside of a workflow it takes thresholds and acceptances from this
repository.
` + exitStatus,
		Example: `  perftrack comment --dry-run                 what the comment would be
  perftrack comment --dry-run trial.txt
  perftrack comment --comment always --strict`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, oneOf("comment", when, string(pullrequest.Always), string(pullrequest.OnChange), string(pullrequest.Never)))
			if err != nil {
				return err
			}
			opt.Comment, opt.Actions = pullrequest.When(when), actionsJob()
			if len(args) > 0 {
				opt.Trial = args[0]
			}
			res, err := pullrequest.Comment(cmd.Context(), a, opt)
			if opt.DryRun {
				_, printErr := fmt.Fprint(g.term.stdout, res.Body)
				return errors.Join(err, printErr)
			}
			// What went wrong is said in the job, too.
			return errors.Join(err, printInJob(g.term, opt.Actions, res.Summary, res.Annotations))
		},
	}
	f := cmd.Flags()
	f.StringVar(&when, "comment", string(pullrequest.OnChange), "always, on-change (a new comment only if something changed) or never (the status alone)")
	f.BoolVar(&opt.Strict, "strict", false, "the status fails if a benchmark is inconclusive, failed or missing, too")
	f.StringVar(&opt.Workflow, "workflow", "perftrack", "`name` of this comment among those of other workflows")
	f.BoolVar(&opt.DryRun, "dry-run", false, "print the comment, and change nothing")
	return cmd
}

// actionsJob is the job of GitHub Actions around perftrack, if there is one.
func actionsJob() pullrequest.Actions {
	return pullrequest.Actions{
		API: os.Getenv("GITHUB_API_URL"), Server: os.Getenv("GITHUB_SERVER_URL"), Token: os.Getenv("GITHUB_TOKEN"),
		EventPath: os.Getenv("GITHUB_EVENT_PATH"), Run: os.Getenv("GITHUB_RUN_ID"), Summary: os.Getenv("GITHUB_STEP_SUMMARY"),
	}
}

// printInJob shows a result in a job of GitHub Actions: annotations, which the
// runner reads from the log, and the summary.
func printInJob(t *terminal, job pullrequest.Actions, summary string, annotations []string) error {
	var err error
	for _, line := range annotations {
		_, printErr := fmt.Fprintln(t.stdout, line)
		err = errors.Join(err, printErr)
	}
	return errors.Join(err, job.WriteSummary(summary))
}

// announce shows a comparison in the job of GitHub Actions that measured it. Its
// annotations go to stderr, where stdout is the report.
func announce(t *terminal, c *compare.Comparison, accepted compare.Accepted, strict bool) error {
	job := actionsJob()
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		return nil
	}
	f := github.New(c, github.Options{Strict: strict, Accepted: accepted.Reason})
	onStderr := *t
	onStderr.stdout = t.stderr
	return printInJob(&onStderr, job, f.Summary(), f.Annotations())
}
