package check

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fleet"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A spread check measures nothing itself. It queues stretches of rounds for the workers of a class,
// unites the rounds that come back, and decides at the same looks as on one machine.

// Spread says which machines measure a check, and for whom.
type Spread struct {
	Class       string // of the workers; "" means this machine
	URL         string // where workers clone the repository; "" means its remote, or its own path
	Priority    string // one of those of package fleet; "" means a pull request's
	PullRequest string // its number; a newer head of the same one ends this check
	Optional    bool   // the result blocks nothing
	Flags       []string
}

// commitHead makes the head a commit, because workers cannot see the work tree.
func (c *check) commitHead(ctx context.Context) error {
	base, head, err := c.commits(ctx)
	if err != nil {
		return err
	}
	if head == "" {
		return fault.Usagef("the work tree has uncommitted changes, which workers cannot see: commit them, or check a commit with --head")
	}
	c.opt.Base, c.opt.Head = base, head
	return nil
}

// spreadClass returns the class of the workers that measured a trial, or "" for one machine.
func spreadClass(t store.Trial) string {
	for _, r := range t.Runs {
		if s := r.Protocol.Spread; s != nil {
			return s.Class
		}
	}
	return ""
}

// A spreadCheck is a check whose rounds are measured by workers.
type spreadCheck struct {
	*check
	queue   *fleet.Queue
	targets []*spreadTarget
	staff   *fleet.Staff
	by      string // trial that superseded this one
}

// spread measures all targets on workers, and stores their runs.
func (c *check) spread(ctx context.Context) error {
	s := &spreadCheck{check: c, staff: fleet.NewStaff(c.session, c.opt.Spread.Class)}
	for _, t := range c.targets {
		one := newTargetCheck(c, t)
		c.targetChecks = append(c.targetChecks, one)
		more, err := newSpreadTarget(one)
		if err != nil {
			return err
		}
		s.targets = append(s.targets, more)
	}
	if s.over() {
		return nil
	}
	trial, err := s.describe(ctx)
	if err == nil {
		s.queue, err = fleet.Start(ctx, c.session, trial)
	}
	if err != nil {
		return err
	}
	err = s.follow(ctx)
	state := fleet.Decided
	switch {
	case s.by != "":
		state = fleet.Superseded
	case err != nil || !s.over():
		state = fleet.Interrupted
	}
	if state != fleet.Decided {
		err = errors.Join(err, s.queue.Cancel())
	}
	err = errors.Join(err, s.queue.Close(state))
	if stored, another := s.storedByAnother(context.WithoutCancel(ctx)); stored || another != nil {
		return errors.Join(err, another)
	}
	for _, t := range s.targets {
		err = errors.Join(err, t.store(context.WithoutCancel(ctx)))
	}
	return err
}

// storedByAnother reports whether another check of the same commits, which took the same rounds from
// the queue, has stored the trial in the meantime. If so, it reads the runs.
func (s *spreadCheck) storedByAnother(ctx context.Context) (bool, error) {
	trials, err := s.db.Trials(ctx)
	if err != nil {
		return false, err
	}
	i := slices.IndexFunc(trials, func(t store.Trial) bool { return t.ID == s.trial.id })
	if i < 0 || len(trials[i].Runs) <= len(s.trial.runs) {
		return false, nil
	}
	s.session.Noticef("another check of the same commits has stored trial %s", s.trial.id)
	s.trial.runs, err = s.runsOf(ctx, trials[i])
	return true, err
}

// describe returns the trial for the queue.
func (s *spreadCheck) describe(ctx context.Context) (t fleet.Trial, err error) {
	o := s.opt.Spread
	t = fleet.Trial{
		ID: s.trial.id, Base: s.opt.Base, Head: s.opt.Head, Class: o.Class, Procedure: fleet.Procedure,
		Priority: o.Priority, PullRequest: o.PullRequest, Optional: o.Optional, Flags: append([]string{}, o.Flags...),
	}
	if t.Priority == "" {
		t.Priority = fleet.PullRequest
	}
	if t.Repository, t.URL, err = fleet.Repository(ctx, s.session, s.where, o.URL); err != nil {
		return t, err
	}
	dir, err := s.where.InRepo(s.where.Dir)
	t.Dir = filepath.ToSlash(dir)
	return t, err
}

// follow queues jobs and takes their results until all targets are decided, the budget is spent, or
// nobody works.
func (s *spreadCheck) follow(ctx context.Context) error {
	for !s.over() {
		if err := s.deal(); err != nil {
			return err
		}
		e, ok, err := s.queue.Next(ctx, s.staff.Wake(s.deadline))
		switch {
		case err != nil:
			return err
		case ok:
			err = s.take(e)
		case !s.deadline.IsZero() && !s.session.Now().Before(s.deadline):
			return s.staff.GivenUp()
		default:
			err = s.staff.GivenUp()
		}
		if err != nil || s.by != "" {
			return err
		}
		s.show()
	}
	return nil
}

func (s *spreadCheck) over() bool {
	return !slices.ContainsFunc(s.targets, func(t *spreadTarget) bool { return !t.done })
}

// deal queues jobs, so that no worker has to wait. Targets share the workers.
func (s *spreadCheck) deal() error {
	open := 0
	for _, t := range s.targets {
		if !t.done {
			open++
		}
	}
	for _, t := range s.targets {
		if t.done {
			continue
		}
		t.workers = (s.staff.Live() + open - 1) / open
		if jobs := t.deal(); len(jobs) > 0 {
			if err := s.queue.Add(jobs); err != nil {
				return err
			}
		}
	}
	return nil
}

// take takes an event of the queue.
func (s *spreadCheck) take(e fleet.Event) error {
	switch {
	case e.Opened != nil:
		s.opened(*e.Opened)
	case e.Workers != nil:
		s.staff.Counted(e.Workers.Live)
	case e.Superseded != nil:
		s.by = e.Superseded.Trial
		s.session.Noticef("a newer head of the same pull request ended this check: see trial %s", s.by)
	case e.Part != nil:
		return s.of(e.Part.Target, func(t *spreadTarget) error { return t.measured(*e.Part) })
	case e.Failed != nil:
		return s.of(e.Failed.Target, func(t *spreadTarget) error { return t.failed(*e.Failed) })
	}
	return nil
}

// of calls do with a target, unless this check does not measure it.
func (s *spreadCheck) of(name string, do func(*spreadTarget) error) error {
	for _, t := range s.targets {
		if t.target.Name == name {
			return do(t)
		}
	}
	return nil
}

// opened takes the id of the trial, which an earlier process may have begun.
func (s *spreadCheck) opened(o fleet.Opened) {
	if o.Trial != "" && o.Trial != s.trial.id {
		s.trial.id = o.Trial
		s.session.Noticef("continuing trial %s of the same commits", o.Trial)
	}
	for _, id := range o.Superseded {
		s.session.Noticef("trial %s of an older head of the same pull request gets no more rounds", id)
	}
	s.staff.Counted(o.Workers)
}

// show shows the progress of all targets.
func (s *spreadCheck) show() {
	workers := s.staff.Live()
	if s.session.Progress == nil || workers == 0 {
		return
	}
	p := runner.Progress{Stage: "measure", What: fmt.Sprintf("%s of class %s", reports.Plural(workers, "worker"), s.staff.Class)}
	for i, t := range s.targets {
		if round := t.hand.known(&t.agenda); i == 0 || round < p.Round {
			p.Round = round
		}
		p.Rounds = max(p.Rounds, t.hand.last())
		p.Open += t.open
		p.Slots += t.rows
	}
	p.Look, p.Until = 1, s.deadline
	s.session.Progress(p)
}

// sessionOf returns the number of the session that continues the runs.
func sessionOf(runs []*record.Run) int {
	last := 0
	for _, r := range runs {
		if r.Protocol.Spread != nil {
			last = max(last, max(1, r.Protocol.Spread.Session))
		}
	}
	return last + 1
}
