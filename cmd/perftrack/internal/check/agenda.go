package check

import (
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
)

// An agenda tracks which slots of a target need further rounds. A slot is what one process
// measures: a benchmark function, a benchmark or a whole program.
type agenda struct {
	open    map[string]bool // whether each slot was open at the last look, an analysis of the samples so far; nil before the first look
	looked  bool            // whether there was a look with samples of every measured slot
	leftOut map[string]bool // slots beyond the budget
	failed  map[string]bool // slots that failed in an earlier check or round
	seldom  []string        // benchmarks without a sample in most rounds: see notFound
}

// look records which slots are still open in c, and which have failed.
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
func (a *agenda) wants(s program.Slot) bool { return !a.leftOut[s.String()] && a.undecided(s) }

// undecided reports whether more rounds may decide a slot.
func (a *agenda) undecided(s program.Slot) bool {
	open, known := a.open[s.String()]
	return open || !known && !a.notFound(s)
}

// warms reports whether a slot needs a warm-up. A slot decided by earlier checks does not, unless
// it is a whole program: its benchmarks are unknown until it runs.
func (a *agenda) warms(s program.Slot) bool {
	open, known := a.open[s.String()]
	return open || !known || s.Bench == ""
}

// notFound reports whether a look found other benchmarks of the slot's function but not the slot's
// benchmark, which the warm-up had found. The name of such a benchmark changes from process to
// process, so no look can decide it, and further rounds would only delay the check and add more
// names.
func (a *agenda) notFound(s program.Slot) bool {
	_, _, below := strings.Cut(s.Bench, "/")
	_, later := a.leftOut[s.String()] // no planned round could find it
	_, others := a.open[function(s).String()]
	if !a.looked || later || !below || !others || a.failed[s.String()] {
		return false
	}
	if !slices.Contains(a.seldom, s.Name()) {
		a.seldom = append(a.seldom, s.Name())
	}
	return true
}

// leave excludes candidates from further rounds, or includes them again if out is false.
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

// done reports whether no candidate is open or still waiting for its first round.
func (a *agenda) done(all []candidate) bool {
	return !slices.ContainsFunc(all, func(one candidate) bool {
		return slices.ContainsFunc(one.asked, func(slot string) bool {
			open, known := a.open[slot]
			return open || !known && !a.leftOut[slot]
		})
	})
}

// function returns the slot of a benchmark's function.
func function(s program.Slot) program.Slot {
	s.Bench, _, _ = strings.Cut(s.Bench, "/")
	return s
}

// slotsOf returns the possible slots of a benchmark. If names include GOMAXPROCS, Sort/n-10 may be
// Sort/n at 10 or Sort/n-10 itself at 1. Both slots are returned, because one more round does no
// harm.
func slotsOf(target, pkg, name string, procs config.Procs) []string {
	function, _, _ := strings.Cut(name, "/")
	slots := []string{
		program.Slot{Package: pkg, Bench: name}.String(),
		program.Slot{Package: pkg, Bench: function}.String(),
		program.Slot{Bench: function}.String(),
		program.Slot{Package: target}.String(),
	}
	if base, n := record.ProcsOfName(name); slices.Contains(procs, n) && n > 1 {
		function, _, _ = strings.Cut(base, "/")
		slots = append(slots, program.Slot{Package: pkg, Bench: function, Procs: n}.String())
	}
	return slots
}
