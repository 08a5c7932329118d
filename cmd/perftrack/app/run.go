package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo/worktree"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// RunOptions says what `perftrack run` measures. Zero values mean the
// target's configuration, and behind it the defaults.
type RunOptions struct {
	Targets   []string
	Rev       string // measure this revision instead of the work tree
	Against   string // and interleave it with this one, as a trial
	Anchor    string // the same, but that one is no point of the history: see compare.ProcedureAnchor
	Bench     string
	Suite     string
	Profile   bool // the scopes of Suite's profile instead of its benchmarks
	Benchtime string
	Rounds    int
	Timeout   time.Duration
	Quick     bool
	CPUs      string // list of CPUs to pin to, or AllCPUs; "" is the configuration's
}

// beside is the revision that another is measured interleaved with, "" for none.
func (opt RunOptions) beside() string { return cmp.Or(opt.Against, opt.Anchor) }

// selection is what of a target is to be measured, in the words of the command line; "" is
// all of it.
func (opt RunOptions) selection(t config.Target) string {
	parts := slices.Sorted(slices.Values(t.Only))
	if opt.Suite != "" {
		parts = append(parts, fmt.Sprintf("--suite %q", opt.Suite))
	}
	if opt.Bench != "" {
		parts = append(parts, fmt.Sprintf("--bench %q", opt.Bench))
	}
	return strings.Join(parts, " ")
}

// A RunResult is what was stored.
type RunResult struct {
	Runs  []StoredRun
	Trial string // "" when measured alone
}

// A StoredRun is a run and its public id.
type StoredRun struct {
	ID string
	*record.Run
}

// Run measures targets and stores their runs. When ctx is cancelled, what was
// measured until then is stored as partial, and returned beside the error.
func Run(ctx context.Context, a *App, opt RunOptions) (res RunResult, err error) {
	where, targets, err := a.standing(ctx, opt.CPUs, opt.Targets)
	if err != nil {
		return res, err
	}
	if err := checkTargets(targets, opt); err != nil {
		return res, err
	}
	db, path, closeAll, err := a.openMeasuring(ctx)
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	if opt.beside() != "" {
		res.Trial = a.newTrial()
	}
	unmatched, err := eachTarget(targets, func(t config.Target) error {
		m := &measuring{session: a, where: where, target: t, opt: opt, trial: res.Trial, database: path, pairs: opt.Against != ""}
		stored, err := m.run(ctx, db)
		res.Runs = append(res.Runs, stored...)
		return err
	})
	if err != nil || len(res.Runs) == 0 {
		return res, cmp.Or(err, unmatched)
	}
	return res, res.failed()
}

// failed is the error of a run that came to its end without some benchmarks.
func (res RunResult) failed() error {
	failed, unbuilt := 0, 0
	for _, r := range res.Runs {
		for _, f := range r.Failures {
			if f.Unbuilt() {
				unbuilt++
			} else {
				failed++
			}
		}
	}
	var parts []string
	if unbuilt > 0 {
		parts = append(parts, fmt.Sprintf("%d packages were not built", unbuilt))
	}
	if failed > 0 {
		parts = append(parts, fmt.Sprintf("%d benchmarks failed", failed))
	}
	if len(parts) == 0 {
		return nil
	}
	return &Error{Kind: "build", Err: errors.New(strings.Join(parts, " and ") + ", see above")}
}

// run measures the target and stores what came of it.
func (m *measuring) run(ctx context.Context, db *store.DB) (stored []StoredRun, err error) {
	err = m.measure(ctx)
	if m.recorder == nil {
		return nil, err
	}
	stored, err2 := m.store(ctx, db, err == nil)
	return stored, errors.Join(err, err2)
}

// store stores what was recorded and gives up the journal. Whole says that the
// measurement came to its end.
func (m *measuring) store(ctx context.Context, db *store.DB, whole bool) (stored []StoredRun, err error) {
	runs, err := m.recorder.runs(whole)
	if err != nil { // the journal stays
		return nil, &Error{Kind: "data", Err: err}
	}
	for _, r := range runs {
		id, _, err := db.Put(context.WithoutCancel(ctx), r)
		if err != nil {
			if m.journal != nil {
				err = fmt.Errorf("%w: what was measured stays in %s, and the next perftrack that can write there stores it as partial", err, m.journal.path)
			}
			return stored, &Error{Kind: "io", Err: err}
		}
		stored = append(stored, StoredRun{id, r})
	}
	if m.journal == nil {
		return stored, nil
	}
	return stored, m.journal.close()
}

// measuring is one target on its way from the configuration to its runs.
type measuring struct {
	session  *App
	where    place
	target   config.Target
	opt      RunOptions
	trial    string
	database string

	sides    []side
	plan     runner.Plan
	recorder *recorder
	journal  *journal
	checking *checking // nil for a measurement of fixed length
	pairs    bool      // see recorder
}

// A side is one state of the source and what git says of it.
type side struct {
	runner.Side
	commit   record.Commit
	worktree *worktree.Worktree // nil when it is the user's own work tree
}

func (m *measuring) measure(ctx context.Context) (err error) {
	if err := m.prepare(ctx); err != nil {
		return errors.Join(err, m.removeWorktrees(ctx))
	}
	defer func() { err = errors.Join(err, m.removeWorktrees(ctx)) }()
	m.recorder = newRecorder(m)
	if m.journal, err = m.session.newJournal(m.database); err != nil {
		return err
	}
	hooks := runner.Hooks{Progress: m.session.Progress, Round: m.take}
	if m.checking != nil {
		hooks = m.checking.hooks()
	}
	out, err := runner.Measure(ctx, m.plan, hooks)
	if out.Cleanup != nil {
		m.session.notice("%v", out.Cleanup)
	}
	return m.finish(out, err)
}

// take keeps a round that was measured.
func (m *measuring) take(r runner.Round, sofar runner.Outcome) error {
	round, err := m.recorder.take(r, sofar, m.session.Now())
	if err != nil {
		return err
	}
	return m.journal.write(round)
}

// finish gives the measurement's error its class.
func (m *measuring) finish(out runner.Outcome, err error) error {
	m.recorder.outcome = out
	if m.checking != nil {
		m.checking.ended()
	}
	for _, f := range out.Failures {
		if f.Reason == runner.Skipped {
			m.session.notice("%s %s", f.Slot, f.Reason)
		}
	}
	for _, u := range out.Unbuilt {
		m.session.notice("%s%s", m.sideText(u.Side), u.Err)
	}
	var build *runner.BuildError
	switch {
	case errors.As(err, &build):
		return &Error{Kind: "build", Err: err}
	case isNothing(err):
		return &Error{Kind: "usage", Err: err}
	case err != nil:
		return err
	case m.checking != nil && !m.recorder.any() && m.checking.exhausted:
	case m.checking == nil && !m.recorder.any() && len(out.Unbuilt) > 0:
		return &Error{Kind: "build", Err: fmt.Errorf("target %s: nothing was measured, because %s was not built", m.target.Name, unbuiltPackages(out.Unbuilt))}
	case m.checking != nil && !m.recorder.any() && m.checking.settled(out):
	case !m.recorder.any():
		return &Error{Kind: "build", Err: fmt.Errorf("target %s gave no sample%s", m.target.Name, failureText(out.Failures))}
	}
	return nil
}

// sideText begins a message about a side of a trial.
func (m *measuring) sideText(i int) string {
	if name := m.sides[i].Name; name != "" {
		return name + ": "
	}
	return ""
}

func unbuiltPackages(unbuilt []runner.Unbuilt) string {
	var names []string
	for _, u := range unbuilt {
		if !slices.Contains(names, u.Package) {
			names = append(names, u.Package)
		}
	}
	return someOf(names)
}

// isNothing reports whether err says that there was nothing to measure.
func isNothing(err error) bool {
	var benchmarks *runner.NoBenchmarksError
	var scopes *runner.NoScopesError
	return errors.As(err, &benchmarks) || errors.As(err, &scopes)
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
		Bench:     cmp.Or(m.opt.Bench, t.Bench),
		Suite:     m.opt.Suite,
		Benchtime: benchtime,
		Rounds:    rounds,
		Timeout:   cmp.Or(m.opt.Timeout, t.Timeout, runner.DefaultTimeout),
		CPUs:      m.where.cpus,
		BaseFirst: m.baseFirst,
		Engine:    m.session.Engine,
		Identify:  m.checking != nil,
		OneSided:  m.pairs,
	}
	if m.opt.Profile {
		m.plan.Profile = cmp.Or(m.opt.Suite, runner.DefaultSuite)
		m.plan.Suite, m.plan.Bench = "", "" // the scopes of a profile only make sense together
	}
	for _, s := range m.sides {
		m.plan.Sides = append(m.plan.Sides, s.Side)
	}
	return nil
}

// baseFirst is the coin of a pair, which depends on the trial alone, so that a
// trial that is continued goes on with the same coin.
func (m *measuring) baseFirst(s runner.Slot, round int) bool {
	h := fnv.New64a()
	_, _ = io.WriteString(h, m.trial) // to a hash: never fails
	return compare.BaseFirst(h.Sum64(), s.String(), round)
}

// length is how many rounds of which time are measured.
func (m *measuring) length() (rounds int, benchtime string) {
	if m.opt.Profile {
		if m.trial != "" {
			return cmp.Or(m.opt.Rounds, runner.ProfileTrialRounds), ""
		}
		if m.opt.Quick {
			return cmp.Or(m.opt.Rounds, 1), ""
		}
		return cmp.Or(m.opt.Rounds, runner.ProfileRounds), ""
	}
	if m.checking != nil { // rounds are the plan's, not the configuration's
		return compare.CheckPlan().Last(), cmp.Or(m.opt.Benchtime, m.target.Benchtime, runner.CheckBenchtime)
	}
	rounds, benchtime = runner.DefaultRounds, runner.DefaultBenchtime
	quick := runner.QuickRounds
	if m.trial != "" {
		rounds, benchtime, quick = runner.TrialRounds, runner.TrialBenchtime, runner.QuickTrialRounds
	}
	if m.opt.Quick { // over the configuration: the user is in a hurry now
		return cmp.Or(m.opt.Rounds, quick), cmp.Or(m.opt.Benchtime, runner.QuickBenchtime)
	}
	return cmp.Or(m.opt.Rounds, m.target.Rounds, rounds), cmp.Or(m.opt.Benchtime, m.target.Benchtime, benchtime)
}
