package check

import (
	"slices"
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

// choosing reports whether there is time to choose how one more slot is measured, and what there is
// time for: as long as a round of all that is open may take, and so long for the choice that there is
// time for a round after it.
func (c *course) choosing() (affords slicing.Affords, ok bool) {
	if c.check.opt.Budget == 0 {
		return affords, true
	}
	now := c.check.session.Now()
	if c.choiceBegan.IsZero() {
		c.choiceBegan = now
	}
	budget := float64(c.check.opt.Budget) / float64(max(1, len(c.check.targets)))
	affords.Round = time.Duration((1 - choosingShare) * budget / usualRounds)
	if c.plan.decides > 0 {
		affords.Round = min(affords.Round, c.plan.round)
	}
	affords.Choice = c.check.deadline.Sub(now) - c.warm
	return affords, float64(now.Sub(c.choiceBegan)) < choosingShare*budget && affords.Choice > 0
}

// warms reports whether a slot needs a warm-up: not one of which earlier checks left nothing open,
// unless it is a whole program, which only tells when it runs what it has.
func (c *course) warms(s runner.Slot) bool {
	open, told := c.open[s.String()]
	return open || !told || s.Bench == ""
}

// known is the share of the slots after which the shortest of them tells how long the others take at
// least: the first may be of a function with many benchmarks.
const known = 1.0 / 3

// warming reports whether there is time for what is left of the warm-up, should each slot take no
// longer than the shortest so far. The first is always measured: that tells which budget would do.
func (c *course) warming(s runner.Slot, done, all int) bool {
	now := c.check.session.Now()
	began := c.slotBegan
	c.slotBegan = now
	c.timeSlot(now.Sub(began))
	c.slot = s
	if done == 0 || c.check.deadline.IsZero() {
		return true
	}
	if took := now.Sub(began); done == 1 || took < c.least {
		c.least = took
	}
	least := time.Duration(0)
	if float64(done) >= known*float64(all) {
		least = c.least * time.Duration(all-done)
	}
	if !now.Add(least).After(c.check.deadline) {
		return true
	}
	c.warm = now.Sub(c.roundBegan) * time.Duration(all) / time.Duration(done)
	c.outOfTime, c.left = true, all
	c.foretell()
	return false
}

// timeSlot notes how long the warm-up of a slot took.
func (c *course) timeSlot(took time.Duration) {
	if c.slots == nil {
		c.slots = map[runner.Slot]time.Duration{}
	}
	c.slots[c.slot] = took
}

// time reports whether the budget has time for a round: for the first one, if it takes as long as the
// warm-up of what is measured; until a look was held that could have flagged something, if it is a usual one; after
// that, if it is the longest one.
func (c *course) time() bool {
	planned := cost(c.plan.measured, 1, 0)
	if c.setup == 0 && !c.roundBegan.IsZero() && planned == 0 {
		c.warm = c.check.session.Now().Sub(c.roundBegan)
		c.foretell()
	}
	takes := c.longest
	switch {
	case len(c.took) == 0 && planned > 0:
		takes = planned
	case len(c.took) == 0:
		takes = c.warm
	case c.short:
		takes = usual(c.took)
	}
	return c.check.deadline.IsZero() || !c.check.session.Now().Add(takes).After(c.check.deadline)
}

// usual is the median of how long rounds took, of an even number the longer one.
func usual(took []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(took))[len(took)/2]
}

// began notes when a round begins.
func (c *course) began(p runner.Progress) {
	switch {
	case p.Round > c.round: // with its link, or without one if that was done ahead
		c.round, c.roundBegan, c.asked = p.Round, c.check.session.Now(), false
		if c.setup == 0 {
			c.setup = max(c.roundBegan.Sub(c.check.began), 1)
		}
	case p.Stage == "measure" && c.roundBegan.IsZero(): // the warm-up
		c.roundBegan = c.check.session.Now()
	}
}
