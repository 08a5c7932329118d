package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/calibrate"
	"github.com/perftrack/perftrack/reports/machine"
	"github.com/perftrack/perftrack/runner/record"
)

func newCalibrateCommand(g *globals) *cobra.Command {
	var opt calibrate.Options
	var out output
	cmd := &cobra.Command{
		Use:   "calibrate [TARGET...]",
		Short: "Find the smallest change that a check can detect here",
		Long: `Find the smallest change that a check can detect here.

It measures targets against themselves, as perftrack check measures base and head, and
says of each benchmark how noisy it is on this machine and what the smallest change
is that a check finds with a chance of 99 % within --budget; the worst first.

  a check finds  the smallest change that is found, and after how many rounds
  threshold      a threshold for perftrack.toml that a check can keep
  pair noise     how much the change that one round shows scatters
  cancels        what else a side scatters by: both sides of a round share it
  floor          what differs from trial to trial though nothing changed

The runs are stored as a trial that is no check: it has no verdict and decides
nothing. After 20 calibrations in one environment the floor is known.
` + exitStatus,
		Example: `  perftrack calibrate
  perftrack calibrate --budget 5m --bench MatMul engine
  perftrack calibrate --rounds 40 --rev HEAD`,
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, out.check(g.term), checkCalibrate(cmd, opt))
			if err != nil {
				return err
			}
			opt.Targets, opt.Flags = args, g.flags
			res, err := calibrate.Run(cmd.Context(), a, opt)
			g.term.clearStatus()
			for _, r := range res.Runs {
				g.term.notice(fmt.Sprintf("stored run %s: %s, %s%s", record.ShortHash(r.ID), r.Target, r.Status, sideText(r.Run)))
			}
			if len(res.Targets) > 0 {
				// Interrupted, the user still sees what there is.
				err = errors.Join(out.print(g.term, machine.Calibrations(res.Targets...)), err)
			}
			return err
		},
	}
	f := cmd.Flags()
	f.DurationVar(&opt.Budget, "budget", 10*time.Minute, "how long a check may take")
	f.StringVar(&opt.Rev, "rev", "", "measure this `revision` instead of the work tree")
	out.addFlag(cmd)
	return cmd
}

func checkCalibrate(cmd *cobra.Command, opt calibrate.Options) error {
	if opt.Budget <= 0 {
		return fmt.Errorf("--budget %v is no time to check in", opt.Budget)
	}
	return refuseEmpty(cmd, "rev")
}
