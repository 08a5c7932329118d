package check

import (
	"fmt"
	"slices"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// A standing is what a look says of the benchmarks of a target, by their names: each counts once,
// however many units it has. One that regressed in a unit is decided, whatever is open in others.
type standing struct {
	open      map[string]bool // of all benchmarks
	regressed map[string]bool
}

func (s *standing) add(r *compare.Row) {
	if s.open == nil {
		s.open, s.regressed = map[string]bool{}, map[string]bool{}
	}
	name := r.Package + " " + r.Name
	s.open[name] = s.open[name] || r.Open
	if r.Verdict == compare.Regressed && !r.Open {
		s.regressed[name] = true
	}
}

// words says it after so many rounds; left is for all that is open, 0 where nobody knows.
func (s *standing) words(round int, left time.Duration) string {
	undecided := 0
	for name, open := range s.open {
		if open && !s.regressed[name] {
			undecided++
		}
	}
	text := fmt.Sprintf("%s: %d of %d decided", reports.Plural(round, "round"), len(s.open)-undecided, len(s.open))
	if len(s.regressed) > 0 {
		text += fmt.Sprintf(", %d regressed", len(s.regressed))
	}
	if undecided > 0 && left > 0 {
		text += ", about " + reports.About(left) + " left"
	}
	return text
}

// tell says what a look decided. How long the rest takes follows from the last round, should all
// that is open go on to the last look; the budget may end it before.
func (c *course) tell(sofar *compare.Comparison, round int, took time.Duration) {
	var now standing
	for r := range sofar.Rows() {
		now.add(r)
	}
	left := time.Duration(max(0, stat.CheckPlan().Last()-round)) * took
	if deadline := c.check.deadline; !deadline.IsZero() {
		left = min(left, deadline.Sub(c.check.session.Now()))
	}
	text := now.words(round, left)
	if len(c.check.targets) > 1 {
		text = c.target.Name + ": " + text
	}
	c.check.session.Milestonef("%s", text)
}

// foretell says, as soon as the warm-up tells how long a round takes, that the budget is too small
// for the first look: who waits for the end of it can then ask for less, or for more time. Of one target a
// plan says more: see [course.warmed].
func (c *course) foretell() {
	k := c.check
	sampled := func(r *record.Run) bool { return len(r.Benchmarks) > 0 }
	if k.opt.Budget == 0 || k.foretold || slices.ContainsFunc(c.before(), sampled) {
		return
	}
	k.foretold = true
	spent, slots := k.session.Now().Sub(k.began), c.shown.Slots
	needs := time.Duration(c.firstLook(slots)) * c.pace.warm
	switch text := tooLong(slots, spent+needs, k.opt.Budget); {
	case text == "":
	case len(k.targets) > 1:
		k.session.Noticef("%s", c.target.Name+": "+text)
	default: // there was not even time for the warm-up
		k.session.Noticef("%s", budgetPlan{measured: make([]candidate, slots), needs: needs}.words(spent, k.opt.Budget))
	}
}

// tooLong compares what benchmarks take with a budget, "" where that may do.
func tooLong(benchmarks int, takes, budget time.Duration) string {
	if takes <= budget || benchmarks == 0 {
		return ""
	}
	return fmt.Sprintf("to decide %s takes about %s; the budget is %s: what is left over is said at the end",
		reports.Plural(benchmarks, "benchmark"), reports.About(takes), compare.ShortDuration(budget))
}
