package app

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/store"
)

// A checking decides after which rounds of one target's measurement which
// benchmarks need no more.
type checking struct {
	*check
	m          *measuring
	open       map[string]bool // slots, from the first look on
	roundBegan time.Time
	longest    time.Duration // of a round
	exhausted  bool          // the budget is
}

// built joins the trial that is continued, if this is still its machine and
// toolchain; the code path in use is only known later.
func (c *checking) built(out runner.Outcome) (first, rounds int, err error) {
	if c.continued && !c.sameEnvironment(out) {
		c.notice("the machine, the toolchain or their settings are others than in trial %s: a new trial begins", c.trial)
		if c.joined {
			return 0, 0, errors.New("continue trial " + c.trial + ": the environment changed while measuring")
		}
		c.beginTrial()
	}
	c.joined = c.joined || c.continued
	if c.m.trial != c.trial { // this target's began it, or another one's before
		c.m.trial = c.trial
		c.m.recorder = newRecorder(c.m)
	}
	last := 0
	for _, r := range c.of(c.m.target.Name) {
		last = max(last, r.LastRound())
	}
	if last > 0 {
		c.decide(nil)
	}
	c.noteCoverage(out)
	rounds = compare.CheckPlan().Last() - last
	if last > 0 {
		rounds = max(rounds, continuedRounds)
	}
	return last + 1, rounds, nil
}

// noteCoverage notes what needs no samples and what no samples can decide.
func (c *checking) noteCoverage(out runner.Outcome) {
	var same []compare.SameCode
	var rewritten []compare.Rewritten
	target, rec := c.m.target.Name, c.m.recorder
	for _, p := range byPackage(out.Same) {
		same = append(same, compare.SameCode{Target: target, Package: p.Package, Benchmarks: p.Benchmarks})
	}
	for _, s := range out.Rewritten {
		rewritten = append(rewritten, compare.Rewritten{Target: target, Package: s.Package, Name: s.Bench})
	}
	rec.known = true
	for i := range rec.headers {
		h := &rec.headers[i]
		compare.SetCoverage(h, same, rewritten, byPackage(out.Lacking[i]))
		rec.known = rec.known && slices.ContainsFunc(c.of(target), func(r *store.Run) bool {
			return r.Side == h.Side && compare.SameCoverage(r, h)
		})
	}
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

func (c *checking) sameEnvironment(out runner.Outcome) bool {
	for _, r := range c.of(c.m.target.Name) {
		if !sameFacts(out.Environments[sideIndex(r.Side)], r.Env) {
			return false
		}
	}
	return true
}

// wants says whether a slot needs a further round.
func (c *checking) wants(s runner.Slot) bool {
	if !c.deadline.IsZero() && c.Now().Add(c.longest).After(c.deadline) {
		c.exhausted = true
		return false
	}
	open, known := c.open[s.String()]
	return open || !known
}

// began notes when a round begins.
func (c *checking) began(p runner.Progress) {
	if p.Stage == "link" || c.roundBegan.IsZero() {
		c.roundBegan = c.Now()
	}
}

// finished decides what is due after a round.
func (c *checking) finished(round int) error {
	c.longest = max(c.longest, c.Now().Sub(c.roundBegan))
	if compare.CheckPlan().NextLook(round-1) != round {
		return nil
	}
	now, err := c.m.recorder.runs(false)
	if err != nil {
		return err
	}
	if err := c.noise.learn(now); err != nil {
		return err
	}
	c.decide(now)
	return nil
}

// decide finds the slots of which something is open, with what is being
// measured.
func (c *checking) decide(now []*store.Run) {
	base, head := trialSides(append(c.of(c.m.target.Name), now...))
	c.open = map[string]bool{}
	for r := range compare.Compare(base, head, c.options(now != nil)).Rows() {
		for _, key := range c.slotsOf(r) {
			c.open[key] = c.open[key] || r.Open
		}
	}
}

// slotsOf returns the names of the slots that a row may come from: a benchmark
// function, or the whole program.
func (c *checking) slotsOf(r *compare.Row) []string {
	function, _, _ := strings.Cut(r.Name, "/")
	return []string{
		runner.Slot{Package: r.Package, Bench: function}.String(),
		runner.Slot{Bench: function}.String(),
		runner.Slot{Package: c.m.target.Name}.String(),
	}
}

// settled reports whether there is nothing wrong in having measured nothing: the
// trial was decided before, or there is nothing to decide.
func (c *checking) settled(out runner.Outcome) bool {
	return len(out.Failures) == 0 && (len(out.Same) > 0 || len(c.of(c.m.target.Name)) > 0)
}
