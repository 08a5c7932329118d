package check

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/record"
)

// built joins the trial that is continued, if this is still its machine and
// toolchain; the code path in use is only known later.
func (c *course) built(ctx context.Context, m *measure.Measurement) (first, rounds int, err error) {
	rec, out := m.Recording, m.Outcome()
	if c.check.trial.continued && !c.sameEnvironment(out) {
		c.check.session.Noticef(newEnvironment, c.check.trial.id)
		if c.check.trial.joined {
			return 0, 0, errors.New("continue trial " + c.check.trial.id + ": the environment changed while measuring")
		}
		c.check.beginTrial()
		c.check.settle()
	}
	c.check.trial.joined = c.check.trial.joined || c.check.trial.continued
	rec.Join(c.check.trial.id) // another one, if this target or one before began it
	last := 0
	for _, r := range c.before() {
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
	noted, measured := compare.FamilyOf(c.before())
	joining := c.check.trial.joining(c.check.targets)
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
		known = known && slices.ContainsFunc(c.before(), func(r *record.Run) bool {
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
	for _, r := range c.before() {
		if !comparison.SameEnvironment(out.Environments[measure.SideIndex(r.Side)], r.Env) {
			return false
		}
	}
	return true
}

// note notes on a run of which procedure it is, and of how much of the target.
func (c *course) note(r *record.Run) {
	r.Facts = r.Facts.Set(record.KeyProcedure, compare.ProcedureCheck)
	compare.SetShare(r, c.check.trial.share)
	compare.SetSelection(r, c.selection())
	if p := c.check.opt.Part; p.Of > 0 {
		compare.SetPart(r, p)
	}
}
