package runner

import (
	"context"
	"runtime"
	"sync"

	"github.com/perftrack/perftrack/runner/config"
)

// AheadLimit is how many bytes of test binaries may wait for their rounds, of one target
// and all its sides, unless a single round needs more.
const AheadLimit = 1 << 30

// jobsPerCPU is how many binaries a CPU links at a time when there are rounds enough: so
// many that one which ends late does not keep the other CPUs waiting for long, so few
// that little is in vain when a trial is decided or its time is over.
const jobsPerCPU = 4

// link gives the sides the layout of round n, and links for it and for some of the
// rounds after it if that was not done in a round before. Nothing is being measured
// meanwhile, so it has all CPUs.
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

// linkJobs returns what has to be linked now, none if round n lacks nothing.
func (m *measurement) linkJobs(n int, open [][]Slot) []linkJob {
	jobs := m.lacking(n, open)
	if len(jobs) == 0 || m.Target.Kind != config.GoTest { // others have one place for what they build
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

// lacking returns what has to be linked for round n alone.
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

// needed returns the last round, as n counts them, that all that is open in round n is
// sure to go on to.
func (m *measurement) needed(n int) int {
	switch {
	case m.schedule.Needed != nil:
		return min(m.Rounds, n+m.schedule.Needed(m.number(n))-m.number(n))
	case m.schedule.Open != nil:
		return n
	}
	return m.Rounds
}

// number is the number of round n in its trial.
func (m *measurement) number(n int) int {
	if n == 0 {
		return 0
	}
	return max(m.First, 1) + n - 1
}

// linkers is how many binaries are linked at the same time.
func linkers() int { return runtime.GOMAXPROCS(0) }

// inParallel does the jobs on all CPUs, in their order. The first error ends all.
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
