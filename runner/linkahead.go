package runner

import (
	"context"
	"runtime"
	"sync"

	"github.com/perftrack/perftrack/runner/config"
)

// AheadLimit is the maximum total size, in bytes, of the test binaries linked ahead for all sides
// of one target. A single round may exceed it.
const AheadLimit = 1 << 30

// jobsPerCPU is the number of binaries each CPU should link in one batch if there are enough
// rounds. It is high enough that the other CPUs do not wait long for the last binary, and low
// enough to waste little work at the end of a trial.
const jobsPerCPU = 4

// link switches the sides to the layout of round n. If the binaries for the round are missing, link
// first builds them and those for some later rounds. It uses all CPUs, because nothing is being
// measured in the meantime.
func (m *measurement) link(ctx context.Context, n int) error {
	open := make([][]Slot, len(m.programs))
	for _, e := range m.open {
		for _, i := range e.sides {
			open[i] = append(open[i], e.Slot)
		}
	}
	if jobs := m.linkJobs(n, open); len(jobs) > 0 {
		m.progress(Progress{Stage: "link", Round: n, Rounds: m.Rounds, What: m.Target.Name})
		if err := inParallel(ctx, jobs); err != nil {
			return err
		}
	}
	for i, prog := range m.programs {
		if err := prog.use(LayoutSeed(m.number(n)), open[i]); err != nil {
			return sideError(m.Sides[i], err)
		}
	}
	return nil
}

// linkJobs returns the jobs to run now, or nil if all binaries for round n exist.
func (m *measurement) linkJobs(n int, open [][]Slot) []linkJob {
	jobs := m.lacking(n, open)
	if len(jobs) == 0 || m.Target.Kind != config.GoTest { // the other kinds have a single output file
		return jobs
	}
	var bytes int64
	for _, j := range jobs {
		bytes += j.bytes
	}
	rounds := (jobsPerCPU*linkers() + len(jobs) - 1) / len(jobs)
	rounds = min(rounds, m.needed(n)-n+1, int(AheadLimit/max(bytes, 1)))
	for k := 1; k < rounds; k++ {
		jobs = append(jobs, m.lacking(n+k, open)...)
	}
	return jobs
}

// lacking returns the jobs still needed for round n alone.
func (m *measurement) lacking(n int, open [][]Slot) (jobs []linkJob) {
	for i, prog := range m.programs {
		for _, j := range prog.lacking(LayoutSeed(m.number(n)), open[i]) {
			run := j.run
			j.run = func(ctx context.Context, cpus int) error {
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

// linkers returns the number of binaries to link at the same time.
func linkers() int { return runtime.GOMAXPROCS(0) }

// inParallel starts the jobs in order and runs them on all CPUs. The first error stops all of them.
func inParallel(ctx context.Context, jobs []linkJob) error {
	all, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	workers := min(linkers(), len(jobs))
	cpus := linkers() / max(workers, 1)
	next := make(chan linkJob)
	var done sync.WaitGroup
	for range workers {
		done.Go(func() {
			for j := range next {
				if err := j.run(all, cpus); err != nil {
					stop(err)
				}
			}
		})
	}
	for _, j := range jobs {
		if all.Err() != nil {
			break
		}
		next <- j
	}
	close(next)
	done.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return context.Cause(all)
}
