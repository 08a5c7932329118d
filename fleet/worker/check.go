package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/riverqueue/river"

	"github.com/perftrack/perftrack/fleet/database"
	"github.com/perftrack/perftrack/fleet/jobs"
	"github.com/perftrack/perftrack/fleet/sources"
)

// checks runs jobs of kind check: `perftrack check --workers` spreads the rounds over the workers
// and decides. It waits most of the time, so it runs beside the rounds of the same worker.
type checks struct {
	river.WorkerDefaults[jobs.Check]
	fence *jobs.Fence
	opt   Options
	dir   string     // folder of clones and work trees
	git   sync.Mutex // held while a clone changes
}

// Timeout implements river.Worker.
func (w *checks) Timeout(*river.Job[jobs.Check]) time.Duration {
	return database.Scaled(jobs.CheckTimeout)
}

// Work implements river.Worker.
func (w *checks) Work(ctx context.Context, job *river.Job[jobs.Check]) error {
	defer w.fence.Ended(job.ID)
	a := job.Args
	if a.Dir != "" && !filepath.IsLocal(a.Dir) {
		return river.JobCancel(fmt.Errorf("the directory %q is outside of the repository", a.Dir))
	}
	src := sources.Sources{Dir: w.dir}
	w.git.Lock()
	tree, err := src.Checkout(ctx, a.URL, fmt.Sprint(job.ID), a.Base, a.Head)
	w.git.Unlock()
	if err != nil {
		return err
	}
	defer func() {
		w.git.Lock()
		defer w.git.Unlock()
		_ = src.Release(context.WithoutCancel(ctx)) // a tree that stays does no harm
	}()
	fmt.Fprintf(os.Stderr, "perftrack-fleet: deciding check %d of %s: %.7s against %.7s\n", job.ID, a.Repository, a.Head, a.Base)
	err = run(ctx, w.opt.Perftrack, checkArgs(a), filepath.Join(tree, a.Dir), checkEnv(os.Environ(), a.Repository))
	var exit *exec.ExitError
	if errors.As(err, &exit) && (exit.ExitCode() == 1 || exit.ExitCode() == 3) { // regressed or undecided: decided all the same
		return nil
	}
	if err != nil && ctx.Err() == nil && len(job.Errors)+1 >= jobs.MaxFailures {
		return river.JobCancel(err)
	}
	return err
}

// checkArgs returns the arguments of perftrack for a check.
func checkArgs(a jobs.Check) []string {
	args := slices.Concat([]string{"check"}, a.Flags, []string{"--workers=" + a.Class, "--repo=" + a.URL, "--base=" + a.Base, "--head=" + a.Head})
	if a.Priority != "" {
		args = append(args, "--priority="+a.Priority)
	}
	if a.PullRequest != "" {
		args = append(args, "--pull-request="+a.PullRequest)
	}
	if a.Optional {
		args = append(args, "--optional")
	}
	return args
}

// checkEnv names the repository in the address of a PostgreSQL database, which holds many.
func checkEnv(env []string, repository string) []string {
	env = slices.Clone(env)
	for i, v := range env {
		if address, ok := strings.CutPrefix(v, "PERFTRACK_DB="); ok {
			if address, err := database.WithRepository(address, repository); err == nil {
				env[i] = "PERFTRACK_DB=" + address
			}
		}
	}
	return env
}

// run runs a program in a process group, and terminates the group when ctx ends.
func run(ctx context.Context, path string, args []string, dir string, env []string) error {
	c := exec.CommandContext(ctx, path, args...)
	last := &lastLine{to: os.Stderr}
	c.Dir, c.Env, c.Stderr = dir, env, last
	c.WaitDelay = 10 * time.Second // for perftrack to close its trial
	c.Cancel = func() error { return terminateGroup(c) }
	done := make(chan error)
	go func() {
		err := startGroup(c, "")
		if err == nil {
			err = c.Wait()
		}
		done <- err
	}()
	if err := <-done; err != nil {
		return fmt.Errorf("perftrack check: %w: %s", err, last)
	}
	return nil
}
