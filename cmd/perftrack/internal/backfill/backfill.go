package backfill

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
	"github.com/perftrack/perftrack/store"
)

// Options says what is measured.
type Options struct {
	Range   string // A..B
	Targets []string
	Choice  Choice
	Anchor  string        // revision that each commit is measured beside; "" is A
	Budget  time.Duration // no commit is begun that would take longer; 0 is no limit
	Flags   measure.Flags
}

// A State is what became of a commit.
type State string

// The states of commits.
const (
	Measured    State = "measured"
	CarriedOver State = "carried over"     // it has the machine code of a commit that was measured
	Already     State = "measured already" // by an earlier call
	Failed      State = "failed"           // some of its benchmarks, now or before
	PassedOver  State = "passed over"      // it does not build, or has no such benchmark
	NotReached  State = "not reached"
)

// A Step is one target at one commit.
type Step struct {
	Commit gitrepo.Commit
	Target string
	State  State
	Detail string        // why, or from which commit it was carried over
	Took   time.Duration // 0 where nothing was done
}

// A Result is what a call did, and what it found done.
type Result struct {
	Range   string
	Line    int            // commits of the range
	Anchor  gitrepo.Commit // that all were measured beside
	Steps   []Step         // of the commits that were chosen, the newest first
	Stopped bool           // by the budget
}

// Count returns how many steps are in a state.
func (r *Result) Count(s State) (n int) {
	for _, step := range r.Steps {
		if step.State == s {
			n++
		}
	}
	return n
}

// Run measures the chosen commits of a range that are not measured yet. What was measured is
// stored commit by commit, so that a second call goes on where the first one ended, however
// that was; what was done until then is returned beside an error, ctx's cancellation included.
func Run(ctx context.Context, a *workspace.Session, opt Options) (res Result, err error) {
	where, targets, err := a.LocateTargets(ctx, opt.Flags.CPUs, opt.Flags.Procs, opt.Targets)
	if err != nil {
		return res, err
	}
	if err := where.NeedRepo("there are no commits to measure"); err != nil {
		return res, err
	}
	b := &backfill{session: a, where: where, opt: opt, targets: targets, ways: map[string]map[runner.Slot]slicing.Way{}, known: map[string]*known{}, env: map[string]record.Settings{}}
	if err := (measure.Sources{Rev: "HEAD"}).CheckTargets(targets); err != nil {
		return res, err
	}
	if b.line, err = readLine(ctx, where.Repo, opt.Range); err != nil {
		return res, err
	}
	b.anchor = b.line.from
	if opt.Anchor == "" {
		if err := b.needModule(ctx); err != nil {
			return res, err
		}
	}
	if opt.Anchor != "" {
		if b.anchor, err = where.Repo.Resolve(ctx, opt.Anchor); err != nil {
			return res, fault.Git(err)
		}
	}
	if err := opt.Flags.CheckBench(ctx, where, targets, b.anchor.SHA); err != nil {
		return res, err
	}
	if b.db, b.database, err = a.OpenForWriting(ctx); err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, b.db.Close()) }()
	if err := b.choose(ctx); err != nil {
		return res, err
	}
	err = b.run(ctx)
	return b.result(), err
}

// needModule refuses a range that begins before there was a module to build: nothing could be
// measured beside its first commit.
func (b *backfill) needModule(ctx context.Context) error {
	commits := b.line.commits
	first, err := b.where.FirstModule(ctx, b.targets, commits)
	switch {
	case err != nil || first == 0:
		return err
	case first == len(commits):
		return fault.Usagef("no commit of %s has the go.mod of the module here: nothing can be measured", b.line.name)
	}
	from, to := record.ShortHash(commits[first].SHA), b.line.name[strings.Index(b.line.name, "..")+2:]
	return fault.Usagef("%[1]s cannot be the anchor: of %[3]s, the first %[2]s no go.mod; the other %[4]d can be measured: perftrack backfill %[5]s..%[6]s",
		b.line.first, countHave(first), b.line.name, len(commits)-first, from, to)
}

func countHave(n int) string {
	if n == 1 {
		return "commit has"
	}
	return fmt.Sprintf("%d commits have", n)
}

// A backfill is one call of [Run].
type backfill struct {
	session  *workspace.Session
	where    workspace.Place
	opt      Options
	targets  []config.Target
	db       *store.DB
	database string // path
	line     line
	anchor   gitrepo.Commit
	keep     string                                 // folder in which the binaries of the anchor are kept meanwhile
	known    map[string]*known                      // by target
	env      map[string]record.Settings             // of the work tree, by target
	ways     map[string]map[runner.Slot]slicing.Way // chosen with the first commit of a target, for all
	chosen   []int                                  // positions on the line, ascending
	due      *order                                 // of those that are not done
	steps    map[int][]Step                         // by position
	stopped  bool                                   // by the budget

	began   time.Time
	visits  int           // commits that were begun
	planned int           // that are to be
	waited  time.Duration // for other measurements
	last    time.Duration // that the last commit took of which something was measured
}

// choose reads what is known and chooses the commits.
func (b *backfill) choose(ctx context.Context) error {
	for _, t := range b.targets {
		env, err := runner.Environment(ctx, t, b.where.ModuleDir(), b.where.CPUs)
		if err != nil {
			return fault.Build(err)
		}
		k, err := readKnown(ctx, b.db, t.Name, b.anchor.SHA, b.opt.Flags.Selection(t), env)
		if err != nil {
			return fault.Data(err)
		}
		b.env[t.Name], b.known[t.Name] = env, &k
	}
	var have []int // where there are points of all targets, or will be none
	for i, c := range b.line.commits {
		if b.isDone(c) {
			have = append(have, i)
		}
	}
	var err error
	if b.chosen, err = b.line.choose(ctx, b.where.Repo, b.opt.Choice, have); err != nil {
		return err
	}
	b.due, b.steps = newOrder(b.chosen, have), map[int][]Step{}
	for _, i := range b.chosen {
		if !slices.Contains(have, i) {
			b.planned++
		}
		for _, t := range b.targets {
			b.steps[i] = append(b.steps[i], b.before(b.line.commits[i], t))
		}
	}
	return nil
}

// isDone reports whether there is nothing to measure at a commit: each target has its point,
// or failed there.
func (b *backfill) isDone(c gitrepo.Commit) bool {
	return !slices.ContainsFunc(b.targets, func(t config.Target) bool { return b.before(c, t).State == NotReached })
}

// before is what is known of a target at a commit before anything is measured.
func (b *backfill) before(c gitrepo.Commit, t config.Target) Step {
	s, k := Step{Commit: c, Target: t.Name, State: NotReached}, b.known[t.Name]
	if k.measured[c.SHA] {
		s.State = Already
	} else if why, failed := k.failed[c.SHA]; failed {
		s.State, s.Detail = Failed, "before: "+why
	}
	return s
}

// run measures one commit after the other.
func (b *backfill) run(ctx context.Context) (err error) {
	b.announce()
	if b.planned == 0 {
		return b.nothing()
	}
	remove, err := b.keepFolder()
	if err != nil {
		return fault.IO(err)
	}
	defer func() { err = errors.Join(err, remove()) }()
	b.began = b.session.Now()
	for {
		if !b.hasTime() {
			b.stopped = true
			return nil
		}
		at, ok := b.due.next()
		if !ok {
			return b.nothing()
		}
		b.visits++
		if err := b.visit(ctx, b.chosen[at]); err != nil {
			return err
		}
	}
}

// hasTime reports whether the budget has time for a commit like the last one. The first is
// always begun, as nobody knows how long one takes.
func (b *backfill) hasTime() bool {
	return b.opt.Budget == 0 || b.visits == 0 || b.session.Now().Add(b.last).Sub(b.began) <= b.opt.Budget
}

// turn leaves out of the budget how long another measurement was waited for.
func (b *backfill) turn(waited time.Duration) (ends time.Time) {
	b.waited += waited
	b.began = b.began.Add(waited)
	if b.opt.Budget > 0 {
		ends = b.began.Add(b.opt.Budget)
	}
	return ends
}

// choosingShare is the share of a budget in which it may be chosen how benchmarks are measured,
// as in a check. What is chosen serves all commits after it.
const choosingShare = 1.0 / 3

// choosing reports whether there is time to choose how one more benchmark is measured.
func (b *backfill) choosing() (affords slicing.Affords, ok bool) {
	spent := b.session.Now().Sub(b.began)
	return affords, b.opt.Budget == 0 || float64(spent) < choosingShare*float64(b.opt.Budget)
}

// visit measures what is to be measured at a position of the line.
func (b *backfill) visit(ctx context.Context, position int) error {
	began, waited := b.session.Now(), b.waited
	c := b.line.commits[position]
	costly := false
	for i, t := range b.targets {
		step := &b.steps[position][i]
		if step.State != NotReached {
			continue
		}
		err := b.measureAt(ctx, c, position, t, step)
		if err != nil {
			return err
		}
		costly = costly || step.State == Measured || step.State == Failed
		b.report(*step)
	}
	if costly {
		b.last = b.session.Now().Sub(began) - (b.waited - waited)
	}
	return nil
}

// nothing is the error of a range in which there is no point after all was tried.
func (b *backfill) nothing() error {
	first := ""
	for _, i := range slices.Backward(b.chosen) {
		for _, s := range b.steps[i] {
			if s.State != PassedOver && s.State != Failed {
				return nil
			}
			if first == "" {
				first = fmt.Sprintf("%s: %s", record.ShortHash(s.Commit.SHA), s.Detail)
			}
		}
	}
	return fault.Build(fmt.Errorf("none of the %d commits could be measured; the newest, %s", len(b.chosen), first))
}

func (b *backfill) result() Result {
	res := Result{Range: b.line.name, Line: len(b.line.commits), Anchor: b.anchor, Stopped: b.stopped}
	for _, i := range slices.Backward(b.chosen) {
		res.Steps = append(res.Steps, b.steps[i]...)
	}
	return res
}
