package program

import (
	"context"
	"runtime"
	"sync"
)

// A LinkJob links one test binary. Jobs can run at the same time, and long before the round that
// needs the binary.
type LinkJob struct {
	Run   func(ctx context.Context, cpus int) error
	Bytes int64 // approximate size of the file
}

// Linkers returns the number of binaries to link at the same time.
func Linkers() int { return runtime.GOMAXPROCS(0) }

// RunJobs starts the jobs in order and runs them on all CPUs. The first error stops all of them.
func RunJobs(ctx context.Context, jobs []LinkJob) error {
	all, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	workers := min(Linkers(), len(jobs))
	cpus := Linkers() / max(workers, 1)
	next := make(chan LinkJob)
	var done sync.WaitGroup
	for range workers {
		done.Go(func() {
			for j := range next {
				if err := j.Run(all, cpus); err != nil {
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
