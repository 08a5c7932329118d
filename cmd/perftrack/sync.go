package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/when"
)

func newSyncCommand(g *globals) *cobra.Command {
	var opt exchange.SyncOptions
	var out console.Output
	var keep string
	cmd := &cobra.Command{
		Use:   "sync [REMOTE]",
		Short: "Share runs through a git remote",
		Long: `Share runs through a git remote, without a server.

sync exchanges runs, accepted changes and deletions with REMOTE, a name, URL or path, by
default origin. They are commits under refs/perftrack/, at most 8 however many runs there
are, and any number of clones may push at once. Complete runs of clean commits are sent;
--all sends the others, too.
` + exitStatus,
		Example: `  perftrack sync
  perftrack sync upstream --no-push
  perftrack sync --prune --keep 90d
  perftrack sync --prune --keep 90d --dry-run`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				opt.Remote = args[0]
			}
			a, err := g.start(cmd, out.Check(g.term), checkSync(args, &opt, keep))
			if err != nil {
				return err
			}
			opt.Progress = func(stage string, n, of int) {
				if g.term.Quiet || !g.term.DrawsStatus() {
					return
				}
				if of > 0 {
					stage = fmt.Sprintf("%s %d/%d", stage, n, of)
				}
				g.term.DrawStatus(stage)
			}
			done, err := exchange.Sync(cmd.Context(), a, opt)
			g.term.ClearStatus()
			if err != nil {
				return err
			}
			return out.Print(g.term, exchange.Report(done, opt.DryRun))
		},
	}
	f := cmd.Flags()
	f.BoolVar(&opt.All, "all", false, "also send partial and dirty runs")
	f.BoolVar(&opt.NoPush, "no-push", false, "only receive")
	f.BoolVar(&opt.DryRun, "dry-run", false, "only print what sync would do")
	f.BoolVar(&opt.Prune, "prune", false, "delete runs older than --keep, here and in every clone")
	f.StringVar(&keep, "keep", "", "with --prune, the largest `age` of runs to keep: 90d, 12w, 2y, \"3 months\"")
	out.AddFlag(cmd)
	return cmd
}

func checkSync(args []string, opt *exchange.SyncOptions, keep string) (err error) {
	switch {
	case len(args) > 0 && args[0] == "":
		return errors.New("REMOTE is empty: is a variable unset?")
	case opt.Prune && keep == "":
		return errors.New("--prune requires --keep, such as --keep 90d")
	case keep != "" && !opt.Prune:
		return errors.New("--keep requires --prune")
	case opt.NoPush && opt.Prune:
		return errors.New("--prune changes the remote, so it cannot be combined with --no-push")
	case keep != "":
		opt.Keep, err = when.Span("keep", keep, when.Day, now())
	}
	return err
}
