package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/notify"
)

// webhookVariable names the environment variable with the webhook's address.
const webhookVariable = "PERFTRACK_WEBHOOK"

func newNotifyCommand(g *globals) *cobra.Command {
	var opt notify.Options
	var issue bool
	cmd := &cobra.Command{
		Use:   "notify",
		Short: "Report each change on the default branch once",
		Long: `Report once, in an issue or to a webhook, that the default branch got slower, recovered or
is no longer measured as before.

notify compares the unresolved regressions (perftrack history --steps) and the benchmarks no
longer measured with its earlier messages, and reports the difference. It also reports when
the queue of a fleet stands still. The issue needs GITHUB_TOKEN in a GitHub Actions job, and
the webhook an address in PERFTRACK_WEBHOOK. Run notify after perftrack sync, in a clone with
the whole history.
` + exitStatus,
		Example: `  perftrack ci notify --dry-run                  only print the messages
  PERFTRACK_WEBHOOK=https://... perftrack ci notify --slack
  perftrack ci notify --issue=false --branch release`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opt.Webhook.URL = cmp.Or(opt.Webhook.URL, os.Getenv(webhookVariable))
			a, err := g.start(cmd, checkNotify(opt), helptext.RefuseEmpty(cmd, "branch", "remote", "author", "webhook"))
			if err != nil {
				return err
			}
			if issue {
				opt.API, opt.Repository, opt.Token = os.Getenv("GITHUB_API_URL"), os.Getenv("GITHUB_REPOSITORY"), os.Getenv("GITHUB_TOKEN")
			}
			if opt.Repository != "" && opt.Token != "" && (os.Getenv("FORGEJO_ACTIONS") == "true" || os.Getenv("GITEA_ACTIONS") == "true") {
				return &helptext.Error{Err: errors.New("the issue works only on GitHub, because on Forgejo and Gitea each run would open a new one: " +
					"use --issue=false and a webhook in " + webhookVariable), Command: "perftrack ci notify"}
			}
			res, err := notify.Run(cmd.Context(), a, opt)
			for _, c := range res.Channels {
				for _, s := range c.Sentences {
					if _, printErr := fmt.Fprintf(g.term.Stdout, "%s: %s\n", c.Name, s); printErr != nil {
						return errors.Join(err, printErr)
					}
				}
			}
			if err == nil {
				g.term.Notice(res.Summary())
			}
			return err
		},
	}
	f := cmd.Flags()
	f.BoolVar(&issue, "issue", true, "maintain an issue if GITHUB_REPOSITORY and GITHUB_TOKEN are set")
	f.StringVar(&opt.Author, "author", "github-actions[bot]", "the token's `login`: notify edits only this user's issues")
	f.StringVar(&opt.Webhook.URL, "webhook", "", "send JSON to this `URL` (better in "+webhookVariable+": it is a secret)")
	f.BoolVar(&opt.Webhook.Slack, "slack", false, "send the webhook in Slack's format")
	f.StringVar(&opt.Webhook.Name, "webhook-name", "webhook", "`name` under which to remember what was sent, if there are several webhooks")
	f.StringVar(&opt.Branch, "branch", "", "report on this `branch` (default: the default branch, which must be checked out)")
	f.StringVar(&opt.Remote, "remote", "", "git `remote` that remembers what was sent (default origin)")
	f.BoolVar(&opt.DryRun, "dry-run", false, "print the messages and send nothing")
	return cmd
}

var noteName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

func checkNotify(opt notify.Options) error {
	switch {
	case !noteName.MatchString(opt.Webhook.Name):
		return fmt.Errorf("--webhook-name %q is invalid: use lower-case letters, digits and -", opt.Webhook.Name)
	case opt.Webhook.Slack && opt.Webhook.URL == "":
		return errors.New("--slack requires a webhook: put its address into " + webhookVariable)
	}
	return nil
}
