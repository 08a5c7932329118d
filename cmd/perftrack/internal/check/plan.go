package check

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
)

// If the budget is too small for all benchmarks, it is used to decide some of them rather than for
// a few inconclusive rounds of each. The choice is based on the code and on the warm-up, whose
// samples no test uses. It uses only the size of a change, never its sign, because the tests are
// based on signs. Benchmarks left out get no round and are not hypotheses. Benchmarks dropped
// later, because rounds take longer than expected, remain hypotheses.

// A candidate is a benchmark that a check may measure.
type candidate struct {
	asked  []string      // slots of the benchmark
	edited bool          // its own source was edited
	path   int           // number of functions on the path to changed code; 0 if unknown
	change float64       // absolute logarithm of the change in the warm-up's samples
	takes  time.Duration // time of one round
	warm   time.Duration // its part of the warm-up; its first round takes no longer than this
	once   time.Duration // time spent once, before its first round
	had    int           // rounds in earlier checks of the trial
	units  int           // number of tested units besides its time
}

// plain is a change that rarely occurs by chance in one sample per side.
var plain = math.Log(1.25)

// before orders candidates: first edited benchmarks, then plain changes by size, then the rest by
// distance to changed code, by change, and finally the shortest first.
func (a candidate) before(b candidate) int {
	first := func(a, b bool) int { return cmp.Compare(rank(b), rank(a)) }
	size := func(c candidate) float64 {
		if c.change > plain {
			return c.change
		}
		return 0
	}
	near := func(c candidate) int { return cmp.Or(c.path, math.MaxInt) }
	return cmp.Or(first(a.edited, b.edited), cmp.Compare(size(b), size(a)), cmp.Compare(near(a), near(b)),
		cmp.Compare(b.change, a.change), cmp.Compare(a.takes, b.takes))
}

func rank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// A budgetPlan describes the use of a budget.
type budgetPlan struct {
	measured, left []candidate   // in order of importance
	look           int           // the first look that can flag a measured benchmark, or 0
	needs          time.Duration // time for all benchmarks up to the first look
	round          time.Duration // time available for a round
	decides        int           // number of benchmarks that reach that look: all measured ones, or 0
	corrected      int           // number of rounds when benchmarks were last dropped; 0 if never
}

// spare is the fraction of the remaining time used by a plan. The rest is left over because rounds
// vary in length.
const spare = 0.9

// planFor selects the benchmarks that can be measured in the remaining time, up to the first look
// that can flag one of the hypotheses. If there is too little time for any benchmark, all are
// measured, because a later check can continue their rounds.
func planFor(all []candidate, left time.Duration, firstLook func(hypotheses int) int) budgetPlan {
	all = slices.Clone(all)
	slices.SortStableFunc(all, candidate.before)
	choice := time.Duration(choosingShare * float64(left))
	p := budgetPlan{needs: cost(all, firstLook(hypotheses(all)), choice)}
	within := time.Duration(spare * float64(left))
	if p.needs <= left {
		p.measured, p.decides = all, len(all)
	} else {
		for _, c := range all {
			more := append(slices.Clone(p.measured), c)
			if look := firstLook(hypotheses(more)); look > 0 && cost(more, look, choice) <= within {
				p.measured = more
			} else {
				p.left = append(p.left, c)
			}
		}
		if p.decides = len(p.measured); p.decides == 0 {
			p.measured, p.left = all, nil
		}
	}
	if p.look = firstLook(hypotheses(p.measured)); p.look > 0 {
		p.round = left / time.Duration(p.look)
	}
	return p
}

// hypotheses returns the largest number of rows to test for the candidates.
func hypotheses(all []candidate) int {
	sum := len(all)
	for _, c := range all {
		sum += c.units
	}
	return sum
}

// keep returns how many candidates, in the order of the plan, can complete the rounds in the time
// left at the current pace. took is the time of a round of all of them. The result may be 0.
func keep(measured []candidate, took, left time.Duration, rounds int) int {
	round := func(all []candidate) float64 { return float64(cost(all, 1, 0)) }
	for n := len(measured); n > 0; n-- {
		if share := round(measured[:n]) / round(measured); share*float64(took)*float64(rounds) <= float64(left) {
			return n
		}
	}
	return 0
}

// cost returns the time needed for the candidates up to a look, with at least one round. The time
// before the first round counts only up to choice, the time allowed for choosing methods.
func cost(all []candidate, look int, choice time.Duration) (sum time.Duration) {
	once := time.Duration(0)
	for _, c := range all {
		once += c.once
		sum += c.takes * time.Duration(max(1, look-c.had))
	}
	return sum + min(once, choice)
}

// words returns the notice about a budget that is too small, or "" if it is large enough.
func (p budgetPlan) words(spent, budget time.Duration) string {
	all := len(p.measured) + len(p.left)
	if p.decides == all || all == 0 {
		return ""
	}
	would := fmt.Sprintf("about %s would be enough for all", reports.About(spent+p.needs))
	if p.decides == 0 {
		return fmt.Sprintf("the budget of %s is too short to decide any of %s; %s", compare.ShortDuration(budget), reports.Plural(all, "benchmark"), would)
	}
	return fmt.Sprintf("the budget of %s is enough to decide about %d of %s, so only these are measured; %s", compare.ShortDuration(budget), p.decides, reports.Plural(all, "benchmark"), would)
}
