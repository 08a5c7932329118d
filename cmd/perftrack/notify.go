package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/notify"
)

// webhookVariable has the address of the webhook.
const webhookVariable = "PERFTRACK_WEBHOOK"

func newNotifyCommand(g *globals) *cobra.Command {
	var opt notify.Options
	var issue bool
	cmd := &cobra.Command{
		Use:   "notify",
		Short: "Tell once what slowed, recovered or is not measured",
		Long: `Tell once, in an issue or to a webhook, that the default branch slowed, recovered or is
not measured as before.

It compares which regressions are in force, as perftrack history
--steps lists them, with what was told before, and tells the difference: that one is
new, that one became worse, that one recovered, that one was accepted. Each is told
once, with the commits that may have made it and the command that finds the one.

It also tells once that a benchmark, a package or a target fails, that a benchmark is
no longer measured since some commit, and that nothing of a target was measured for
longer than usual; and that each of these is measured again. Usual is learnt from the
history: see perftrack help github what-is-no-longer-measured.

In a job of GitHub Actions with a GITHUB_TOKEN it keeps one issue of the repository:
opened with the first regression, a comment for each change, closed when all are
gone, and opened again. What was told is in the issue itself, in a line that no
reader sees. An issue that somebody else wrote is never touched, whatever it is
called.

A webhook is sent the same as JSON, or with --slack in Slack's shape. Its address is
a secret: put it into PERFTRACK_WEBHOOK, not on the command line. What it was told is
kept in the git remote, below refs/perftrack-notes/. What cannot be delivered is told
by the next run, and a letter that may have arrived is sent again with its id.

Run it after perftrack sync, in a clone with the whole history. It tells nothing of
benchmarks with too few runs.
` + exitStatus,
		Example: `  perftrack notify --dry-run                     what would be told
  PERFTRACK_WEBHOOK=https://... perftrack notify --slack
  perftrack notify --issue=false --branch release`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opt.Webhook.URL = cmp.Or(opt.Webhook.URL, os.Getenv(webhookVariable))
			a, err := g.start(cmd, checkNotify(opt), refuseEmpty(cmd, "branch", "remote", "author", "webhook"))
			if err != nil {
				return err
			}
			if issue {
				opt.API, opt.Repository, opt.Token = os.Getenv("GITHUB_API_URL"), os.Getenv("GITHUB_REPOSITORY"), os.Getenv("GITHUB_TOKEN")
			}
			if opt.Repository != "" && opt.Token != "" && (os.Getenv("FORGEJO_ACTIONS") == "true" || os.Getenv("GITEA_ACTIONS") == "true") {
				return &usageError{errors.New("the issue is kept on GitHub only: Forgejo and Gitea list issues in another way, so each run would begin another one: " +
					"give --issue=false, and a webhook in " + webhookVariable), "perftrack notify"}
			}
			res, err := notify.Run(cmd.Context(), a, opt)
			for _, c := range res.Channels {
				for _, s := range c.Sentences {
					if _, printErr := fmt.Fprintf(g.term.stdout, "%s: %s\n", c.Name, s); printErr != nil {
						return errors.Join(err, printErr)
					}
				}
			}
			if err == nil {
				g.term.notice(toldSummary(res))
			}
			return err
		},
	}
	f := cmd.Flags()
	f.BoolVar(&issue, "issue", true, "keep the issue, where GITHUB_REPOSITORY and GITHUB_TOKEN are set")
	f.StringVar(&opt.Author, "author", "github-actions[bot]", "`login` as whom the token writes: only issues of that user are ours")
	f.StringVar(&opt.Webhook.URL, "webhook", "", "send JSON to this `URL` (better in "+webhookVariable+": it is a secret)")
	f.BoolVar(&opt.Webhook.Slack, "slack", false, "send the webhook Slack's shape")
	f.StringVar(&opt.Webhook.Name, "webhook-name", "webhook", "`name` under which is kept what the webhook was told, where there are several")
	f.StringVar(&opt.Branch, "branch", "", "tell of this `branch` (default the default branch, which must be checked out)")
	f.StringVar(&opt.Remote, "remote", "", "git `remote` that keeps what the webhook was told (default origin)")
	f.BoolVar(&opt.DryRun, "dry-run", false, "print what would be told, and tell nothing")
	return cmd
}

var noteName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

func checkNotify(opt notify.Options) error {
	switch {
	case !noteName.MatchString(opt.Webhook.Name):
		return fmt.Errorf("--webhook-name %q: use small letters, digits and -", opt.Webhook.Name)
	case opt.Webhook.Slack && opt.Webhook.URL == "":
		return errors.New("--slack goes with a webhook: put its address into " + webhookVariable)
	}
	return nil
}

// toldSummary says what there is, for whoever looks why nothing was told.
func toldSummary(res notify.Result) string {
	told := 0
	for _, c := range res.Channels {
		told += len(c.Sentences)
	}
	text := fmt.Sprintf("%d series with a regression in force", res.InForce)
	switch {
	case res.Known+res.TooFew == 0:
		text = "there is no history to tell of: measure the default branch with perftrack run, or fetch runs with perftrack sync"
	case res.Known == 0:
		text = fmt.Sprintf("too few runs to tell in all %d series", res.TooFew)
	case res.TooFew > 0:
		text += fmt.Sprintf("; %d of %d series have too few runs to tell", res.TooFew, res.Known+res.TooFew)
	}
	if res.Alarms > 0 {
		text += "; not measured as before: " + strconv.Itoa(res.Alarms)
	}
	if told == 0 {
		text += "; nothing new to tell"
	}
	return text
}
