package check

import (
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

// An agenda is which slots of a target get further rounds.
type agenda struct {
	open    map[string]bool // by the last look; nil before the first one
	looked  bool            // a look was held, at which all that is measured was measured
	leftOut map[string]bool // for which the budget does not suffice
	failed  map[string]bool // which an earlier check or round could not measure to the end
	seldom  []string        // benchmarks that no round had often enough: see notFound
}

// look takes over what is open by a comparison.
func (a *agenda) look(c *compare.Comparison, target config.Target) {
	a.open, a.failed = map[string]bool{}, map[string]bool{}
	for r := range c.Rows() {
		for _, slot := range slotsOf(target.Name, r.Package, r.Name, target.Procs) {
			a.open[slot] = a.open[slot] || r.Open
		}
	}
	for _, f := range c.Failures {
		a.failed[f.Benchmark] = true
	}
}

// wants reports whether a slot needs a further round.
func (a *agenda) wants(s runner.Slot) bool { return !a.leftOut[s.String()] && a.undecided(s) }

// undecided reports whether more rounds may decide a slot.
func (a *agenda) undecided(s runner.Slot) bool {
	open, known := a.open[s.String()]
	return open || !known && !a.notFound(s)
}

// warms reports whether a slot needs a warm-up: not one of which earlier checks left nothing open,
// unless it is a whole program, which only tells when it runs what it has.
func (a *agenda) warms(s runner.Slot) bool {
	open, known := a.open[s.String()]
	return open || !known || s.Bench == ""
}

// notFound reports whether a look found nothing of a benchmark that the warm-up had, but found others of
// its function. Its name is another one in each process, so no look decides it: more rounds of
// what is left of the function would hold up the check to its last one, and add names.
func (a *agenda) notFound(s runner.Slot) bool {
	_, _, below := strings.Cut(s.Bench, "/")
	_, later := a.leftOut[s.String()] // no round was to find it
	_, others := a.open[function(s).String()]
	if !a.looked || later || !below || !others || a.failed[s.String()] {
		return false
	}
	if !slices.Contains(a.seldom, s.Name()) {
		a.seldom = append(a.seldom, s.Name())
	}
	return true
}

// leave gives candidates no further round, or takes that back where there is time for them later.
func (a *agenda) leave(all []candidate, out bool) {
	if a.leftOut == nil {
		a.leftOut = map[string]bool{}
	}
	for _, one := range all {
		for _, slot := range one.asked {
			a.leftOut[slot] = out
		}
	}
}

// done reports whether nothing of the candidates is open, or gets a further round.
func (a *agenda) done(all []candidate) bool {
	return !slices.ContainsFunc(all, func(one candidate) bool {
		return slices.ContainsFunc(one.asked, func(slot string) bool {
			open, known := a.open[slot]
			return open || !known && !a.leftOut[slot]
		})
	})
}

// function is the slot of the function that a benchmark is of.
func function(s runner.Slot) runner.Slot {
	s.Bench, _, _ = strings.Cut(s.Bench, "/")
	return s
}

// slotsOf are the slots of a benchmark. Where names have the GOMAXPROCS of a list, Sort/n-10 may be
// Sort/n at 10 or itself at 1: it is of both functions, of which one more round is no harm.
func slotsOf(target, pkg, name string, procs config.Procs) []string {
	function, _, _ := strings.Cut(name, "/")
	slots := []string{
		runner.Slot{Package: pkg, Bench: name}.String(),
		runner.Slot{Package: pkg, Bench: function}.String(),
		runner.Slot{Bench: function}.String(),
		runner.Slot{Package: target}.String(),
	}
	if base, n := record.ProcsOfName(name); slices.Contains(procs, n) && n > 1 {
		function, _, _ = strings.Cut(base, "/")
		slots = append(slots, runner.Slot{Package: pkg, Bench: function, Procs: n}.String())
	}
	return slots
}
