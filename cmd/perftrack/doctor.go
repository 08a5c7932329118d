package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/machine"
	"github.com/perftrack/perftrack/runner/doctor"
)

func newDoctorCommand(g *globals) *cobra.Command {
	var out output
	spin := doctor.DefaultSpin
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what makes timings noisy on this machine",
		Long: `Say what makes timings noisy on this machine, and what to do about it.

It measures how much the time of fixed work varies, and looks at what makes it vary:
frequency, neighbours, limits, load.

The work is timed in slices of 2ms: arithmetic, which only depends on the CPU,
and memory, which depends on who else uses the caches. No benchmark varies less
than these do (CV, the coefficient of variation). What this machine does not reveal
is unknown, which is no error: a virtual machine does not see what its host does.
` + exitStatus,
		Example: `  perftrack doctor
  perftrack doctor --time 30s --format markdown`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := g.start(cmd, out.check(g.term), checkSpin(spin)); err != nil {
				return err
			}
			d, err := doctor.Diagnose(cmd.Context(), doctor.Options{Spin: spin, Progress: spinProgress(g.term)})
			g.term.clearStatus()
			if err != nil {
				return err
			}
			return out.print(g.term, doctorReport(d))
		},
	}
	cmd.Flags().DurationVar(&spin, "time", spin, "how long to measure the noise")
	out.addFlag(cmd)
	return cmd
}

// spinProgress draws the status line while the noise is measured, on a terminal
// only.
func spinProgress(t *terminal) func(done float64) {
	if t.quiet || !t.drawsStatus() {
		return nil
	}
	start := time.Now()
	return func(done float64) {
		left := time.Duration(float64(time.Since(start)) * (1 - done) / max(done, 0.01))
		t.drawStatus(fmt.Sprintf("measuring the noise of this machine, %.0f%%, about %v left", 100*done, left.Round(time.Second)))
	}
}

func checkSpin(d time.Duration) error {
	if d < 10*time.Millisecond || d > time.Hour {
		return fmt.Errorf("--time %v is not between 10ms and 1h", d)
	}
	return nil
}

func doctorReport(d doctor.Diagnosis) reports.Report {
	var r machine.Doctor
	for _, s := range d.Machine {
		r.Machine = append(r.Machine, reports.Fact{Key: s.Key, Value: s.Value})
	}
	for _, c := range d.Conditions {
		r.Conditions = append(r.Conditions, machine.Condition{Name: c.Name, State: string(c.State), Found: c.Found, Remedy: c.Remedy})
	}
	for _, n := range d.Noise {
		r.Noise = append(r.Noise, machine.NoiseFigure{
			Work: n.Work, Slices: n.Slices, Median: n.Median, CV: n.CV, Worst: n.Worst, Slow: n.Slow, Quiet: n.Quiet(),
		})
	}
	return r.Report()
}
