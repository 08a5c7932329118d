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

// A standing holds the result of a look for each benchmark, counted once for all of its units. A
// benchmark that regressed in one unit is decided even if other units are open.
type standing struct {
	open      map[string]bool // contains all benchmarks
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

// words describes the standing after a round. left is the time needed for all open benchmarks, or 0
// if unknown.
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

// tell reports the result of a look. To estimate the remaining time, it assumes that each round up
// to the last look takes as long as the last round. The budget may end earlier.
func (c *targetCheck) tell(sofar *compare.Comparison, round int, took time.Duration) {
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

// foretell warns, after the warm-up, if the budget will end before the first look. For a single
// target, [targetCheck.warmed] gives a more detailed notice.
func (c *targetCheck) foretell() {
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

// tooLong returns the warning about a budget that is too small, or "" if it may be large enough.
func tooLong(benchmarks int, takes, budget time.Duration) string {
	if takes <= budget || benchmarks == 0 {
		return ""
	}
	return fmt.Sprintf("deciding %s takes about %s, but the budget is %s; the report lists the benchmarks not decided",
		reports.Plural(benchmarks, "benchmark"), reports.About(takes), compare.ShortDuration(budget))
}
