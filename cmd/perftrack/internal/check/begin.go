package check

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/record"
)

// continuedRounds is the smallest number of further rounds for a continued trial, even after its
// last look.
const continuedRounds = 20

// built joins the target's runs to the trial. If the machine or the toolchain is not the same as in
// the trial to continue, it begins a new trial. It returns the number of the first round and the
// largest number of rounds. The program's code path is only known later.
func (c *targetCheck) built(ctx context.Context, m *measure.Measurement) (first, rounds int, err error) {
	rec, out := m.Recording, m.Outcome()
	if c.check.trial.continued && !c.sameEnvironment(out) {
		c.check.session.Noticef(newEnvironment, c.check.trial.id)
		if c.check.trial.joined {
			return 0, 0, errors.New("continue trial " + c.check.trial.id + ": the environment changed during the measurement")
		}
		c.check.beginTrial()
		c.check.settle()
	}
	c.check.trial.joined = c.check.trial.joined || c.check.trial.continued
	rec.Join(c.check.trial.id) // the id of a new trial, if this target or an earlier one began it
	last := c.lastRound()
	for _, r := range c.before() {
		maps.Copy(c.chosen, runner.ChosenMethods(r.Protocol.Methods))
	}
	if err := c.remember(ctx, out.Environments[measure.SideIndex(record.Head)]); err != nil {
		return 0, 0, err
	}
	if last > 0 {
		sofar := c.decide(nil)
		if !c.measuredAll((*record.Protocol).Covers) {
			c.agenda.open = nil // a slot may contain more benchmarks than were selected before
		}
		c.agenda.looked = c.agenda.open != nil && last >= stat.CheckPlan().NextLook(0) && len(sofar.Starved) == 0 // if benchmarks are starved, a plan had selected fewer names
	}
	c.near(out)
	c.notePart(rec, out)
	c.noteCoverage(rec, out) // after the part, because coverage includes it
	c.check.noteTerms(c.target.Name, rec)
	c.noteFamily(rec)
	if p := c.check.opt.RoundsPart; p.Of > 0 {
		first, rounds = roundsOf(p)
		return first, rounds, nil
	}
	rounds = stat.CheckPlan().Last() - last
	if last > 0 {
		rounds = max(rounds, continuedRounds)
	}
	return last + 1, rounds, nil
}

// noteFamily records the targets joining the trial together with this one.
func (c *targetCheck) noteFamily(rec *measure.Recording) {
	family := c.family()
	rec.Note(func(r *record.Run) { r.Protocol.Family = family })
}

// family returns the targets joining the trial together with this one.
func (c *targetCheck) family() *record.Family {
	if family, measured := pairs.FamilyOf(c.before()); measured {
		return family
	}
	return &record.Family{Of: c.check.terms.Families, Targets: slices.Sorted(slices.Values(c.check.trial.joining(c.check.targets)))}
}

// noteFirst keeps the target's first pair of samples for judging the other targets, because the
// error rate is divided among the hypotheses in the first round.
func (c *targetCheck) noteFirst(rec *measure.Recording) error {
	if _, have := pairs.FamilyOf(c.first); have {
		return nil
	}
	runs, err := rec.Runs()
	c.first = runs
	return err
}

// noteCoverage records the benchmarks left out and those of only one side.
func (c *targetCheck) noteCoverage(rec *measure.Recording, out runner.Outcome) {
	c.shared = len(out.Shared)
	rec.NoteCoverage(out)
	known := true
	rec.Note(func(h *record.Run) {
		known = known && slices.ContainsFunc(c.before(), func(r *record.Run) bool {
			return r.Side == h.Side && compare.SameCoverage(r, h)
		})
	})
	rec.SetKnown(known)
}

func (c *targetCheck) sameEnvironment(out runner.Outcome) bool {
	for _, r := range c.before() {
		if !comparison.SameEnvironment(out.Environments[measure.SideIndex(r.Side)], r.Env) {
			return false
		}
	}
	return true
}

// note records the procedure, the selection, the share of alpha and the part of the target.
func (c *targetCheck) note(r *record.Run) {
	selection := c.selection()
	r.Protocol.Procedure, r.Protocol.Selection = pairs.ProcedureCheck, &selection
	if share := c.check.trial.share; share < 1 {
		r.Protocol.AlphaShare = share
	}
	if p := c.check.opt.Part; p.Of > 0 {
		r.Protocol.Part = &p
	}
	if p := c.check.opt.RoundsPart; p.Of > 0 {
		r.Protocol.Spread = &record.Spread{Machine: machineOf(p), Machines: p.Of}
	}
}
