package check

import (
	"time"

	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/slicing"
)

// Of the budget of a check, and of each target's equal part of it, a share is to choose how its
// benchmarks are measured, since what is chosen is there to be measured. What is left is for so many
// rounds: most verdicts take no more.
const (
	choosingShare = 1.0 / 3
	usualRounds   = 20
)

// A suite of ten benchmarks is decided within the least of the usual budgets, as measured with eight mixed ones
// (docs/evaluation.md).
const (
	leastBudget = 2 * time.Minute
	mostBudget  = 15 * time.Minute
	eachBudget  = 12 * time.Second // of a benchmark
)

// usualBudget is how long so many benchmarks are measured where nobody says how long.
func usualBudget(benchmarks int) time.Duration {
	return min(max(leastBudget, time.Duration(benchmarks)*eachBudget), mostBudget)
}

// grant sets the end of a usual budget by what is known of how many benchmarks there are.
func (c *check) grant() {
	if !c.opt.UsualBudget {
		return
	}
	benchmarks := 0
	for _, one := range c.courses {
		benchmarks += one.benchmarks
	}
	c.opt.Budget = usualBudget(benchmarks)
	c.deadline = c.measures.Add(c.opt.Budget)
}

// choosing reports whether there is time to choose how one more slot is measured, and what there is
// time for: as long as a round of all that is open may take, and so long for the choice that there is
// time for a round after it.
func (c *course) choosing() (affords slicing.Affords, ok bool) {
	if c.check.opt.Budget == 0 {
		return affords, true
	}
	now := c.check.session.Now()
	if c.pace.choice.IsZero() {
		c.pace.choice = now
	}
	budget := float64(c.check.opt.Budget) / float64(max(1, len(c.check.targets)))
	affords.Round = time.Duration((1 - choosingShare) * budget / usualRounds)
	if c.plan.decides > 0 {
		affords.Round = min(affords.Round, c.plan.round)
	}
	affords.Choice = c.check.deadline.Sub(now) - c.pace.warm
	return affords, float64(now.Sub(c.pace.choice)) < choosingShare*budget && affords.Choice > 0
}

// known is the share of the slots after which the shortest of them tells how long the others take at
// least: the first may be of a function with many benchmarks.
const known = 1.0 / 3

// warming reports whether there is time for what is left of the warm-up, should each slot take no
// longer than the shortest so far. The first is always measured: that tells which budget would do.
func (c *course) warming(s runner.Slot, done, all int) bool {
	now := c.check.session.Now()
	c.laps.next(s, now)
	if done == 0 {
		c.benchmarks = all
		c.check.grant()
	}
	if done == 0 || c.check.deadline.IsZero() {
		return true
	}
	least := time.Duration(0)
	if float64(done) >= known*float64(all) {
		least = c.laps.least * time.Duration(all-done)
	}
	if !now.Add(least).After(c.check.deadline) {
		return true
	}
	c.pace.warm = now.Sub(c.pace.began) * time.Duration(all) / time.Duration(done)
	c.end.came, c.end.left = true, all
	c.foretell()
	return false
}

// time reports whether the budget has time for a round.
func (c *course) time() bool {
	planned := time.Duration(0)
	for _, one := range c.plan.measured {
		planned += one.warm
	}
	if c.pace.setup == 0 && !c.pace.began.IsZero() && planned == 0 {
		c.pace.warm = c.check.session.Now().Sub(c.pace.began)
		c.foretell()
	}
	takes := c.pace.next(planned, c.short)
	return c.check.deadline.IsZero() || !c.check.session.Now().Add(takes).After(c.check.deadline)
}
