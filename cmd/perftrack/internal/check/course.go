package check

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
)

// A course decides, while one target is measured, after which rounds which of its
// benchmarks need no more.
type course struct {
	check      *check
	target     config.Target
	first      []*record.Run               // its first round, of what there is
	shown      runner.Progress             // its last progress
	shared     int                         // benchmarks that are measured by the same test files on both sides
	chosen     map[runner.Slot]slicing.Way // how earlier checks of the trial measured what they did
	remembered map[runner.Slot]runner.Remembered
	reach      map[runner.Slot]nearness // of benchmark functions
	plan       budgetPlan
	agenda     agenda
	laps       laps
	pace       pace
	short      bool // no look could have flagged anything yet
	end        end
}

// An end is that of the budget.
type end struct {
	asked bool // whether there is time for the round that begins
	came  bool // there is none
	left  int  // slots that got no further round because of that
}

// newCourse is the course of a target of which nothing is measured yet.
func newCourse(c *check, t config.Target) *course {
	return &course{
		check: c, target: t, short: true, chosen: map[runner.Slot]slicing.Way{}, remembered: map[runner.Slot]runner.Remembered{},
	}
}

// run measures the target until all of it is decided. Pass lets the others have their turns.
func (c *course) run(ctx context.Context, sources measure.Sources, pass func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	k := c.check
	if err := k.noise.Learn(k.of(c.target.Name)); err != nil {
		return err
	}
	if decided, err := c.decidedAlready(ctx); err != nil || decided {
		return err
	}
	plan, err := c.runnerPlan(ctx)
	if err != nil {
		return err
	}
	same := ""
	stored, err := measure.Spec{
		Session: k.session, Where: k.where, DB: k.db, Database: k.database, Target: c.target, Sources: sources, Trial: k.trial,
		Plan: plan, Facts: c.note, Progress: c.progress, Empty: c.settled, StoreFailure: true,
	}.Drive(ctx, func(m *measure.Measurement) error {
		err := c.measure(ctx, m, pass)
		same = c.ended(m)
		return err
	})
	k.runs = append(k.runs, measure.Runs(stored)...)
	k.stored = append(k.stored, stored...)
	if err == nil && same != "" {
		k.session.Noticef("%s: %s: nothing to measure", c.target.Name, same)
	}
	return err
}

// runnerPlan says how the target is measured.
func (c *course) runnerPlan(ctx context.Context) (plan runner.Plan, err error) {
	k := c.check
	plan = k.opt.Flags.Plan(c.target, 0, runner.CheckBenchtime)
	plan.Rounds = stat.CheckPlan().Last() // not the configuration's
	if plan.Part, err = k.part(ctx, c.target, plan.Benchtime); err != nil {
		return plan, err
	}
	plan.Identify, plan.Share, plan.OneSided, plan.Least, plan.Chosen, plan.Remembered = true, true, true, k.least, c.chosen, c.remembered
	plan.Reach, plan.Paths = !k.opt.All, !k.opt.All
	return plan, nil
}

// note notes on a run of which procedure it is, and of how much of the target.
func (c *course) note(r *record.Run) {
	r.Facts = r.Facts.Set(record.KeyProcedure, compare.ProcedureCheck)
	compare.SetShare(r, c.check.share)
	compare.SetSelection(r, c.selection())
	if p := c.check.opt.Part; p.Of > 0 {
		compare.SetPart(r, p)
	}
}

// measure goes through the rounds. The others have their turns after the build, before the warm-up and after
// each round.
func (c *course) measure(ctx context.Context, m *measure.Measurement, pass func() error) error {
	if err := pass(); err != nil { // the others build
		return err
	}
	if err := c.check.takeTurn(ctx); err != nil {
		return err
	}
	first, rounds, err := c.built(ctx, m)
	if err != nil {
		return err
	}
	m.Number(first, rounds)
	if err := pass(); err != nil {
		return err
	}
	warm, err := m.WarmUp(ctx, c.agenda.warms, c.warming)
	if err != nil {
		return err
	}
	c.warmed(warm)
	needed := func(round int) int { return stat.CheckPlan().NextLook(round - 1) }
	for r, err := range m.Rounds(ctx, runner.Schedule{Open: c.wants, Needed: needed, Choosing: c.choosing}) {
		if len(r.Samples) > 0 {
			e := c.measured(m, r)
			if e == nil {
				e = pass()
			}
			err = errors.Join(err, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// measured notes what a round brought, and decides what is due after it.
func (c *course) measured(m *measure.Measurement, r runner.Round) error {
	if out := m.Outcome(); len(out.Shared) != c.shared { // the warm-up took one back
		c.noteCoverage(m.Recording, out)
	}
	if err := c.noteFirst(m.Recording); err != nil || !r.Complete {
		return err
	}
	return c.finished(m.Recording, r.N)
}

// progress notes when rounds begin, and shows where all targets are.
func (c *course) progress(p runner.Progress) {
	if c.pace.progress(p, c.check.session.Now(), c.check.began) {
		c.end.asked = false
	}
	if c.check.session.Progress != nil {
		p.Slots -= len(c.plan.left) // they are not decided
		c.shown = p
		c.check.session.Progress(c.check.overall(p))
	}
}

// built joins the trial that is continued, if this is still its machine and
// toolchain; the code path in use is only known later.
func (c *course) built(ctx context.Context, m *measure.Measurement) (first, rounds int, err error) {
	rec, out := m.Recording, m.Outcome()
	if c.check.continued && !c.sameEnvironment(out) {
		c.check.session.Noticef(newEnvironment, c.check.trial)
		if c.check.joined {
			return 0, 0, errors.New("continue trial " + c.check.trial + ": the environment changed while measuring")
		}
		c.check.beginTrial()
		c.check.settle()
	}
	c.check.joined = c.check.joined || c.check.continued
	rec.Join(c.check.trial) // another one, if this target or one before began it
	last := 0
	for _, r := range c.check.of(c.target.Name) {
		last = max(last, r.LastRound())
		maps.Copy(c.chosen, runner.ChosenWays(record.Ways(r)))
	}
	if err := c.remember(ctx, out.Environments[measure.SideIndex(record.Head)]); err != nil {
		return 0, 0, err
	}
	if last > 0 {
		sofar := c.decide(nil)
		if !c.measuredAll(compare.SelectionCovers) {
			c.agenda.open = nil // a slot may hold more than was selected before
		}
		c.agenda.looked = c.agenda.open != nil && last >= stat.CheckPlan().NextLook(0) && len(sofar.Starved) == 0 // by a plan: it asked for no more of the names
	}
	c.near(out)
	c.notePart(rec, out)
	c.noteCoverage(rec, out) // with that
	c.check.noteTerms(c.target.Name, rec)
	c.noteFamily(rec)
	rounds = stat.CheckPlan().Last() - last
	if last > 0 {
		rounds = max(rounds, continuedRounds)
	}
	return last + 1, rounds, nil
}

// noteFamily notes with which targets this one came into the trial.
func (c *course) noteFamily(rec *measure.Recording) {
	noted, measured := compare.FamilyOf(c.check.of(c.target.Name))
	joining := c.check.joining()
	rec.Note(func(r *record.Run) {
		if measured {
			compare.CopyFamily(r, noted)
		} else {
			compare.SetFamily(r, c.check.terms.Families, joining)
		}
	})
}

// noteFirst keeps what is measured until there is a pair of samples, for the other targets:
// by the hypotheses of the first round they divide the error rate.
func (c *course) noteFirst(rec *measure.Recording) error {
	if _, have := compare.FamilyOf(c.first); have {
		return nil
	}
	runs, err := rec.Runs()
	c.first = runs
	return err
}

// noteCoverage notes what needs no samples and what no samples can decide.
func (c *course) noteCoverage(rec *measure.Recording, out runner.Outcome) {
	c.shared = len(out.Shared)
	var same []compare.SameCode
	for _, p := range byPackage(out.Same) {
		same = append(same, compare.SameCode{Target: c.target.Name, Package: p.Package, Benchmarks: p.Benchmarks})
	}
	var unreached []compare.Unreached
	for _, p := range byPackage(out.Unreached) {
		unreached = append(unreached, compare.Unreached{Target: c.target.Name, Package: p.Package, Benchmarks: p.Benchmarks})
	}
	known := true
	rec.Note(func(h *record.Run) {
		compare.SetCoverage(h, same, byPackage(out.Lacking[measure.SideIndex(h.Side)]))
		compare.SetUnreached(h, unreached)
		known = known && slices.ContainsFunc(c.check.of(c.target.Name), func(r *record.Run) bool {
			return r.Side == h.Side && compare.SameCoverage(r, h)
		})
	})
	rec.SetKnown(known)
}

// byPackage counts slots, the packages in order of their first.
func byPackage(slots []runner.Slot) (counts []compare.Lacking) {
	for _, s := range slots {
		i := slices.IndexFunc(counts, func(c compare.Lacking) bool { return c.Package == s.Package })
		if i < 0 {
			i = len(counts)
			counts = append(counts, compare.Lacking{Package: s.Package})
		}
		counts[i].Benchmarks++
	}
	return counts
}

func (c *course) sameEnvironment(out runner.Outcome) bool {
	for _, r := range c.check.of(c.target.Name) {
		if !comparison.SameEnvironment(out.Environments[measure.SideIndex(r.Side)], r.Env) {
			return false
		}
	}
	return true
}

// wants says whether a slot needs a further round. There is time for all of a round or
// for none: a part of one would be of no use to the others.
func (c *course) wants(s runner.Slot) bool {
	if !c.agenda.wants(s) {
		return false
	}
	if !c.end.asked {
		c.end.asked, c.end.came = true, !c.time()
	}
	if c.end.came {
		c.end.left++
	}
	return !c.end.came
}

// finished decides what is due after a round.
func (c *course) finished(rec *measure.Recording, round int) error {
	took := c.pace.ended(c.check.session.Now())
	c.correct(took)
	if stat.CheckPlan().NextLook(round-1) != round {
		return nil
	}
	now, err := rec.Runs()
	if err != nil {
		return err
	}
	if err := c.check.noise.Learn(now); err != nil {
		return err
	}
	c.check.noteTerms(c.target.Name, rec)
	sofar := c.decide(now)
	c.agenda.looked = true
	c.tell(sofar, round, took)
	c.resume(round)
	return nil
}

// over notes that the target gets no further round.
func (c *course) over() {
	c.short = false
	c.shown.Total, c.shown.Open = c.shown.Done, 0
}

// ended notes how fast the target was, or that the budget brought no round of it, and returns why nothing was
// measured, "" if something was, or might have been.
func (c *course) ended(m *measure.Measurement) (same string) {
	rec, out := m.Recording, m.Outcome()
	c.check.inProcesses += out.InProcesses
	nothing := !rec.Any() && !c.end.came && (out.Division == nil || out.Division.All == 0)
	if nothing && len(out.Unreached) > 0 {
		same = "no benchmark reaches changed code"
	} else if nothing && len(out.Same) > 0 {
		same = "the same machine code on both sides"
	}
	if len(c.agenda.seldom) > 0 {
		c.check.session.Noticef("%s: too seldom to be compared were benchmarks whose names differ from process to process, in the warm-up %s: give them fixed names",
			c.target.Name, fault.SomeOf(c.agenda.seldom, ", "))
	}
	if longest := c.pace.longest(); longest > 0 {
		rec.Note(func(r *record.Run) { compare.SetPace(r, c.pace.setup, longest) })
	}
	starved := compare.Starved{Benchmarks: len(c.plan.left), Rounds: c.firstLook(len(c.plan.left) + len(c.plan.measured)), Setup: c.pace.setup, Round: cost(c.plan.left, 1, 0)}
	if c.end.came && !rec.Any() {
		all := c.end.left + len(c.plan.left)
		starved = compare.Starved{Benchmarks: all, Rounds: c.firstLook(all), Setup: c.check.session.Now().Sub(c.check.began), Round: c.pace.warm}
	}
	if starved.Benchmarks > 0 {
		rec.Note(func(r *record.Run) { compare.SetStarved(r, starved) })
	}
	return same
}

// decide finds the slots of which something is open, with what is being
// measured.
func (c *course) decide(now []*record.Run) *compare.Comparison {
	sofar := c.check.judge(append(c.check.of(c.target.Name), now...), now != nil)
	if sofar.NotChecked().Benchmarks == 0 {
		c.short = false
	}
	c.agenda.look(sofar, c.target)
	return sofar
}

// settled reports whether there is nothing wrong in having measured nothing: there was no
// time, the trial was decided before, there is nothing to decide, or others do it.
func (c *course) settled(out runner.Outcome) bool {
	return c.end.came || len(out.Failures) == 0 &&
		(len(out.Same)+len(out.Unreached)+len(out.Unbuilt) > 0 || out.Division.Empty() || len(c.check.of(c.target.Name)) > 0)
}
