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

// A budget that is too small for all benchmarks decides some of them, in place of a few rounds of each that
// prove nothing. Which ones follows from the code and from the warm-up alone, whose samples no test
// uses, and of its changes only from their sizes: faster and slower are alike. So the choice knows nothing of
// the signs that the tests go by. What is left out gets no round, and is no hypothesis. What is
// dropped later, because rounds cost more than the warm-up told, stays one.

// A candidate is a benchmark that a check may measure.
type candidate struct {
	asked  []string      // slots that are asked for it
	edited bool          // its own source
	path   int           // functions from it to changed code; 0 is unknown
	change float64       // of the warm-up's sample: the size of the logarithm, without a sign
	takes  time.Duration // a round of it
	warm   time.Duration // its part of the warm-up: its first round takes no longer
	once   time.Duration // before its first one
	had    int           // rounds that earlier checks of the trial measured
	units  int           // that are tested beside its time
}

// plain is a change that a single sample of each side hardly shows by chance.
var plain = math.Log(1.25)

// before orders candidates: edited benchmarks first, then those that changed plainly, the largest change
// first; then by how near they are to changed code, by their change, and the shortest first.
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

// A budgetPlan is what a budget buys.
type budgetPlan struct {
	measured, left []candidate   // in the order of their importance
	look           int           // the first that can flag one of the measured; 0: none can
	needs          time.Duration // up to the first look for all that there is
	round          time.Duration // that one of the measured may take
	decides        int           // how many get to that look: all that is measured, or none
	corrected      int           // rounds before benchmarks were last taken out; 0 if none were
}

// spare is the part of the time that a plan uses: rounds do not all take the same.
const spare = 0.9

// planFor divides the time that is left, up to the first look that can flag one of so many
// hypotheses. Where it suffices for none, all are measured: a later check goes on with their rounds.
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

// hypotheses is how many rows of candidates are tested, at most.
func hypotheses(all []candidate) int {
	sum := len(all)
	for _, c := range all {
		sum += c.units
	}
	return sum
}

// keep returns how many candidates, the first ones of a plan's order, get through so many rounds in the
// time that is left, should rounds go on as they did: one of all took so long. 0 is none.
func keep(measured []candidate, took, left time.Duration, rounds int) int {
	round := func(all []candidate) float64 { return float64(cost(all, 1, 0)) }
	for n := len(measured); n > 0; n-- {
		if share := round(measured[:n]) / round(measured); share*float64(took)*float64(rounds) <= float64(left) {
			return n
		}
	}
	return 0
}

// cost is how long candidates take up to a look, at least a round; what comes before the first one
// takes no longer than the choice of ways may.
func cost(all []candidate, look int, choice time.Duration) (sum time.Duration) {
	once := time.Duration(0)
	for _, c := range all {
		once += c.once
		sum += c.takes * time.Duration(max(1, look-c.had))
	}
	return sum + min(once, choice)
}

// words says before the budget is spent for how much it suffices, "" where that is all.
func (p budgetPlan) words(spent, budget time.Duration) string {
	all := len(p.measured) + len(p.left)
	if p.decides == all || all == 0 {
		return ""
	}
	would := fmt.Sprintf("about %s would do all", reports.About(spent+p.needs))
	if p.decides == 0 {
		return fmt.Sprintf("the budget of %s decides none of %s; %s", compare.ShortDuration(budget), reports.Plural(all, "benchmark"), would)
	}
	return fmt.Sprintf("the budget of %s decides about %d of %s, which are measured; %s", compare.ShortDuration(budget), p.decides, reports.Plural(all, "benchmark"), would)
}
