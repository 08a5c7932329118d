package check

import (
	"time"

	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/slicing"
)

// choosingShare is the share of each target's part of the budget for choosing sampling methods. The
// remainder is enough for usualRounds rounds, and most verdicts need no more.
const (
	choosingShare = 1.0 / 3
	usualRounds   = 20
)

// leastBudget is enough to decide a suite of ten benchmarks, as measured with eight mixed suites
// (docs/evaluation.md).
const (
	leastBudget = 2 * time.Minute
	mostBudget  = 15 * time.Minute
	eachBudget  = 12 * time.Second // for each benchmark
)

// usualBudget returns the default budget for a check of this many benchmarks.
func usualBudget(benchmarks int) time.Duration {
	return min(max(leastBudget, time.Duration(benchmarks)*eachBudget), mostBudget)
}

// grant computes a default budget, and with it the deadline, from the number of benchmarks known so
// far.
func (c *check) grant() {
	if !c.opt.UsualBudget {
		return
	}
	benchmarks := 0
	for _, one := range c.targetChecks {
		benchmarks += one.benchmarks
	}
	c.opt.Budget = usualBudget(benchmarks)
	c.deadline = c.measures.Add(c.opt.Budget)
}

// choosing reports whether there is time to choose the method of one more slot. Affords.Round is
// the time available for a round of all open slots; Affords.Choice is how long the choice may take
// and still leave time for a round.
func (c *targetCheck) choosing() (affords slicing.Affords, ok bool) {
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

// known is the fraction of slots to warm up before the shortest of them predicts the rest. The
// first slot alone would not be enough, because it may be a function with many benchmarks.
const known = 1.0 / 3

// warming reports whether there is time for the rest of the warm-up if each slot takes as long as
// the shortest one so far. The first slot is always measured, because it shows how large a budget
// would be enough.
func (c *targetCheck) warming(s program.Slot, done, all int) bool {
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

// time reports whether the budget has time for another round.
func (c *targetCheck) time() bool {
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
