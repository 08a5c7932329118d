// Package actions shows results in the current GitHub Actions job, as annotations in the job's log
// and as the job's summary.
package actions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/pullrequest"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/acceptance"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/reports/github"
)

// Job returns the current GitHub Actions job, as described by the environment variables.
func Job() pullrequest.Actions {
	return pullrequest.Actions{
		API: os.Getenv("GITHUB_API_URL"), Server: os.Getenv("GITHUB_SERVER_URL"), Token: os.Getenv("GITHUB_TOKEN"),
		EventName: os.Getenv("GITHUB_EVENT_NAME"), EventPath: os.Getenv("GITHUB_EVENT_PATH"), Run: os.Getenv("GITHUB_RUN_ID"), Summary: os.Getenv("GITHUB_STEP_SUMMARY"),
	}
}

// Print writes the annotations to standard output, the log of the GitHub Actions job, and the
// summary to the job's summary file.
func Print(t *console.Console, job pullrequest.Actions, summary string, annotations []string) error {
	var err error
	for _, line := range annotations {
		_, printErr := fmt.Fprintln(t.Stdout, line)
		err = errors.Join(err, printErr)
	}
	return errors.Join(err, job.WriteSummary(summary))
}

// Announce shows a comparison in the current GitHub Actions job. Outside GitHub Actions it does
// nothing. The annotations go to stderr, because the report goes to stdout.
func Announce(t *console.Console, c *compare.Comparison, accepted acceptance.List, strict bool, says gates.Gate) error {
	job := Job()
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		return nil
	}
	f := github.New(c, github.Options{Strict: strict, Accepted: accepted.Reason})
	if state, _ := f.Status(); says.Result == gates.NoResult && state == github.Success {
		f.Overrule(github.Overruled{State: github.Broken, Description: "the check failed: see its log", Why: "The check failed: see its log"})
	}
	onStderr := &console.Console{Stdout: t.Stderr, Stderr: t.Stderr, Color: t.Color, Quiet: t.Quiet}
	return Print(onStderr, job, f.Summary(), f.Annotations())
}

// FillSummary writes the error of a failed `perftrack check` or `perftrack run` to the summary of
// the GitHub Actions job, if the summary is still empty. Errors in flags and in the configuration
// are reported, too.
func FillSummary(ctx context.Context, root *cobra.Command, args []string, failed error) error {
	cmd, _, _ := root.Find(args)
	f := console.FailureOf(ctx, failed)
	if os.Getenv("GITHUB_ACTIONS") != "true" || f == nil || cmd == nil || cmd.Name() != "check" && cmd.Name() != "run" {
		return nil
	}
	job := Job()
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
