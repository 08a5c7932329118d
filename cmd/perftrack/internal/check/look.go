package check

import (
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
)

// wants reports whether a slot needs a further round. A round is measured for all slots that need
// it or, if the budget is too small, for none.
func (c *targetCheck) wants(s program.Slot) bool {
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

// finished is called after each complete round. If a look is due, it decides which slots need
// further rounds.
func (c *targetCheck) finished(rec *measure.Recording, round int) error {
	took := c.pace.ended(c.check.session.Now())
	c.correct()
	if stat.CheckPlan().NextLook(round-1) != round || c.check.opt.RoundsPart.Of > 0 {
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

// ended records the pace of the target and the benchmarks without a round. It returns the reason
// why nothing had to be measured, or "" if something was or should have been measured.
func (c *targetCheck) ended(m *measure.Measurement) (same string) {
	rec, out := m.Recording, m.Outcome()
	c.check.inProcesses += out.InProcesses
	nothing := !rec.Any() && !c.end.came && (out.Division == nil || out.Division.All == 0)
	if nothing && len(out.Unreached) > 0 {
		same = "no benchmark reaches changed code"
	} else if nothing && len(out.Same) > 0 {
		same = samenessOf(out.Same...).String()
	}
	if len(c.agenda.seldom) > 0 {
		c.check.session.Noticef("%s: skipped benchmarks whose names change from process to process: %s; give them fixed names",
			c.target.Name, fault.SomeOf(c.agenda.seldom, ", "))
	}
	if longest := c.pace.longest(); longest > 0 {
		pace := &record.Pace{Setup: c.pace.setup.Round(time.Millisecond), Round: max(longest.Round(time.Millisecond), time.Millisecond)}
		rec.Note(func(r *record.Run) { r.Protocol.Pace = pace })
	}
	starved := record.Starved{Benchmarks: len(c.plan.left), Rounds: c.firstLook(len(c.plan.left) + len(c.plan.measured)), Setup: c.pace.setup, Round: cost(c.plan.left, 1, 0)}
	if c.end.came && !rec.Any() {
		all := c.end.left + len(c.plan.left)
		starved = record.Starved{Benchmarks: all, Rounds: c.firstLook(all), Setup: c.check.session.Now().Sub(c.check.began), Round: c.pace.warm}
	}
	if starved.Benchmarks > 0 {
		rec.Note(func(r *record.Run) { r.Protocol.Starved = &starved })
	}
	return same
}

// decide compares the samples so far, including now, and finds the slots still open.
func (c *targetCheck) decide(now []*record.Run) *compare.Comparison {
	sofar := c.check.judge(append(c.before(), now...), now != nil)
	if sofar.NotChecked().Benchmarks == 0 {
		c.short = false
	}
	c.agenda.look(sofar, c.target)
	return sofar
}

// settled reports whether it is acceptable that nothing was measured, because time ran out,
// everything was decided earlier or left out, or other parts measure the benchmarks.
func (c *targetCheck) settled(out runner.Outcome) bool {
	return c.end.came || len(out.Failures) == 0 &&
		(len(out.Same)+len(out.Unreached)+len(out.Unbuilt) > 0 || out.Division.Empty() || len(c.before()) > 0)
}
