package check

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Options says what `perftrack check` measures.
type Options struct {
	Targets []string
	Base    string        // "" is the merge base with the default branch
	Head    string        // "" is the work tree
	Budget  time.Duration // of the whole check; 0 is no limit
	All     bool          // measure also what reaches no changed code
	// NewTrial leaves the trial of earlier checks as it is and begins another, with what is left of
	// the error rate.
	NewTrial bool
	// IfNeeded is the tip of the base's branch: nothing is measured where neither its configuration
	// nor the base's asks for it. "" measures whatever they say.
	IfNeeded string
	// Part is which part of the benchmarks is measured; the zero value is all of them.
	Part  compare.Part
	Flags measure.Flags // without Rounds, which the look decides
}

// A Result is the trial as a whole: what this check measured, and what
// earlier ones did that it continued.
type Result struct {
	Runs       []measure.StoredRun // by this check
	Trial      string
	Comparison *compare.Comparison
	Continued  bool
	Spared     bool // the base's configuration does not ask for this check: there is no comparison
	// Took is the time of this check, and InProcesses what of it was spent in
	// benchmark processes.
	Took, InProcesses time.Duration
	// Accepted are the changes that were accepted at a commit between base and
	// head: their regressions do not gate.
	Accepted compare.Accepted
}

// continuedRounds is how many further rounds a trial gets that is continued
// after its last look.
const continuedRounds = 20

// Run measures base and head side by side until each benchmark is decided or
// the budget is spent. A second check of the same commits continues the trial of
// the first. When ctx is cancelled, what was measured is stored, and returned
// beside the error.
func Run(ctx context.Context, a *workspace.Session, opt Options) (res Result, err error) {
	here, _ := a.LocateUnconfigured(ctx)
	if err := needBase(here); err != nil {
		return res, err
	}
	where, targets, err := a.LocateTargets(ctx, opt.Flags.CPUs, opt.Flags.Procs, opt.Targets)
	if err != nil {
		return res, err
	}
	if opt.Base == "" {
		if opt.Base, err = defaultBase(ctx, where, opt.Head); err != nil {
			return res, err
		}
	}
	sources := measure.Sources{Rev: opt.Head, Beside: opt.Base}
	if err := sources.CheckTargets(targets); err != nil {
		return res, err
	}
	if err := errors.Join(needModule(ctx, where, targets, opt), opt.Flags.CheckBench(ctx, where, targets, opt.Base, opt.Head)); err != nil {
		return res, err
	}
	began := a.Now()
	db, database, err := a.OpenForWriting(ctx)
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()

	c := &check{
		session: a, where: where, opt: opt, database: database, db: db, began: began,
		release: func() {},
	}
	if opt.Budget > 0 {
		c.deadline = began.Add(opt.Budget)
	}
	defer func() { c.release() }()
	if c.rules, err = c.rulesOf(ctx, opt.Base); err != nil {
		return res, err
	}
	if needed, err := c.needed(ctx); err != nil || !needed {
		res.Spared = err == nil
		return res, err
	}
	// All that there are share alpha, checked now or not: who checks them one by one must not
	// spend it once for each.
	c.families = max(len(targets), a.CountTargets(ctx, where), len(c.rules.Targets))
	c.where, targets = c.where.Obey(c.rules, targets, a.Noticef)
	if c.where.Config.Defaults.Isolate {
		if err := proc.Boxable(ctx); err != nil {
			return res, fault.IO(err)
		}
	}
	kept := c.baseLayouts(targets)
	c.noteLayouts(targets, kept)
	targets = kept
	c.targets = targets
	c.noise = comparison.NewNoises(context.WithoutCancel(ctx), db)
	if err := c.chooseTrial(ctx); err != nil {
		return res, err
	}
	before, err := c.readTree(ctx)
	if err != nil {
		return res, err
	}
	err = errors.Join(c.run(ctx, targets, sources), c.noteEdits(ctx, before, targets))
	res.Runs, res.Trial, res.Continued = c.stored, c.trial, c.continued
	res.Comparison = c.judge(c.runs, false)
	accepted, acceptErr := c.accepted(ctx)
	res.Accepted = accepted
	res.Accepted.Explain(res.Comparison)
	res.Took, res.InProcesses = a.Now().Sub(c.began), c.inProcesses
	return res, errors.Join(err, acceptErr)
}

// accepted returns what was accepted at the commits between base and head.
func (c *check) accepted(ctx context.Context) (compare.Accepted, error) {
	ctx = context.WithoutCancel(ctx) // what there is is shown also after an interruption
	return comparison.AcceptancesBetween(ctx, c.session, c.db, c.where, c.opt.Base, cmp.Or(c.opt.Head, "HEAD"))
}

// A check is one trial on its way.
type check struct {
	session   *workspace.Session
	where     workspace.Place
	opt       Options
	db        *store.DB
	database  string // path
	targets   []config.Target
	courses   []*course // of the targets, in their order
	families  int       // targets that share the error rate
	deadline  time.Time
	trial     string
	share     float64  // of alpha, that the trial has
	others    int      // measurements of the same commits before this one
	newcomers []string // targets that the trial has no pair of yet; nil until it is asked
	continued bool
	runs      []*record.Run       // of the trial, earlier checks first
	stored    []measure.StoredRun // by this check
	rules     *config.Config      // of the base
	terms     comparison.Terms    // without the known noise
	noise     *comparison.Noises
	foretold  bool      // it was said, or found needless, that the budget is too small
	joined    bool      // a target goes on with the trial that was found
	began     time.Time // without the wait for other measurements
	release   func()    // the turn to measure
	turned    bool      // it has the turn

	inProcesses time.Duration
}

// selection is what of the target is measured, in the words of the command line.
func (c *course) selection() string { return c.check.opt.Flags.Selection(c.target) }

// decidedAlready reports, and says, that earlier checks in this environment left
// nothing open of what is selected of the target. In another environment [course.built]
// begins a new trial.
func (c *course) decidedAlready(ctx context.Context) (bool, error) {
	k := c.check
	before := k.of(c.target.Name)
	sofar := k.judge(before, false)
	rows := slices.Collect(sofar.Rows())
	if len(rows) == 0 || k.opt.All && len(sofar.Unreached) > 0 || len(sofar.Failures)+len(sofar.Starved) > 0 || !c.measuredAll(compare.SelectionIs) || slices.ContainsFunc(rows, func(r *compare.Row) bool { return r.Open }) {
		return false, nil
	}
	env, err := runner.Environment(ctx, c.target, k.where.ModuleDir(), k.where.CPUs)
	if err != nil {
		return false, err
	}
	for _, r := range before {
		if r.Side == record.Head && !comparison.SameEnvironment(env, r.Env) {
			return false, nil
		}
	}
	k.session.Noticef("every benchmark of %s is decided already, by earlier checks of the same commits", c.target.Name)
	return true, nil
}

// measuredAll reports whether an earlier check of the trial came to its end with what is selected
// of the target, at each GOMAXPROCS of the list: a narrower one has nothing to say of the rest.
func (c *course) measuredAll(with func(*record.Run, string) bool) bool {
	return slices.ContainsFunc(c.check.of(c.target.Name), func(r *record.Run) bool {
		return r.Side == record.Head && r.Status != record.Partial && with(r, c.selection()) && covers(r, c.target.Procs)
	})
}

// covers reports whether a run was to measure each benchmark at each of them.
func covers(r *record.Run, procs config.Procs) bool {
	if len(procs) == 0 {
		return true
	}
	had, err := config.ParseProcs(r.Facts.Get(record.KeyProcs))
	return err == nil && !slices.ContainsFunc(procs, func(n int) bool { return !slices.Contains(had, n) })
}

// of returns the trial's runs of a target.
func (c *check) of(target string) []*record.Run {
	return slices.DeleteFunc(slices.Clone(c.runs), func(r *record.Run) bool { return r.Target != target })
}

// settle settles the terms: those of the trial that is continued, or else those of the base
// commit. The noise of a target that is not in it is learnt when it is measured.
func (c *check) settle() {
	c.terms = comparison.NewTerms(c.rules, c.families)
	c.noise.Known = map[string]map[comparison.SeriesKey]comparison.Noise{}
	for _, r := range c.runs {
		if t, ok := comparison.ReadTerms(r); ok {
			c.noise.Adopt(r, t)
			t.Families = max(t.Families, c.terms.Families)
			c.terms = t
		}
	}
}

// noteTerms notes on the runs to be stored of a target by what they are judged.
func (c *check) noteTerms(target string, rec *measure.Recording) {
	t, ok := c.terms.WithNoise(c.noise.Known[target])
	if !ok {
		c.session.Noticef("there are too many rules in %s to be stored with the trial: compare and comment judge it by those of the work tree", config.FileName)
		c.noise.Uncap(target)
		return
	}
	if c.noise.Known[target] != nil {
		c.noise.Known[target] = t.NoiseByKey()
	}
	rec.Note(t.Record)
}

// judge is what runs of the trial decide by what the command line says, else by the terms
// of the trial. Ongoing says that more rounds may come.
func (c *check) judge(runs []*record.Run, ongoing bool) *compare.Comparison {
	opt := c.terms.Options()
	opt.Noise, opt.Capped, opt.Ongoing, opt.OnePart = c.noise.Floor, c.noise.Capped, ongoing, c.opt.Part.Of > 0
	opt.Peers = slices.Clone(c.runs)
	for _, course := range c.courses {
		if _, stored := compare.FamilyOf(c.of(course.target.Name)); !stored {
			opt.Peers = append(opt.Peers, course.first...)
		}
	}
	base, head := comparison.SplitSides(runs)
	byTerms := compare.Compare(base, head, opt)
	if c.session.Threshold == 0 && c.session.Alpha == 0 {
		return byTerms
	}
	// What the terms leave open stays open: looser flags must not end a trial, by which
	// others judge the head, before these are satisfied.
	type key struct {
		record.BenchmarkID
		target, unit string
	}
	open := map[key]bool{}
	for r := range byTerms.Rows() {
		k := key{r.BenchmarkID, r.Target, r.OrigUnit}
		open[k] = open[k] || r.Open // several rows, where what the program says of itself changed
	}
	judged := compare.Compare(base, head, comparison.Overrule(c.session, opt))
	for r := range judged.Rows() {
		r.Open = r.Open || open[key{r.BenchmarkID, r.Target, r.OrigUnit}]
	}
	return judged
}

// rulesOf reads the configuration of a commit. By that of the base this check decides
// whatever the head has, so that a change cannot loosen its own gate.
func (c *check) rulesOf(ctx context.Context, rev string) (*config.Config, error) {
	if c.where.Repo == nil {
		return c.where.Config, nil // checkout will say so
	}
	rules, found, err := c.where.RulesAt(ctx, rev)
	if err != nil {
		return nil, err
	}
	if !found && c.where.ConfigPath != "" && rev == c.opt.Base {
		c.session.Noticef("the base has no %s: its thresholds are the defaults", config.FileName)
	}
	return rules, nil
}
