package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/store"
)

// RunOptions says what `perftrack run` measures. Zero values mean the
// target's configuration, and behind it the defaults.
type RunOptions struct {
	Targets   []string
	Rev       string // measure this revision instead of the work tree
	Against   string // and interleave it with this one, as a trial
	Bench     string
	Suite     string
	Benchtime string
	Rounds    int
	Timeout   time.Duration
	Quick     bool
}

// A RunResult is what was stored.
type RunResult struct {
	Runs     []StoredRun
	Trial    string // "" when measured alone
	Database string
}

// A StoredRun is a run and its public id.
type StoredRun struct {
	ID string
	*store.Run
}

// Run measures targets and stores their runs. When ctx is cancelled, what was
// measured until then is stored as partial, and returned beside the error.
func (a *App) Run(ctx context.Context, opt RunOptions) (res RunResult, err error) {
	where, err := a.place(ctx)
	if err != nil {
		return res, err
	}
	targets, err := a.targets(ctx, where, opt.Targets)
	if err != nil {
		return res, err
	}
	unlock, err := a.lockMeasuring(ctx)
	if err != nil {
		return res, err
	}
	defer unlock()
	db, path, err := a.OpenForWriting(ctx)
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	res.Database = path
	if opt.Against != "" {
		res.Trial = fmt.Sprintf("%s-%06x", a.Now().UTC().Format("20060102T150405"), a.Rand.Uint32()&0xffffff)
	}
	for _, t := range targets {
		m := &measuring{App: a, place: where, target: t, opt: opt, trial: res.Trial, database: path}
		runErr := m.measure(ctx)
		for _, r := range m.runs() {
			id, _, err := db.Put(context.WithoutCancel(ctx), r)
			if err != nil {
				return res, errors.Join(runErr, &Error{Kind: "io", Err: err})
			}
			res.Runs = append(res.Runs, StoredRun{id, r})
		}
		if err := m.done(); err != nil {
			return res, errors.Join(runErr, err)
		}
		if runErr != nil {
			return res, runErr
		}
	}
	return res, nil
}

// measuring is one target on its way from the configuration to its runs.
type measuring struct {
	*App
	place
	target   config.Target
	opt      RunOptions
	trial    string
	database string

	sides    []side
	plan     runner.Plan
	recorder *recorder
	journal  *journal
}

// A side is one state of the source and what git says of it.
type side struct {
	runner.Side
	commit   store.Commit
	worktree *gitrepo.Worktree // nil when it is the user's own work tree
}

func (m *measuring) measure(ctx context.Context) (err error) {
	if err := m.prepare(ctx); err != nil {
		return errors.Join(err, m.removeWorktrees(ctx))
	}
	defer func() { err = errors.Join(err, m.removeWorktrees(ctx)) }()
	m.recorder = newRecorder(m)
	if m.journal, err = m.newJournal(m.database); err != nil {
		return err
	}
	out, err := runner.Measure(ctx, m.plan, runner.Hooks{
		Progress: m.Progress,
		Round: func(r runner.Round, sofar runner.Outcome) error {
			m.recorder.take(r, sofar)
			runs, err := m.recorder.runs(store.Partial)
			if err != nil {
				return err
			}
			return m.journal.write(runs)
		},
	})
	return m.finish(out, err)
}

// finish settles the runs' status. An error that is the user's interruption, or
// that came after samples were taken, leaves a partial run.
func (m *measuring) finish(out runner.Outcome, err error) error {
	m.recorder.outcome = out
	m.recorder.end = m.Now()
	for _, f := range out.Failures {
		if f.Reason == runner.Skipped {
			m.notice("%s %s", f.Slot, f.Reason)
		} else if err == nil {
			m.recorder.status = store.Failed
		}
	}
	if err != nil {
		m.recorder.status = store.Partial
	}
	var build *runner.BuildError
	var none *runner.NoBenchmarksError
	switch {
	case errors.As(err, &build):
		return &Error{Kind: "build", Err: err}
	case errors.As(err, &none):
		return &Error{Kind: "usage", Err: err}
	case err != nil:
		return err
	case !m.recorder.any():
		return &Error{Kind: "build", Err: fmt.Errorf("target %s gave no sample%s", m.target.Name, failureText(out.Failures))}
	}
	return nil
}

func failureText(failures []runner.Failure) string {
	var s string
	for i, f := range failures {
		if i == 5 {
			return s + fmt.Sprintf("\n  and %d more", len(failures)-i)
		}
		s += fmt.Sprintf("\n  %s: %s", f.Slot, f.Reason)
	}
	return s
}

// runs returns what was measured, however far it got.
func (m *measuring) runs() []*store.Run {
	if m.recorder == nil || !m.recorder.any() {
		return nil
	}
	runs, err := m.recorder.runs(m.recorder.status)
	if err != nil {
		m.notice("%v", err)
	}
	return runs
}

// done removes the journal, whose runs are stored now.
func (m *measuring) done() error {
	if m.journal == nil {
		return nil
	}
	return m.journal.close()
}

// prepare settles the plan: options over the target's configuration over the
// defaults.
func (m *measuring) prepare(ctx context.Context) error {
	t := m.target
	if err := m.checkout(ctx); err != nil {
		return err
	}
	rounds, benchtime := m.length()
	m.plan = runner.Plan{
		Target:    t,
		Bench:     firstOf(m.opt.Bench, t.Bench),
		Suite:     m.opt.Suite,
		Benchtime: benchtime,
		Rounds:    rounds,
		Timeout:   firstOf(m.opt.Timeout, t.Timeout, runner.DefaultTimeout),
		Coin:      func() bool { return m.Rand.IntN(2) == 0 },
		Engine:    m.Engine,
	}
	for _, s := range m.sides {
		m.plan.Sides = append(m.plan.Sides, s.Side)
	}
	return nil
}

// length is how many rounds of which time are measured.
func (m *measuring) length() (rounds int, benchtime string) {
	rounds, benchtime = runner.DefaultRounds, runner.DefaultBenchtime
	quick := runner.QuickRounds
	if m.trial != "" {
		rounds, benchtime, quick = runner.TrialRounds, runner.TrialBenchtime, runner.QuickTrialRounds
	}
	if m.opt.Quick { // over the configuration: the user is in a hurry now
		return firstOf(m.opt.Rounds, quick), firstOf(m.opt.Benchtime, runner.QuickBenchtime)
	}
	return firstOf(m.opt.Rounds, m.target.Rounds, rounds), firstOf(m.opt.Benchtime, m.target.Benchtime, benchtime)
}

func firstOf[T comparable](values ...T) T {
	var zero T
	for _, v := range values {
		if v != zero {
			return v
		}
	}
	return zero
}
