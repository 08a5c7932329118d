package check

import (
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/record"
)

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
	c.correct()
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
	sofar := c.check.judge(append(c.before(), now...), now != nil)
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
		(len(out.Same)+len(out.Unreached)+len(out.Unbuilt) > 0 || out.Division.Empty() || len(c.before()) > 0)
}
