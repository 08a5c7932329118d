package check

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/spreading"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/config"
)

// Once the first rounds have shown the benchmarks of a target, they are divided into as many groups
// as there are workers, and the rounds of each group are dealt by themselves. Jobs are then short, so
// all workers reach a look at about the same time, and decided benchmarks cost no more rounds.

// whole is the shard with all benchmarks of a target.
const whole = "1/1"

// A group is some benchmarks of a target whose rounds are dealt together.
type group struct {
	shard string   // its name in the queue
	only  []string // its slots; nil means all
	*spreading.Deal
}

// open reports whether a benchmark of the group needs more rounds.
func (g *group) open(a *agenda) bool {
	if g.only == nil {
		return true
	}
	return slices.ContainsFunc(g.only, func(slot string) bool { return a.open[slot] })
}

// A hand is all groups of a target. The first one has all benchmarks; the others follow it.
type hand struct {
	first   *group
	groups  []*group                       // nil until the benchmarks are divided
	arrived map[string][]spreading.Stretch // of groups that do not exist yet
}

func newHand(after int) hand {
	plan := stat.CheckPlan()
	return hand{first: &group{shard: whole, Deal: spreading.NewDeal(after, plan.Last(), plan.NextLook)}, arrived: map[string][]spreading.Stretch{}}
}

// all returns the groups that may get rounds.
func (h *hand) all(a *agenda) (open []*group) {
	if h.groups == nil || !h.first.Over() {
		open = append(open, h.first)
	}
	for _, g := range h.groups {
		if g.open(a) {
			open = append(open, g)
		}
	}
	return open
}

// known returns the last round up to which all rounds of open benchmarks are measured or lost.
func (h *hand) known(a *agenda) int {
	least := h.first.Known()
	if h.groups == nil || !h.first.Over() {
		return least
	}
	for i, g := range h.all(a) {
		if i == 0 || g.Known() < least {
			least = g.Known()
		}
	}
	return least
}

// last returns the last round of the trial.
func (h *hand) last() int {
	if h.groups != nil {
		return h.groups[0].Last
	}
	return h.first.Last
}

// over reports whether no round is left to measure.
func (h *hand) over(a *agenda) bool {
	return !slices.ContainsFunc(h.all(a), func(g *group) bool { return !g.Over() })
}

// arrive records rounds of a shard that were measured or lost.
func (h *hand) arrive(shard string, s spreading.Stretch) {
	for _, g := range append([]*group{h.first}, h.groups...) {
		if g.shard == shard {
			g.Arrived(s)
			return
		}
	}
	h.arrived[shard] = append(h.arrived[shard], s)
}

// divide divides the benchmarks in c into groups, whose rounds follow those already dealt. It does
// nothing if there is only one benchmark function, or one worker, or if the target is one program.
func (h *hand) divide(c *compare.Comparison, t config.Target, workers int) {
	if t.Kind != config.GoTest || h.groups != nil {
		return
	}
	slots := map[string][]string{} // of each function
	var functions []string
	for r := range c.Rows() {
		name, _, _ := strings.Cut(r.Name, "/")
		function := r.Package + "." + name
		if slots[function] == nil {
			functions = append(functions, function)
		}
		for _, slot := range slotsOf(t.Name, r.Package, r.Name, t.Procs) {
			if slot != t.Name && !slices.Contains(slots[function], slot) {
				slots[function] = append(slots[function], slot)
			}
		}
	}
	n := min(workers, len(functions))
	if n < 2 {
		return
	}
	h.first.Last = h.first.Dealt()
	plan := stat.CheckPlan()
	for i := range n {
		g := &group{Deal: spreading.NewDeal(h.first.Last, plan.Last(), plan.NextLook)}
		for k := i; k < len(functions); k += n {
			g.only = append(g.only, slots[functions[k]]...)
		}
		slices.Sort(g.only)
		sum := sha256.Sum256([]byte(strings.Join(g.only, "\n")))
		g.shard = fmt.Sprintf("%d/%d-%s", i+1, n, hex.EncodeToString(sum[:4]))
		for _, s := range h.arrived[g.shard] {
			g.Arrived(s)
		}
		h.groups = append(h.groups, g)
	}
}
