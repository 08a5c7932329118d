// Package worker measures the rounds that wait in the queue: it checks out the commits, lets
// `perftrack rounds` measure, and stores the result together with the end of the job. Begin with
// [Run].
package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/riverqueue/river"

	"github.com/perftrack/perftrack/fleet/database"
	"github.com/perftrack/perftrack/fleet/jobs"
	"github.com/perftrack/perftrack/fleet/lease"
	"github.com/perftrack/perftrack/fleet/sources"
)

// Options describes a worker.
type Options struct {
	lease.Worker
	Perftrack string // path of the program
	Once      bool   // end when no job is available
	Trusted   bool   // run benchmarks without a sandbox
	CPUs      string // CPUs for the benchmarks, as in 2-5,8; the worker itself uses the others
	Work      string // folder for clones and work trees
	InFlight  int    // jobs in flight a repository, 0 for any number
}

// Run works on jobs until ctx ends, or with Once until no job is available.
func Run(ctx context.Context, d *database.DB, opt Options) (err error) {
	if err := opt.check(ctx); err != nil {
		return err
	}
	l, err := lease.Register(ctx, d, opt.Worker)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.End(context.WithoutCancel(ctx))) }()

	fence := jobs.NewFence(d, l.Client, opt.InFlight)
	rounds := &rounds{db: d, fence: fence, lease: l, opt: opt, sources: sources.Sources{Dir: filepath.Join(opt.Work, "rounds")}}
	defer rounds.release()
	workers := river.NewWorkers()
	river.AddWorker(workers, rounds)
	river.AddWorker(workers, &checks{fence: fence, opt: opt, dir: filepath.Join(opt.Work, "checks")})
	queues := []string{jobs.Queue(opt.Class, opt.Procedure)}
	if opt.Decides {
		queues = append(queues, jobs.DecideQueue)
	}
	client, err := start(ctx, d, fence, workers, queues)
	if err != nil {
		return err
	}
	defer func() {
		stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
		defer cancel()
		err = errors.Join(err, client.StopAndCancel(stopCtx))
	}()
	rounds.say("worker %s of class %s waits for jobs", opt.ID, opt.Class)
	return serve(ctx, d, opt, l, client, rounds, queues)
}

// check checks what would make every job fail.
func (o *Options) check(ctx context.Context) error {
	if o.Class == "" || o.Procedure == "" || o.Work == "" {
		return errors.New("start a worker: -class, -procedure and -work must not be empty")
	}
	if err := os.MkdirAll(o.Work, 0o700); err != nil {
		return fmt.Errorf("start a worker: %w", err)
	}
	if !o.Trusted {
		if err := isolates(ctx, o.Perftrack); err != nil {
			return err
		}
	}
	return pinAway(o.CPUs)
}

// start starts River's client. It waits for a primary, as transactions do.
func start(ctx context.Context, d *database.DB, fence *jobs.Fence, workers *river.Workers, queues []string) (*jobs.Client, error) {
	maintains, err := d.Maintains(ctx)
	if err != nil {
		return nil, err
	}
	var client *jobs.Client
	err = d.Retry(ctx, func(context.Context) error {
		var err error
		if client, err = jobs.NewClient(d, fence, workers, queues, maintains); err != nil {
			return err
		}
		return client.Start(context.WithoutCancel(ctx))
	})
	if err != nil {
		return nil, fmt.Errorf("start a worker: %w", err)
	}
	return client, nil
}

// serve waits for the end of the worker.
func serve(ctx context.Context, d *database.DB, opt Options, l *lease.Lease, client *jobs.Client, rounds *rounds, queues []string) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	kept := make(chan error, 1)
	go func() { kept <- l.Keep(ctx, rounds.fence.Claimed) }()
	var idle <-chan time.Time
	if opt.Once {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		idle = tick.C
	}
	over := time.NewTicker(lease.Renewal)
	defer over.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-kept:
			return err
		case err := <-rounds.broken():
			return err
		case <-over.C:
			rounds.releaseEnded(ctx)
		case <-idle:
			n, err := available(ctx, d, queues)
			if err == nil && n == 0 && rounds.fence.Idle() {
				return client.Stop(ctx) // a job that was claimed in the meantime is done first
			}
			if err != nil && !database.Transient(err) && ctx.Err() == nil {
				return fmt.Errorf("look for available jobs: %w", err)
			}
		}
	}
}

// available returns the number of queues in which jobs wait, those for their next attempt included.
func available(ctx context.Context, d *database.DB, queues []string) (n int, err error) {
	query := d.SQL(`SELECT count(*) FROM (SELECT 1 FROM river_job WHERE state = 'available' AND queue = ? LIMIT 1) AS waiting`)
	for _, queue := range queues {
		var some int // at most 1, because counting all would take long
		if err := d.QueryRowContext(ctx, query, queue).Scan(&some); err != nil {
			return 0, err
		}
		n += some
	}
	return n, nil
}
