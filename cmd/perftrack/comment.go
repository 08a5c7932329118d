package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/gitlabapi"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/pullrequest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/reports/github"
)

func newCommentCommand(g *globals) *cobra.Command {
	opt := pullrequest.Options{}
	var when string
	cmd := &cobra.Command{
		Use:   "comment [TRIAL]",
		Short: "Say on a pull request what a trial found, and set its status",
		Long: `Say on a pull request what a trial found: in one comment, and in a commit status.

The comment is kept up to date; the status perftrack of the head commit is
what to require before merging. It is the last step of the workflow that perftrack
init writes; perftrack help github says how to set it up.

Without a TRIAL it takes, on a workflow_run, the artifact perftrack-trial of the
run that ended, and where the label perf-accept was set or taken off, that of the
head's newest run; else the newest trial. TRIAL is a trial, or a file as perftrack
export writes it. The pull request comes from the event, thresholds and error rate
from perftrack.toml of the base branch, verdicts from the samples: nothing that the
pull request says of itself is believed. If a run left no trial and that is nobody's
error, the status is pending; it never replaces a verdict. What GitHub refuses, or
cannot do now, is reported in the job and is no failure.

In a merge request pipeline of GitLab, and in Forgejo Actions, it is the last job of the
request's own pipeline: it takes the trial that it is given, or the newest one, judges
it by perftrack.toml of the commit that was measured as base, and writes a note or
comment and the status. perftrack help forges says what that proves, which is less.

The token is taken from GITHUB_TOKEN, of GitLab from GITLAB_TOKEN. --dry-run prints the
comment and changes nothing; outside of a workflow it takes thresholds and acceptances
from this repository.

With --asked it is the last step of the workflow on comments: it takes the artifact of
this very run, and the pull request of its event, as perftrack ask does.
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
			res, err := comment(cmd.Context(), a, opt)
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
	f.StringVar(&opt.Asked, "asked", "", "report what this run measured of `commit`, the head when somebody asked for it")
	f.BoolVar(&opt.DryRun, "dry-run", false, "print the comment, and change nothing")
	return cmd
}

// comment reports on the request that the CI around perftrack names.
func comment(ctx context.Context, a *workspace.Session, opt pullrequest.Options) (res pullrequest.Result, err error) {
	var r pullrequest.Request
	inGitLab := os.Getenv("GITLAB_CI") == "true"
	switch {
	case inGitLab && (!opt.DryRun || os.Getenv("CI_MERGE_REQUEST_IID") != ""):
		r, err = mergeRequest(a)
	case os.Getenv("FORGEJO_ACTIONS") == "true" || os.Getenv("GITEA_ACTIONS") == "true":
		opt.Actions.Run = os.Getenv("GITHUB_RUN_NUMBER") // by which the pages of runs are called there
		r, err = pullrequest.Forgejo(a, opt.Actions)
	default:
		return pullrequest.Comment(ctx, a, opt)
	}
	if err != nil {
		return res, err
	}
	res, err = pullrequest.CommentOn(ctx, a, opt, r)
	if inGitLab {
		res.Annotations = nil // its log has none
	}
	return res, err
}

// mergeRequest is the merge request of the GitLab pipeline around perftrack. One of merged
// results checks out another commit than the head.
func mergeRequest(a *workspace.Session) (r pullrequest.Request, err error) {
	g, err := gitlabapi.NewClient(gitlabapi.Options{
		API: os.Getenv("CI_API_V4_URL"), Project: os.Getenv("CI_MERGE_REQUEST_PROJECT_ID"), Pipeline: os.Getenv("CI_PIPELINE_ID"), Commit: os.Getenv("CI_COMMIT_SHA"),
		Token: os.Getenv("GITLAB_TOKEN"), JobToken: os.Getenv("CI_JOB_TOKEN"),
	}, a.Now)
	if err != nil {
		return r, err
	}
	number, err := strconv.Atoi(os.Getenv("CI_MERGE_REQUEST_IID"))
	if err != nil {
		return r, &usageError{fmt.Errorf("CI_MERGE_REQUEST_IID %q is no number: this command is for a merge request pipeline", os.Getenv("CI_MERGE_REQUEST_IID")), "perftrack comment"}
	}
	commits := ""
	if url := os.Getenv("CI_MERGE_REQUEST_PROJECT_URL"); url != "" {
		commits = url + "/-/commit/"
	}
	return pullrequest.Request{
		Forge: g, Number: number, Link: os.Getenv("CI_JOB_URL"), Commits: commits,
		Head: cmp.Or(os.Getenv("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"), os.Getenv("CI_COMMIT_SHA")),
		Base: os.Getenv("CI_MERGE_REQUEST_DIFF_BASE_SHA"), Target: os.Getenv("CI_MERGE_REQUEST_TARGET_BRANCH_NAME"),
	}, nil
}

// actionsJob is the job of GitHub Actions around perftrack, if there is one.
func actionsJob() pullrequest.Actions {
	return pullrequest.Actions{
		API: os.Getenv("GITHUB_API_URL"), Server: os.Getenv("GITHUB_SERVER_URL"), Token: os.Getenv("GITHUB_TOKEN"),
		EventName: os.Getenv("GITHUB_EVENT_NAME"), EventPath: os.Getenv("GITHUB_EVENT_PATH"), Run: os.Getenv("GITHUB_RUN_ID"), Summary: os.Getenv("GITHUB_STEP_SUMMARY"),
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
func announce(t *terminal, c *compare.Comparison, accepted compare.Accepted, strict bool, says compare.Gate) error {
	job := actionsJob()
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		return nil
	}
	f := github.New(c, github.Options{Strict: strict, Accepted: accepted.Reason})
	if state, _ := f.Status(); says.Result == compare.NoResult && state == github.Success {
		f.Overrule(github.Overruled{State: github.Broken, Description: "the check failed: see its log", Why: "The check failed: see its log"})
	}
	onStderr := &terminal{stdout: t.stderr, stderr: t.stderr, color: t.color, quiet: t.quiet}
	return printInJob(onStderr, job, f.Summary(), f.Annotations())
}

// fillSummary says in the summary of a job of GitHub Actions why a command that measures there failed, where
// it has said nothing yet: also for flags and a configuration with mistakes, with which nothing begins.
func fillSummary(ctx context.Context, root *cobra.Command, args []string, failed error) error {
	cmd, _, _ := root.Find(args)
	f := failureOf(ctx, failed)
	if os.Getenv("GITHUB_ACTIONS") != "true" || f == nil || cmd == nil || cmd.Name() != "check" && cmd.Name() != "run" {
		return nil
	}
	job := actionsJob()
	if info, err := os.Stat(job.Summary); err == nil && info.Size() > 0 {
		return nil
	}
	heading := "### ⚠️ perftrack run failed"
	if cmd.Name() == "check" {
		heading = "### ⚠️ perftrack measured nothing — " + comparison.Blocks(github.Broken)
	}
	var b bytes.Buffer
	b.WriteString(heading + "\n\n")
	if err := reports.Markdown(&b, reports.Report{}.Failing(*f)); err != nil {
		return err
	}
	return job.WriteSummary(b.String())
}
