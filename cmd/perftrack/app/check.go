package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/store"
)

// CheckOptions says what `perftrack check` measures.
type CheckOptions struct {
	Targets   []string
	Base      string // "" is the merge base with the default branch
	Head      string // "" is the work tree
	Bench     string
	Suite     string
	Benchtime string
	Timeout   time.Duration
	Budget    time.Duration // of the whole check; 0 is no limit
}

// A CheckResult is the trial as a whole: what this check measured, and what
// earlier ones did that it continued.
type CheckResult struct {
	RunResult
	Comparison *compare.Comparison
	Continued  bool
	// Accepted are the changes that were accepted at a commit between base and
	// head: their regressions do not gate.
	Accepted compare.Accepted
}

// continuedRounds is how many further rounds a trial gets that is continued
// after its last look.
const continuedRounds = 20

// Check measures base and head side by side until each benchmark is decided or
// the budget is spent. A second check of the same commits continues the trial of
// the first. When ctx is cancelled, what was measured is stored, and returned
// beside the error.
func (a *App) Check(ctx context.Context, opt CheckOptions) (res CheckResult, err error) {
	where, err := a.place(ctx)
	if err != nil {
		return res, err
	}
	targets, err := a.targets(ctx, where, opt.Targets)
	if err != nil {
		return res, err
	}
	if opt.Base == "" {
		if opt.Base, err = where.defaultBase(ctx, opt.Head); err != nil {
			return res, err
		}
	}
	run := RunOptions{Rev: opt.Head, Against: opt.Base, Bench: opt.Bench, Suite: opt.Suite, Benchtime: opt.Benchtime, Timeout: opt.Timeout}
	if err := checkTargets(targets, run); err != nil {
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

	c := &check{App: a, place: where, opt: opt, families: len(targets), path: path, db: db}
	if opt.Budget > 0 {
		c.deadline = a.Now().Add(opt.Budget)
	}
	if err := c.findTrial(ctx); err != nil {
		return res, err
	}
	err = c.run(ctx, targets, run)
	res.Runs, res.Trial, res.Continued = c.stored, c.trial, c.continued
	res.Comparison = compare.Compare(c.side(store.Base), c.side(store.Head), c.options(false))
	for _, s := range c.same { // where nothing was measured at all, no run tells
		if !slices.Contains(res.Comparison.Same, s) {
			res.Comparison.Same = append(res.Comparison.Same, s)
		}
	}
	accepted, acceptErr := c.accepted(ctx)
	res.Accepted = accepted
	res.Accepted.Explain(res.Comparison)
	return res, errors.Join(err, acceptErr)
}

// accepted returns what was accepted at the commits between base and head.
func (c *check) accepted(ctx context.Context) (compare.Accepted, error) {
	ctx = context.WithoutCancel(ctx) // what there is is shown also after an interruption
	all, err := c.App.accepted(ctx, c.db, "")
	if err != nil || len(all) == 0 || c.repo == nil {
		return nil, err
	}
	base, err := c.repo.Resolve(ctx, c.opt.Base)
	if err != nil {
		return nil, &Error{Kind: "git", Err: err}
	}
	head, err := c.repo.Resolve(ctx, cmp.Or(c.opt.Head, "HEAD"))
	if err != nil {
		return nil, &Error{Kind: "git", Err: err}
	}
	commits, err := c.repo.Between(ctx, base.SHA, head.SHA)
	if err != nil {
		return nil, &Error{Kind: "git", Err: err}
	}
	return all.In(commits), nil
}

// A check is one trial on its way.
type check struct {
	*App
	place
	opt       CheckOptions
	db        *store.DB
	path      string // of the database
	families  int    // targets that share the error rate
	deadline  time.Time
	trial     string
	continued bool
	runs      []*store.Run // of the trial, earlier checks first
	stored    []StoredRun  // by this check
	rules     *config.Config
	same      []compare.SameCode // found by this check
}

// defaultBase returns the merge base of head with the default branch.
func (p place) defaultBase(ctx context.Context, head string) (string, error) {
	if p.repoErr != nil {
		return "", p.repoErr
	}
	if p.repo == nil {
		return "", &Error{Kind: "git", Err: fmt.Errorf("%s is not in a git repository: there is no base to check against", p.dir)}
	}
	branch, err := p.repo.DefaultBranch(ctx)
	if errors.Is(err, gitrepo.ErrNoDefaultBranch) {
		return "", usagef("%w: name the base with --base", err)
	}
	if err != nil {
		return "", &Error{Kind: "git", Err: err}
	}
	rev := head
	if rev == "" {
		rev = "HEAD"
	}
	base, err := p.repo.MergeBase(ctx, branch, rev)
	if err != nil {
		return "", &Error{Kind: "git", Err: err}
	}
	tip, err := p.repo.Resolve(ctx, rev)
	if err != nil {
		return "", &Error{Kind: "git", Err: err}
	}
	if tip.SHA == base.SHA {
		state, err := p.repo.WorkTree(ctx)
		if err != nil {
			return "", &Error{Kind: "git", Err: err}
		}
		if head != "" || !state.Dirty {
			return "", usagef("%s is in %s already: name another base, as in --base %s~1", rev, branch, rev)
		}
	}
	return base.SHA, nil
}

// findTrial looks for a trial of the same two commits to continue, else names a
// new one. A work tree that differs from its commit is never the same again.
func (c *check) findTrial(ctx context.Context) error {
	c.newTrial()
	base, head, err := c.commits(ctx)
	if err != nil || head == "" {
		return err
	}
	trials, err := c.db.Trials(ctx)
	if err != nil {
		return err
	}
	for _, t := range slices.Backward(trials) {
		if !isCheckOf(t, base, head) {
			continue
		}
		for _, info := range t.Runs {
			run, err := c.db.Get(ctx, info.ID)
			if err != nil {
				return err
			}
			c.runs = append(c.runs, run)
		}
		c.trial, c.continued = t.ID, true
		return nil
	}
	return nil
}

func (c *check) newTrial() {
	c.trial = fmt.Sprintf("%s-%06x", c.Now().UTC().Format("20060102T150405"), c.Rand.Uint32()&0xffffff)
	c.runs, c.continued = nil, false
}

// commits returns the hashes of both sides; head is "" for changed work trees.
func (c *check) commits(ctx context.Context) (base, head string, err error) {
	if c.repo == nil {
		return "", "", nil // checkout will say so
	}
	b, err := c.repo.Resolve(ctx, c.opt.Base)
	if err != nil {
		return "", "", &Error{Kind: "git", Err: err}
	}
	if c.opt.Head != "" {
		h, err := c.repo.Resolve(ctx, c.opt.Head)
		if err != nil {
			return "", "", &Error{Kind: "git", Err: err}
		}
		return b.SHA, h.SHA, nil
	}
	state, err := c.repo.WorkTree(ctx, c.path)
	if err != nil {
		return "", "", &Error{Kind: "git", Err: err}
	}
	if state.Dirty || state.Unborn {
		return b.SHA, "", nil
	}
	return b.SHA, state.Commit.SHA, nil
}

func isCheckOf(t store.Trial, base, head string) bool {
	sides := map[store.Side]bool{}
	for _, r := range t.Runs {
		want := map[store.Side]string{store.Base: base, store.Head: head}[r.Side]
		if r.Commit.SHA != want || r.Commit.Dirty || r.Facts.Get(compare.ProcedureKey) != compare.ProcedureCheck {
			return false
		}
		sides[r.Side] = true
	}
	return len(sides) == 2
}

// run measures one target after the other.
func (c *check) run(ctx context.Context, targets []config.Target, opt RunOptions) error {
	var unmatched error
	for _, t := range targets {
		if c.continued && !slices.ContainsFunc(c.rows(t.Name), func(r *compare.Row) bool { return r.Open }) && len(c.of(t.Name)) > 0 {
			c.notice("every benchmark of %s is decided already, by earlier checks of the same commits", t.Name)
			continue
		}
		m := &measuring{App: c.App, place: c.place, target: t, opt: opt, trial: c.trial, database: c.path}
		m.checking = &checking{check: c, m: m}
		stored, err := m.run(ctx, c.db)
		for _, s := range stored {
			c.runs = append(c.runs, s.Run)
		}
		c.stored = append(c.stored, stored...)
		if isNothing(err) && len(targets) > 1 {
			unmatched = err // a filter may be meant for another target
			continue
		}
		if err != nil {
			return err
		}
	}
	if len(c.runs) == 0 {
		return unmatched
	}
	return nil
}

func (c *check) side(side store.Side) compare.Side {
	var s compare.Side
	for _, r := range c.runs {
		if r.Side == side {
			s.Runs = append(s.Runs, r)
		}
	}
	return s
}

// of returns the trial's runs of a target.
func (c *check) of(target string) []*store.Run {
	return slices.DeleteFunc(slices.Clone(c.runs), func(r *store.Run) bool { return r.Target != target })
}

// rows returns what is decided of a target by the runs that are stored.
func (c *check) rows(target string) []*compare.Row {
	var b, h compare.Side
	for _, r := range c.of(target) {
		if r.Side == store.Base {
			b.Runs = append(b.Runs, r)
		} else {
			h.Runs = append(h.Runs, r)
		}
	}
	return slices.Collect(compare.Compare(b, h, c.options(false)).Rows())
}

// options are the error rate and the thresholds of the base side's
// configuration, so that a change cannot loosen its own gate; until the base is
// checked out, those here.
func (c *check) options(ongoing bool) compare.Options {
	rules := c.rules
	if rules == nil {
		rules = c.config
	}
	return compare.Options{Alpha: rules.Defaults.Alpha, Threshold: rules.Threshold, Families: c.families, Ongoing: ongoing}
}

// A checking decides after which rounds of one target's measurement which
// benchmarks need no more.
type checking struct {
	*check
	m          *measuring
	open       map[string]bool // slots, from the first look on
	roundBegan time.Time
	longest    time.Duration // of a round
	exhausted  bool          // the budget is
}

// loadRules takes the thresholds of the base side.
func (c *checking) loadRules() error {
	path := filepath.Join(c.m.sides[0].Dir, config.FileName)
	if !isFile(path) {
		c.rules = config.Default()
		if c.configPath != "" {
			c.notice("the base has no %s: its thresholds are the defaults", config.FileName)
		}
		return nil
	}
	rules, err := config.Load(path)
	if err != nil {
		return &Error{Kind: "config", Err: fmt.Errorf("of the base: %w", err)}
	}
	c.rules = rules
	return nil
}

// built joins the trial that is continued, if this is still its machine and
// toolchain; the code path in use is only known later.
func (c *checking) built(out runner.Outcome) (first, rounds int, err error) {
	if c.continued && !c.sameEnvironment(out) {
		c.notice("the machine or the toolchain is another one than in trial %s: a new trial begins", c.trial)
		if len(c.stored) > 0 {
			return 0, 0, errors.New("continue trial " + c.trial + ": the environment changed while measuring")
		}
		c.newTrial()
		c.m.trial = c.trial
		c.m.recorder = newRecorder(c.m)
	}
	last := 0
	for _, r := range c.of(c.m.target.Name) {
		for _, b := range r.Benchmarks {
			for _, round := range b.Rounds {
				last = max(last, round.N)
			}
		}
	}
	if last > 0 {
		c.decide(nil)
	}
	c.noteCoverage(out)
	return last + 1, max(compare.CheckPlan().Last()-last, cond(last > 0, continuedRounds, 0)), nil
}

// noteCoverage notes what needs no samples and what no samples can decide.
func (c *checking) noteCoverage(out runner.Outcome) {
	var same []compare.SameCode
	var rewritten []compare.Rewritten
	target := c.m.target.Name
	for _, s := range out.Same {
		i := slices.IndexFunc(same, func(x compare.SameCode) bool { return x.Package == s.Package })
		if i < 0 {
			i = len(same)
			same = append(same, compare.SameCode{Target: target, Package: s.Package})
		}
		same[i].Benchmarks++
	}
	for _, s := range out.Rewritten {
		rewritten = append(rewritten, compare.Rewritten{Target: target, Package: s.Package, Name: s.Bench})
	}
	for i := range c.m.recorder.headers {
		compare.SetCoverage(&c.m.recorder.headers[i], same, rewritten)
	}
	c.same = append(c.same, same...)
}

func cond[T any](c bool, yes, no T) T {
	if c {
		return yes
	}
	return no
}

func (c *checking) sameEnvironment(out runner.Outcome) bool {
	for _, r := range c.of(c.m.target.Name) {
		var env store.Settings
		for _, s := range out.Environments[cond(r.Side == store.Head, 1, 0)] {
			env = env.Set(s.Key, s.Value)
		}
		for _, key := range env.Differences(r.Env) {
			if key != "simd" {
				return false
			}
		}
	}
	return true
}

// wants says whether a slot needs a further round.
func (c *checking) wants(s runner.Slot) bool {
	if !c.deadline.IsZero() && c.Now().Add(c.longest).After(c.deadline) {
		c.exhausted = true
		return false
	}
	open, known := c.open[s.String()]
	return open || !known
}

// began notes when a round begins.
func (c *checking) began(p runner.Progress) {
	if p.Stage == "link" || c.roundBegan.IsZero() {
		c.roundBegan = c.Now()
	}
}

// finished decides what is due after a round.
func (c *checking) finished(round int) error {
	c.longest = max(c.longest, c.Now().Sub(c.roundBegan))
	if compare.CheckPlan().NextLook(round-1) != round {
		return nil
	}
	now, err := c.m.recorder.runs(false)
	if err != nil {
		return err
	}
	c.decide(now)
	return nil
}

// decide finds the slots of which something is open, with what is being
// measured.
func (c *checking) decide(now []*store.Run) {
	var b, h compare.Side
	for _, r := range append(c.of(c.m.target.Name), now...) {
		if r.Side == store.Base {
			b.Runs = append(b.Runs, r)
		} else {
			h.Runs = append(h.Runs, r)
		}
	}
	c.open = map[string]bool{}
	for r := range compare.Compare(b, h, c.options(now != nil)).Rows() {
		for _, key := range c.slotsOf(r) {
			c.open[key] = c.open[key] || r.Open
		}
	}
}

// slotsOf returns the names of the slots that a row may come from: a benchmark
// function, or the whole program.
func (c *checking) slotsOf(r *compare.Row) []string {
	function, _, _ := strings.Cut(r.Name, "/")
	return []string{
		runner.Slot{Package: r.Package, Bench: function}.String(),
		runner.Slot{Bench: function}.String(),
		runner.Slot{Package: c.m.target.Name}.String(),
	}
}

// settled reports whether there is nothing wrong in having measured nothing: the
// trial was decided before, or there is nothing to decide.
func (c *checking) settled() bool { return len(c.same) > 0 || len(c.of(c.m.target.Name)) > 0 }
