package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
	"github.com/perftrack/perftrack/reports"
)

func newSyncCommand(g *globals) *cobra.Command {
	var opt exchange.SyncOptions
	var out output
	var keep string
	cmd := &cobra.Command{
		Use:   "sync [REMOTE]",
		Short: "Exchange runs with a git remote",
		Long: `Share runs through a git remote, without a server.

Runs, accepted changes and deletions are exchanged with REMOTE, which is a name, a URL or
a path, by default origin. Each travels as a commit of its own,
named by its content, under refs/perftrack/, so any number of clones may push at
once. What arrives is checked like any import, and what does not match its name is
left out with a notice. An exchange that was cut off is completed by the next one.

Complete runs of clean commits are sent; --all sends the others too. The database
is made from what arrives: where there is none, sync makes one.

--compact, for one job on the default branch, puts what the remote has into few
references. --prune --keep 90d deletes the runs that are older, here, there and
in every clone that syncs; the newest run of each target, environment and branch
stays, and so do runs of commits with an accepted change.
` + exitStatus,
		Example: `  perftrack sync
  perftrack sync upstream --no-push
  perftrack sync --compact --prune --keep 90d
  perftrack sync --prune --keep 90d --dry-run`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				opt.Remote = args[0]
			}
			a, err := g.start(cmd, out.check(g.term), checkSync(cmd.Context(), args, &opt, keep))
			if err != nil {
				return err
			}
			opt.Progress = func(stage string, n, of int) {
				if g.term.quiet || !g.term.drawsStatus() {
					return
				}
				if of > 0 {
					stage = fmt.Sprintf("%s %d/%d", stage, n, of)
				}
				g.term.drawStatus(stage)
			}
			done, err := exchange.Sync(cmd.Context(), a, opt)
			g.term.clearStatus()
			if err != nil {
				return err
			}
			return out.print(g.term, syncedReport(done, opt.DryRun))
		},
	}
	f := cmd.Flags()
	f.BoolVar(&opt.All, "all", false, "send partial and dirty runs too")
	f.BoolVar(&opt.NoPush, "no-push", false, "only receive")
	f.BoolVar(&opt.DryRun, "dry-run", false, "say what would be done")
	f.BoolVar(&opt.Compact, "compact", false, "put what the remote has into few references")
	f.BoolVar(&opt.Prune, "prune", false, "delete the runs that --keep does not keep")
	f.StringVar(&keep, "keep", "", "with --prune, how `long` runs are kept: 90d, 12w, 2y, \"3 months\"")
	out.addFlag(cmd)
	return cmd
}

func checkSync(ctx context.Context, args []string, opt *exchange.SyncOptions, keep string) (err error) {
	switch {
	case len(args) > 0 && args[0] == "":
		return errors.New("REMOTE is empty: is a variable not set?")
	case opt.Prune && keep == "":
		return errors.New("--prune needs --keep: how long runs are kept, such as --keep 90d")
	case keep != "" && !opt.Prune:
		return errors.New("--keep goes with --prune")
	case opt.NoPush && (opt.Compact || opt.Prune):
		return errors.New("--compact and --prune change the remote: they do not go with --no-push")
	case keep != "":
		opt.Keep, err = parseSpan(ctx, "keep", keep, day)
	}
	return err
}

func syncedReport(done exchange.SyncResult, dryRun bool) reports.Report {
	l := newListing("sync", "what", "#received", "#sent")
	l.add("runs", done.Received.Runs, done.Sent.Runs)
	l.add("accepted changes", done.Received.Acceptances, done.Sent.Acceptances)
	l.add("deletions", done.Received.Deletions, done.Sent.Deletions)
	r := l.report()
	r.Summary = fmt.Sprintf("%s received, %d sent", reports.Plural(done.Received.Runs, "run"), done.Sent.Runs)
	if done.Deleted > 0 {
		r.Summary += fmt.Sprintf(", %d deleted", done.Deleted)
	}
	if done.Packed > 0 || done.Removed > 0 {
		r.Summary += fmt.Sprintf("; %s packed, %s taken away", reports.Plural(done.Packed, "file"), reports.Plural(done.Removed, "reference"))
	}
	if dryRun {
		r.Summary += "; nothing was done, as --dry-run asks"
	}
	r.Facts = append(r.Facts, reports.Fact{Key: "remote", Value: done.Remote}, reports.Fact{Key: "references there", Value: strconv.Itoa(done.Parcels)})
	if done.Unshared > 0 {
		r.Facts = append(r.Facts, reports.Fact{Key: "not shared", Value: fmt.Sprintf("%d partial or dirty runs, or of no commit: send them with --all", done.Unshared)})
	}
	return r
}
