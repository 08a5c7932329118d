package measure

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

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/modules"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo/worktree"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Options says what `perftrack run` measures. Zero values mean the
// target's configuration, and behind it the defaults.
type Options struct {
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
func (opt Options) beside() string { return cmp.Or(opt.Against, opt.Anchor) }

// Selection is what of a target is to be measured, in the words of the command line; "" is
// all of it.
func (opt Options) Selection(t config.Target) string {
	parts := slices.Sorted(slices.Values(t.Only))
	if opt.Suite != "" {
		parts = append(parts, fmt.Sprintf("--suite %q", opt.Suite))
	}
	if opt.Bench != "" {
		parts = append(parts, fmt.Sprintf("--bench %q", opt.Bench))
	}
	return strings.Join(parts, " ")
}

// A Result is what was stored.
type Result struct {
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
func Run(ctx context.Context, a *workspace.Session, opt Options) (res Result, err error) {
	where, targets, err := a.LocateTargets(ctx, opt.CPUs, opt.Targets)
	if err != nil {
		return res, err
	}
	if err := CheckTargets(targets, opt); err != nil {
		return res, err
	}
	db, path, closeAll, err := a.OpenForMeasuring(ctx)
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	if opt.beside() != "" {
		res.Trial = a.NewTrialID()
	}
	unmatched, err := workspace.EachTarget(targets, func(t config.Target) error {
		m := &Measurement{Session: a, Where: where, Target: t, Opt: opt, Trial: res.Trial, Database: path, Pairs: opt.Against != ""}
		stored, err := m.Run(ctx, db)
		res.Runs = append(res.Runs, stored...)
		return err
	})
	if err != nil || len(res.Runs) == 0 {
		return res, cmp.Or(err, unmatched)
	}
	return res, res.Failed()
}

// Failed is the error of a run that came to its end without some benchmarks.
func (res Result) Failed() error {
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
	return fault.Build(errors.New(strings.Join(parts, " and ") + ", see above"))
}

// Run measures the target and stores what came of it.
func (m *Measurement) Run(ctx context.Context, db *store.DB) (stored []StoredRun, err error) {
	err = m.measure(ctx)
	if m.Recorder == nil {
		return nil, err
	}
	stored, err2 := m.Store(ctx, db, err == nil)
	return stored, errors.Join(err, err2)
}

// Store stores what was recorded and gives up the journal. Whole says that the
// measurement came to its end.
func (m *Measurement) Store(ctx context.Context, db *store.DB, whole bool) (stored []StoredRun, err error) {
	runs, err := m.Recorder.Runs(whole)
	if err != nil { // the journal stays
		return nil, fault.Data(err)
	}
	for _, r := range runs {
		id, _, err := db.Put(context.WithoutCancel(ctx), r)
		if err != nil {
			if m.Journal != nil {
				err = fmt.Errorf("%w: what was measured stays in %s, and the next perftrack that can write there stores it as partial", err, m.Journal.Path)
			}
			return stored, fault.IO(err)
		}
		stored = append(stored, StoredRun{id, r})
	}
	if m.Journal == nil {
		return stored, nil
	}
	return stored, m.Journal.Close()
}

// Measurement is one target on its way from the configuration to its runs.
type Measurement struct {
	Session  *workspace.Session
	Where    workspace.Place
	Target   config.Target
	Opt      Options
	Trial    string
	Database string

	Sides    []Side
	Plan     runner.Plan
	Recorder *recorder
	Journal  *workspace.Journal
	Course   Course // nil for a measurement of fixed length
	Pairs    bool   // see recorder
}

// A Course decides while a check measures which benchmarks get another round.
type Course interface {
	Hooks() runner.Hooks
	Ended()                          // nothing more is measured
	Exhausted() bool                 // the budget is
	Settled(out runner.Outcome) bool // nothing had to be measured
	Share() float64                  // of alpha, that the trial has
}

// A Side is one state of the source and what git says of it.
type Side struct {
	runner.Side
	Commit   record.Commit
	Worktree *worktree.Worktree // nil when it is the user's own work tree
}

func (m *Measurement) measure(ctx context.Context) (err error) {
	if err := m.Prepare(ctx); err != nil {
		return errors.Join(err, m.RemoveWorktrees(ctx))
	}
	defer func() { err = errors.Join(err, m.RemoveWorktrees(ctx)) }()
	m.Recorder = NewRecorder(m)
	if m.Journal, err = m.Session.NewJournal(m.Database); err != nil {
		return err
	}
	hooks := runner.Hooks{Progress: m.Session.Progress, Round: m.Take}
	if m.Course != nil {
		hooks = m.Course.Hooks()
	}
	out, err := runner.Measure(ctx, m.Plan, hooks)
	if out.Cleanup != nil {
		m.Session.Noticef("%v", out.Cleanup)
	}
	return m.Finish(out, err)
}

// Take keeps a round that was measured.
func (m *Measurement) Take(r runner.Round, sofar runner.Outcome) error {
	round, err := m.Recorder.take(r, sofar, m.Session.Now())
	if err != nil {
		return err
	}
	return m.Journal.Write(round)
}

// Finish gives the measurement's error its class.
func (m *Measurement) Finish(out runner.Outcome, err error) error {
	m.Recorder.Outcome = out
	if m.Course != nil {
		m.Course.Ended()
	}
	for _, f := range out.Failures {
		if f.Reason == runner.Skipped {
			m.Session.Noticef("%s %s", f.Slot, f.Reason)
		}
	}
	for _, u := range out.Unbuilt {
		m.Session.Noticef("%s%s", m.sideText(u.Side), u.Err)
	}
	var failed *build.Error
	switch {
	case errors.As(err, &failed):
		return fault.Build(err)
	case workspace.IsNothingToMeasure(err):
		return fault.Usage(err)
	case err != nil:
		return err
	case m.Course != nil && !m.Recorder.Any() && m.Course.Exhausted():
	case m.Course == nil && !m.Recorder.Any() && len(out.Unbuilt) > 0:
		return fault.Build(fmt.Errorf("target %s: nothing was measured, because %s was not built", m.Target.Name, unbuiltPackages(out.Unbuilt)))
	case m.Course != nil && !m.Recorder.Any() && m.Course.Settled(out):
	case !m.Recorder.Any():
		return fault.Build(fmt.Errorf("target %s gave no sample%s", m.Target.Name, failureText(out.Failures)))
	}
	return nil
}

// sideText begins a message about a side of a trial.
func (m *Measurement) sideText(i int) string {
	if name := m.Sides[i].Name; name != "" {
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
	return modules.SomeOf(names)
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

// Prepare settles the plan: options over the target's configuration over the
// defaults.
func (m *Measurement) Prepare(ctx context.Context) error {
	t := m.Target
	if err := m.Checkout(ctx); err != nil {
		return err
	}
	rounds, benchtime := m.length()
	m.Plan = runner.Plan{
		Target:    t,
		Bench:     cmp.Or(m.Opt.Bench, t.Bench),
		Suite:     m.Opt.Suite,
		Benchtime: benchtime,
		Rounds:    rounds,
		Timeout:   cmp.Or(m.Opt.Timeout, t.Timeout, runner.DefaultTimeout),
		CPUs:      m.Where.CPUs,
		BaseFirst: m.BaseFirst,
		Engine:    m.Session.Engine,
		Identify:  m.Course != nil,
		OneSided:  m.Pairs,
	}
	if m.Opt.Profile {
		m.Plan.Profile = cmp.Or(m.Opt.Suite, runner.DefaultSuite)
		m.Plan.Suite, m.Plan.Bench = "", "" // the scopes of a profile only make sense together
	}
	for _, s := range m.Sides {
		m.Plan.Sides = append(m.Plan.Sides, s.Side)
	}
	return nil
}

// BaseFirst is the coin of a pair, which depends on the trial alone, so that a
// trial that is continued goes on with the same coin.
func (m *Measurement) BaseFirst(s runner.Slot, round int) bool {
	h := fnv.New64a()
	_, _ = io.WriteString(h, m.Trial) // to a hash: never fails
	return stat.BaseFirst(h.Sum64(), s.String(), round)
}

// length is how many rounds of which time are measured.
func (m *Measurement) length() (rounds int, benchtime string) {
	if m.Opt.Profile {
		if m.Trial != "" {
			return cmp.Or(m.Opt.Rounds, runner.ProfileTrialRounds), ""
		}
		if m.Opt.Quick {
			return cmp.Or(m.Opt.Rounds, 1), ""
		}
		return cmp.Or(m.Opt.Rounds, runner.ProfileRounds), ""
	}
	if m.Course != nil { // rounds are the plan's, not the configuration's
		return stat.CheckPlan().Last(), cmp.Or(m.Opt.Benchtime, m.Target.Benchtime, runner.CheckBenchtime)
	}
	rounds, benchtime = runner.DefaultRounds, runner.DefaultBenchtime
	quick := runner.QuickRounds
	if m.Trial != "" {
		rounds, benchtime, quick = runner.TrialRounds, runner.TrialBenchtime, runner.QuickTrialRounds
	}
	if m.Opt.Quick { // over the configuration: the user is in a hurry now
		return cmp.Or(m.Opt.Rounds, quick), cmp.Or(m.Opt.Benchtime, runner.QuickBenchtime)
	}
	return cmp.Or(m.Opt.Rounds, m.Target.Rounds, rounds), cmp.Or(m.Opt.Benchtime, m.Target.Benchtime, benchtime)
}
