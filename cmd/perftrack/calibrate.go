package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/calibrate"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/reports/machine"
	"github.com/perftrack/perftrack/runner/record"
)

func newCalibrateCommand(g *globals) *cobra.Command {
	var opt calibrate.Options
	var out console.Output
	cmd := &cobra.Command{
		Use:   "calibrate [TARGET...]",
		Short: "Find the smallest change that a check can detect here",
		Long: `Find the smallest change that a check can detect here.

calibrate measures targets against themselves, as perftrack check would, the worst first:

  a check finds  the change found with a chance of 99 % within --budget
  threshold      a threshold for perftrack.toml that a check can keep
  pair noise     scatter of the change that one round shows
  cancels        scatter that both sides of a round share
  floor          difference between trials of the same code

The runs are stored as a trial without a verdict. The floor is known after 20
calibrations in one environment.
` + exitStatus,
		Example: `  perftrack calibrate
  perftrack calibrate --budget 5m --bench MatMul engine
  perftrack calibrate --rounds 40 --rev HEAD`,
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, out.Check(g.term), checkCalibrate(cmd, opt))
			if err != nil {
				return err
			}
			opt.Targets, opt.Flags = args, g.flags
			res, err := calibrate.Run(cmd.Context(), a, opt)
			g.term.ClearStatus()
			for _, r := range res.Runs {
				g.term.Notice(fmt.Sprintf("stored run %s: %s, %s%s", record.ShortHash(r.ID), r.Target, r.Status, sideText(r.Run)))
			}
			if len(res.Targets) > 0 {
				// Print the results so far, even after an interruption.
				err = errors.Join(out.Print(g.term, machine.Calibrations(res.Targets...)), err)
			}
			return err
		},
	}
	f := cmd.Flags()
	f.DurationVar(&opt.Budget, "budget", 10*time.Minute, "how long a check may take")
	f.StringVar(&opt.Rev, "rev", "", "measure this `revision` instead of the work tree")
	out.AddFlag(cmd)
	return cmd
}

func checkCalibrate(cmd *cobra.Command, opt calibrate.Options) error {
	if opt.Budget <= 0 {
		return fmt.Errorf("--budget %v is too short: use a positive duration", opt.Budget)
	}
	return helptext.RefuseEmpty(cmd, "rev")
}
