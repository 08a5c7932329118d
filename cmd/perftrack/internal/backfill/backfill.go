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
	"github.com/perftrack/perftrack/cmd/perftrack/internal/remote"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
	"github.com/perftrack/perftrack/store"
)

// Options select the commits and benchmarks to measure.
type Options struct {
	Range   string // a range A..B
	Targets []string
	Choice  Choice
	Anchor  string        // revision to measure together with each commit, see compare.ProcedureAnchor; "" means A
	Budget  time.Duration // time limit: a commit that would exceed it is not begun; 0 means no limit
	Workers remote.Workers
	Flags   measure.Flags
}

// A State is the outcome for a target at a commit.
type State string

// The possible outcomes.
const (
	Measured    State = "measured"
	CarriedOver State = "carried over"     // it has the same machine code as a measured commit
	Already     State = "measured already" // by an earlier call
	Failed      State = "failed"           // some of its benchmarks failed, in this call or an earlier one
	PassedOver  State = "passed over"      // it does not build or lacks the benchmark
	NotReached  State = "not reached"
)

// A Step is the outcome for one target at one commit.
type Step struct {
	Commit gitrepo.Commit
	Target string
	State  State
	Detail string        // the reason, or the commit whose run was carried over
	Took   time.Duration // 0 if nothing was measured
}

// A Result is the result of [Run], including the measurements of earlier calls.
type Result struct {
	Range   string
	Line    int            // number of commits in the range
	Anchor  gitrepo.Commit // measured together with each commit
	Steps   []Step         // for the chosen commits, the newest first
	Stopped bool           // whether the call ended because the budget was used up
}

// Count returns the number of steps with the given state.
func (r *Result) Count(s State) (n int) {
	for _, step := range r.Steps {
		if step.State == s {
			n++
		}
	}
	return n
}

// Run measures the chosen commits in a range, except those measured already. It stores the results
// after each commit, so another call can continue. If an error occurs, including ctx's error, Run
// also returns the steps so far.
func Run(ctx context.Context, a *workspace.Session, opt Options) (res Result, err error) {
	where, targets, err := a.LocateTargets(ctx, opt.Flags.CPUs, opt.Flags.Procs, opt.Targets)
	if err != nil {
		return res, err
	}
	if err := where.NeedRepo("there are no commits to measure"); err != nil {
		return res, err
	}
	b := &backfill{session: a, where: where, opt: opt, targets: targets, ways: map[string]map[program.Slot]slicing.Method{}, known: map[string]*known{}}
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
	b.announce()
	switch {
	case b.planned == 0:
		err = b.nothing()
	case opt.Workers.Class != "":
		err = b.runOnWorkers(ctx)
	default:
		err = b.run(ctx)
	}
	return b.result(), err
}

// needModule returns an error if the range begins before the repository had a module, because then
// the first commit cannot be built as the anchor.
func (b *backfill) needModule(ctx context.Context) error {
	commits := b.line.commits
	first, err := b.where.FirstModule(ctx, b.targets, commits)
	switch {
	case err != nil || first == 0:
		return err
	case first == len(commits):
		return fault.Usagef("nothing can be measured: no commit in %s has this module's go.mod", b.line.name)
	}
	from, to := record.ShortHash(commits[first].SHA), b.line.name[strings.Index(b.line.name, "..")+2:]
	return fault.Usagef("%s cannot be the anchor, because in %s the first %s no go.mod; to measure the other %d: perftrack backfill %s..%s",
		b.line.first, b.line.name, countHave(first), len(commits)-first, from, to)
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
	database string // path of the database
	line     line
	anchor   gitrepo.Commit
	keep     string                                     // folder for the anchor's binaries during the call
	known    map[string]*known                          // known results by target
	ways     map[string]map[program.Slot]slicing.Method // sampling methods by target, chosen at the target's first commit and used at all others
	chosen   []int                                      // positions of the chosen commits on the line, ascending
	due      *order                                     // commits still to measure
	steps    map[int][]Step                             // outcomes by position
	stopped  bool                                       // whether the budget is used up

	began   time.Time
	visits  int           // number of commits begun
	planned int           // number of commits to measure
	waited  time.Duration // time spent waiting for other measurements
	last    time.Duration // time taken by the last measured commit
}

// choose reads the known results and chooses the commits.
func (b *backfill) choose(ctx context.Context) error {
	for _, t := range b.targets {
		on := machine{class: b.opt.Workers.Class}
		if on.class == "" {
			var err error
			if on.env, err = program.Environment(ctx, t, b.where.ModuleDir(), b.where.CPUs); err != nil {
				return fault.Build(err)
			}
		}
		k, err := readKnown(ctx, b.db, t.Name, b.anchor.SHA, *b.opt.Flags.Selection(t), on)
		if err != nil {
			return fault.Data(err)
		}
		b.known[t.Name] = &k
	}
	var have []int // positions of commits at which nothing is left to measure
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

// isDone reports whether nothing is left to measure at a commit, because each target was measured
// or failed there.
func (b *backfill) isDone(c gitrepo.Commit) bool {
	return !slices.ContainsFunc(b.targets, func(t config.Target) bool { return b.before(c, t).State == NotReached })
}

// before returns the outcome already known for a target at a commit before this call measures it,
// or NotReached.
func (b *backfill) before(c gitrepo.Commit, t config.Target) Step {
	s, k := Step{Commit: c, Target: t.Name, State: NotReached}, b.known[t.Name]
	if k.measured[c.SHA] {
		s.State = Already
	} else if why, failed := k.failed[c.SHA]; failed {
		s.State, s.Detail = Failed, "before: "+why
	}
	return s
}

// run measures one commit after another.
func (b *backfill) run(ctx context.Context) (err error) {
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

// hasTime reports whether the budget leaves time for another commit, assuming that it takes as long
// as the last one. The first commit is always allowed, because its duration cannot be estimated.
func (b *backfill) hasTime() bool {
	return b.opt.Budget == 0 || b.visits == 0 || b.session.Now().Add(b.last).Sub(b.began) <= b.opt.Budget
}

// turn extends the budget by the time spent waiting for another measurement. It returns the end of
// the budget.
func (b *backfill) turn(waited time.Duration) (ends time.Time) {
	b.waited += waited
	b.began = b.began.Add(waited)
	if b.opt.Budget > 0 {
		ends = b.began.Add(b.opt.Budget)
	}
	return ends
}

// choosingShare is the share of the budget available for choosing how to measure benchmarks, as in
// a check. All later commits reuse the choice.
const choosingShare = 1.0 / 3

// choosing reports whether there is time to choose how to measure one more benchmark.
func (b *backfill) choosing() (affords slicing.Affords, ok bool) {
	spent := b.session.Now().Sub(b.began)
	return affords, b.opt.Budget == 0 || float64(spent) < choosingShare*float64(b.opt.Budget)
}

// visit measures the targets at the commit with the given position on the line.
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
		b.report(*step, b.visits)
	}
	if costly {
		b.last = b.session.Now().Sub(began) - (b.waited - waited)
	}
	return nil
}

// nothing returns an error if none of the chosen commits could be measured.
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
	return fault.Build(fmt.Errorf("no benchmark could be measured at %d commits; the newest, %s", len(b.chosen), first))
}

func (b *backfill) result() Result {
	res := Result{Range: b.line.name, Line: len(b.line.commits), Anchor: b.anchor, Stopped: b.stopped}
	for _, i := range slices.Backward(b.chosen) {
		res.Steps = append(res.Steps, b.steps[i]...)
	}
	return res
}
