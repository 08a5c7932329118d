package check

import (
	"math"
	"time"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/compare/units"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
)

// A round of slices takes about roundPart times as long as its warm-up, whose samples are longer.
// Choosing a method takes about choiceTime times as long as the warm-up. The pace of the first
// rounds corrects both estimates.
const (
	roundPart  = 0.6
	choiceTime = 4
)

// near records the edited benchmark functions, and the distance of the others from changed code.
func (c *targetCheck) near(out runner.Outcome) {
	c.reach = map[program.Slot]nearness{}
	for _, r := range out.Reached {
		c.reach[r.Slot] = nearness{path: len(r.Path)}
	}
	for _, s := range out.Shared {
		c.reach[s.Slot] = nearness{edited: true}
	}
}

// firstLook returns the first look that can flag one of the target's hypotheses, or 0.
func (c *targetCheck) firstLook(hypotheses int) int {
	alpha := c.check.trial.share * c.check.terms.Alpha / float64(c.check.terms.Families)
	first := stat.Options{Alpha: alpha}.FirstLook(hypotheses)
	if p := c.check.opt.RoundsPart; p.Of > 0 && first > 0 {
		_, rounds := roundsOf(p)
		first = min(first, rounds)
	}
	return first
}

// warmed selects the benchmarks that fit the budget. If the budget is too small for all, it prints
// a notice. If there are several targets, they share one undivided budget, and each gets rounds as
// long as there is time.
func (c *targetCheck) warmed(all []runner.Warm) {
	k := c.check
	c.benchmarks = len(all)
	k.grant()
	if k.deadline.IsZero() || len(k.targets) > 1 || len(all) == 0 {
		return
	}
	now := k.session.Now()
	c.pace.warm = now.Sub(c.pace.began)
	c.laps.next(program.Slot{}, now)
	c.plan = planFor(c.candidates(all), k.deadline.Sub(now), c.firstLook)
	c.agenda.leave(c.plan.left, true)
	if text := c.plan.words(now.Sub(k.began), k.opt.Budget); text != "" && !k.foretold {
		k.session.Noticef("%s", text)
	}
	k.foretold = true
}

// resume makes a plan for the benchmarks left out once the others are decided and there is time
// left.
func (c *targetCheck) resume(round int) {
	k := c.check
	if len(c.plan.left) == 0 || !c.agenda.done(c.plan.measured) {
		return
	}
	before := hypotheses(c.plan.measured)
	next := planFor(c.plan.left, k.deadline.Sub(k.session.Now()), func(n int) int {
		first := c.firstLook(before + n)
		return max(0, stat.CheckPlan().NextLook(round+first-1)-round)
	})
	if next.decides == 0 {
		return
	}
	c.agenda.leave(next.measured, false)
	k.session.Milestonef("there is time for %d more benchmarks", len(next.measured))
	next.measured = append(c.plan.measured, next.measured...)
	c.plan = next
}

// candidates returns the undecided slots as candidates. It assumes that the benchmarks of a
// function take equal parts of its warm-up and of its rounds.
func (c *targetCheck) candidates(all []runner.Warm) (list []candidate) {
	had, parts := c.roundsOf(), map[program.Slot]int{}
	for _, w := range all {
		parts[function(w.Slot)]++
	}
	for _, w := range all {
		of := function(w.Slot)
		one := candidate{edited: c.reach[of].edited, path: c.reach[of].path, takes: c.laps.took[of] / time.Duration(parts[of])}
		one.units = units.TestedBesideTime(record.SeriesUnits(w.Units))
		if size := math.Abs(math.Log(w.Times[1] / w.Times[0])); size-size == 0 { // both times are known
			one.change = size
		}
		if !w.Chosen {
			one.once = choiceTime * one.takes
		}
		if one.warm = one.takes; !w.Fresh {
			one.takes = time.Duration(roundPart * float64(one.takes))
		}
		for _, s := range w.Asked {
			if !c.agenda.undecided(s) {
				continue
			}
			one.asked = append(one.asked, s.String())
			one.had = max(one.had, had[s.String()])
		}
		if len(one.asked) > 0 {
			list = append(list, one)
		}
	}
	return list
}

// roundsOf counts, for each slot, the rounds in earlier checks of the trial.
func (c *targetCheck) roundsOf() map[string]int {
	benchmarks, had := map[record.BenchmarkID]int{}, map[string]int{}
	for _, r := range c.before() {
		if r.Side == record.Head {
			for _, b := range r.Benchmarks {
				benchmarks[b.BenchmarkID] += len(b.Rounds)
			}
		}
	}
	for b, n := range benchmarks {
		for _, slot := range slotsOf(c.target.Name, b.Package, b.Name, c.target.Procs) {
			had[slot] = max(had[slot], n)
		}
	}
	return had
}

// pacedAfter is the number of rounds needed to estimate the pace. The first round is not enough,
// because it includes linking and may read uncached files.
const pacedAfter = 2

// correct drops the least important benchmarks if rounds take longer than planned and the first
// useful look would come too late for the budget.
func (c *targetCheck) correct() {
	k, p, done := c.check, &c.plan, len(c.pace.took)
	if p.decides == 0 || done >= p.look || len(c.before()) > 0 {
		return
	}
	left := k.deadline.Sub(k.session.Now())
	if done == pacedAfter { // a machine may become busier
		left = time.Duration(spare * float64(left))
	}
	n := keep(p.measured, c.pace.usual(p.corrected), left, p.look-done)
	if n == 0 || n == len(p.measured) {
		return
	}
	k.session.Noticef("at the current pace, the budget is enough to decide about %d of %s: the others get no more rounds",
		n, reports.Plural(len(p.measured), "benchmark"))
	c.agenda.leave(p.measured[n:], true)
	p.measured, p.decides, p.corrected = p.measured[:n], n, done
}
