package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/actions"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/gitlabapi"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/pullrequest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
)

func newCommentCommand(g *globals) *cobra.Command {
	opt := pullrequest.Options{}
	var when string
	cmd := &cobra.Command{
		Use:   "comment [TRIAL]",
		Short: "Report a trial on a pull request",
		Long: `Report a trial on a pull or merge request, in one comment and a commit status.

comment is the last step of the jobs that perftrack init writes. TRIAL is a trial or a file
from perftrack export; the default is the artifact of the workflow run that ended, or else
the newest trial. comment judges the samples by the base branch's perftrack.toml. The token
is in GITHUB_TOKEN or GITLAB_TOKEN. See perftrack help github.
` + exitStatus,
		Example: `  perftrack ci comment --dry-run                 only print the comment
  perftrack ci comment --dry-run trial.txt
  perftrack ci comment --comment always --strict`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, helptext.OneOf("comment", when, string(pullrequest.Always), string(pullrequest.OnChange), string(pullrequest.Never)))
			if err != nil {
				return err
			}
			opt.Comment, opt.Actions = pullrequest.When(when), actions.Job()
			if len(args) > 0 {
				opt.Trial = args[0]
			}
			res, err := comment(cmd.Context(), a, opt)
			if opt.DryRun {
				_, printErr := fmt.Fprint(g.term.Stdout, res.Body)
				return errors.Join(err, printErr)
			}
			// Show the results in the job even if posting the comment failed.
			return errors.Join(err, actions.Print(g.term, opt.Actions, res.Summary, res.Annotations))
		},
	}
	f := cmd.Flags()
	f.StringVar(&when, "comment", string(pullrequest.OnChange), "always, on-change (a new comment only for changes) or never (only the status)")
	f.BoolVar(&opt.Strict, "strict", false, "also fail the status if a benchmark is inconclusive, failed or missing")
	f.StringVar(&opt.Workflow, "workflow", "perftrack", "`name` that identifies this workflow's comment, if several workflows post one")
	f.StringVar(&opt.Asked, "asked", "", "report the measurement of this `commit`, which was the head when a comment requested it")
	f.BoolVar(&opt.DryRun, "dry-run", false, "print the comment and change nothing")
	return cmd
}

// comment posts the report to the pull or merge request of the current CI job.
func comment(ctx context.Context, a *workspace.Session, opt pullrequest.Options) (res pullrequest.Result, err error) {
	var r pullrequest.Request
	inGitLab := os.Getenv("GITLAB_CI") == "true"
	switch {
	case inGitLab && (!opt.DryRun || os.Getenv("CI_MERGE_REQUEST_IID") != ""):
		r, err = mergeRequest(a)
	case os.Getenv("FORGEJO_ACTIONS") == "true" || os.Getenv("GITEA_ACTIONS") == "true":
		opt.Actions.Run = os.Getenv("GITHUB_RUN_NUMBER") // Forgejo's links to runs contain this number
		r, err = pullrequest.Forgejo(a, opt.Actions)
	default:
		return pullrequest.Comment(ctx, a, opt)
	}
	if err != nil {
		return res, err
	}
	res, err = pullrequest.CommentOn(ctx, a, opt, r)
	if inGitLab {
		res.Annotations = nil // GitLab's job log has no annotations
	}
	return res, err
}

// mergeRequest returns the merge request of the current GitLab pipeline. It takes the head commit
// from the source branch, because a merged results pipeline checks out a merge commit.
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
		return r, &helptext.Error{Err: fmt.Errorf("CI_MERGE_REQUEST_IID %q is not a number: run this command in a merge request pipeline", os.Getenv("CI_MERGE_REQUEST_IID")), Command: "perftrack ci comment"}
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
