package runner

import (
	"context"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/program"
)

// AheadLimit is the maximum total size, in bytes, of the test binaries linked ahead for all sides
// of one target. A single round may exceed it.
const AheadLimit = 1 << 30

// jobsPerCPU is the number of binaries each CPU should link in one batch if there are enough
// rounds. It is high enough that the other CPUs do not wait long for the last binary, and low
// enough to waste little work at the end of a trial.
const jobsPerCPU = 4

// link switches the sides to the layout of round n. If the binaries for the round are missing, link
// first builds them, together with the binaries for some later rounds. It uses all CPUs, because
// nothing is being measured in the meantime.
func (m *measurement) link(ctx context.Context, n int) error {
	open := make([][]program.Slot, len(m.programs))
	for _, e := range m.open {
		for _, i := range e.sides {
			open[i] = append(open[i], e.Slot)
		}
	}
	if jobs := m.linkJobs(n, open); len(jobs) > 0 {
		m.progress(Progress{Stage: "link", Round: n, Rounds: m.Rounds, What: m.Target.Name})
		if err := program.RunJobs(ctx, jobs); err != nil {
			return err
		}
	}
	for i, prog := range m.programs {
		if err := prog.Use(program.LayoutSeed(m.number(n)), open[i]); err != nil {
			return sideError(m.Sides[i], err)
		}
	}
	return nil
}

// linkJobs returns the jobs to run now, or nil if all binaries for round n exist.
func (m *measurement) linkJobs(n int, open [][]program.Slot) []program.LinkJob {
	jobs := m.lacking(n, open)
	if len(jobs) == 0 || m.Target.Kind != config.GoTest { // the other kinds have a single output file
		return jobs
	}
	var bytes int64
	for _, j := range jobs {
		bytes += j.Bytes
	}
	rounds := (jobsPerCPU*program.Linkers() + len(jobs) - 1) / len(jobs)
	rounds = min(rounds, m.needed(n)-n+1, int(AheadLimit/max(bytes, 1)))
	for k := 1; k < rounds; k++ {
		jobs = append(jobs, m.lacking(n+k, open)...)
	}
	return jobs
}

// lacking returns the jobs still needed for round n alone.
func (m *measurement) lacking(n int, open [][]program.Slot) (jobs []program.LinkJob) {
	for i, prog := range m.programs {
		for _, j := range prog.Lacking(program.LayoutSeed(m.number(n)), open[i]) {
			run := j.Run
			j.Run = func(ctx context.Context, cpus int) error {
				if err := run(ctx, cpus); err != nil {
					return sideError(m.Sides[i], err)
				}
				return nil
			}
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// needed returns the last round, numbered in the same way as n, that is certain to measure every
// slot open in round n.
func (m *measurement) needed(n int) int {
	switch {
	case m.schedule.Needed != nil:
		return min(m.Rounds, n+m.schedule.Needed(m.number(n))-m.number(n))
	case m.schedule.Open != nil:
		return n
	}
	return m.Rounds
}

// number returns the number of this measurement's round n in its trial.
func (m *measurement) number(n int) int {
	if n == 0 {
		return 0
	}
	return max(m.First, 1) + n - 1
}
