package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/riverqueue/river"

	"github.com/perftrack/perftrack/fleet/database"
	"github.com/perftrack/perftrack/fleet/jobs"
	"github.com/perftrack/perftrack/fleet/lease"
	"github.com/perftrack/perftrack/fleet/sources"
)

// budget is the time after which a child ends its job before the last round.
const budget = 5 * time.Minute

// rounds measures jobs of kind rounds, one at a time.
type rounds struct {
	river.WorkerDefaults[jobs.Rounds]
	db    *database.DB
	fence *jobs.Fence
	lease *lease.Lease
	opt   Options

	mu      sync.Mutex // held while a job runs
	sources sources.Sources
	trial   trial
	child   *child
	key     key // of child

	breakOnce sync.Once
	breaks    chan error
}

// A key names what a child can measure without starting again.
type key struct{ trial, target string }

// A trial is what a child must know about its trial.
type trial struct {
	id, url, dir, base, head string
	flags                    []string
}

// Timeout implements river.Worker.
func (w *rounds) Timeout(*river.Job[jobs.Rounds]) time.Duration {
	return database.Scaled(jobs.RoundsTimeout)
}

// Work implements river.Worker.
func (w *rounds) Work(ctx context.Context, job *river.Job[jobs.Rounds]) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer w.fence.Ended(job.ID)
	w.lease.SetJob(job.ID)
	defer w.lease.SetJob(0)
	answer, err := w.measure(ctx, job.Args)
	if err != nil {
		w.stopChild()
	}
	switch {
	case err == nil && answer.Error == nil:
		return w.store(ctx, job, answer.Last, answer.Text)
	case errors.Is(ctx.Err(), context.Canceled): // the worker stops, so River puts the job back
		return ctx.Err()
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		message := fmt.Sprintf("rounds %d to %d took longer than %v", job.Args.First, job.Args.Last, w.Timeout(job))
		return w.fail(ctx, job, problem{"io", message}, "")
	case err != nil:
		return w.fail(ctx, job, problem{"io", err.Error()}, "")
	case answer.Error.Kind == "isolation":
		w.breakDown(fmt.Errorf("measure in a sandbox: %s", answer.Error.Message))
		return river.JobSnooze(0) // another worker measures it
	}
	w.stopChild() // it ends after an error
	return w.fail(ctx, job, *answer.Error, answer.Text)
}

// measure returns the child's answer to a job.
func (w *rounds) measure(ctx context.Context, job jobs.Rounds) (a answer, err error) {
	if err := w.prepare(ctx, key{job.Trial, job.Target}); err != nil {
		return a, err
	}
	a, err = w.child.ask(ctx, request{First: job.First, Last: job.Last, Seconds: int(budget.Seconds()), Closed: job.Closed, Only: job.Only})
	if err == nil && a.Error == nil && (a.Last < job.First || a.Last > job.Last) {
		err = fmt.Errorf("perftrack rounds answered with round %d as the last one of %d to %d", a.Last, job.First, job.Last)
	}
	return a, err
}

// prepare starts a child for the job, unless the last one is alive and measures the same.
func (w *rounds) prepare(ctx context.Context, k key) error {
	if w.child != nil && w.key == k && w.child.alive() {
		return nil
	}
	w.stopChild()
	if w.trial.id != k.trial {
		t, err := w.load(ctx, k.trial)
		if err != nil {
			return err
		}
		w.trial = t
	}
	t := w.trial
	tree, err := w.sources.Checkout(ctx, t.url, t.id, t.base, t.head)
	if err != nil {
		return err
	}
	// Of two equal flags the second one counts, and a target is never taken for a flag.
	args := slices.Concat([]string{"rounds"}, t.flags, []string{
		"--base=" + t.base, "--head=" + t.head, "--trial=" + t.id,
	})
	if !w.opt.Trusted {
		args = append(args, "--isolate")
	}
	w.key = k
	w.child, err = startChild(command{
		Path: w.opt.Perftrack, Args: append(args, "--", k.target), Dir: filepath.Join(tree, t.dir), CPUs: w.opt.CPUs,
	})
	return err
}

// load reads a trial.
func (w *rounds) load(ctx context.Context, id string) (t trial, err error) {
	var flags string
	err = w.db.Retry(ctx, func(ctx context.Context) error {
		return w.db.QueryRowContext(ctx, w.db.SQL(`SELECT id, url, dir, base_sha, head_sha, flags FROM fleet_trials WHERE id = ?`), id).
			Scan(&t.id, &t.url, &t.dir, &t.base, &t.head, &flags)
	})
	if err == nil {
		err = json.Unmarshal([]byte(flags), &t.flags)
	}
	if err == nil && t.dir != "" && !filepath.IsLocal(t.dir) {
		err = fmt.Errorf("the directory %q is outside of the repository", t.dir)
	}
	if err != nil {
		return t, fmt.Errorf("read trial %s: %w", id, err)
	}
	return t, nil
}

func (w *rounds) stopChild() {
	if w.child != nil {
		w.child.stop()
		w.child = nil
	}
}

// release ends the child and removes the work tree.
func (w *rounds) release() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopChild()
	w.trial = trial{}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := w.sources.Release(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "perftrack-fleet: remove the work tree:", err)
	}
}

// releaseEnded releases a trial that is over, unless a job runs.
func (w *rounds) releaseEnded(ctx context.Context) {
	if !w.mu.TryLock() {
		return
	}
	id := w.trial.id
	w.mu.Unlock()
	if id == "" {
		return
	}
	var state string
	err := w.db.QueryRowContext(ctx, w.db.SQL(`SELECT state FROM fleet_trials WHERE id = ?`), id).Scan(&state)
	if err == nil && state != "open" {
		w.release()
	}
}
