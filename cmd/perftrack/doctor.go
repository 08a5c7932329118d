package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/machine"
	"github.com/perftrack/perftrack/runner/doctor"
)

func newDoctorCommand(g *globals) *cobra.Command {
	var out console.Output
	spin := doctor.DefaultSpin
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Find the causes of noisy timings on this machine",
		Long: `Find the causes of noisy timings on this machine and their remedies.

doctor times fixed work in slices of 2ms, arithmetic for the CPU alone and memory for
shared caches, and checks frequency, neighbours, limits and load. No benchmark can vary less
than this work. Facts that the machine hides are shown as unknown; a virtual machine cannot
see its host.
` + exitStatus,
		Example: `  perftrack doctor
  perftrack doctor --time 30s --format markdown`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := g.start(cmd, out.Check(g.term), checkSpin(spin)); err != nil {
				return err
			}
			d, err := doctor.Diagnose(cmd.Context(), doctor.Options{Spin: spin, Progress: spinProgress(g.term)})
			g.term.ClearStatus()
			if err != nil {
				return err
			}
			return out.Print(g.term, doctorReport(d))
		},
	}
	cmd.Flags().DurationVar(&spin, "time", spin, "how long to measure the noise")
	out.AddFlag(cmd)
	return cmd
}

// spinProgress returns a function that draws the status line while noise is being measured, or nil
// without a status line.
func spinProgress(t *console.Console) func(done float64) {
	if t.Quiet || !t.DrawsStatus() {
		return nil
	}
	start := time.Now()
	return func(done float64) {
		left := time.Duration(float64(time.Since(start)) * (1 - done) / max(done, 0.01))
		t.DrawStatus(fmt.Sprintf("measuring this machine's noise, %.0f%%, about %v left", 100*done, left.Round(time.Second)))
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
