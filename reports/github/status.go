package github

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/reports/comparison"
)

// These are the states of a commit status.
const (
	Success = comparison.StateSuccess
	Failure = comparison.StateFailure // an unaccepted regression, a missed limit or a broken benchmark; with Strict, any gap
	Broken  = comparison.StateError   // no result: nothing compared, interrupted, not built, or not fully checked
	Pending = "pending"               // no result yet; blocks a merge like Broken, but needs no action
)

// Status returns the state of the commit status and its description.
func (f *Finding) Status() (state, description string) {
	if o := f.opt.Overruled; o != nil {
		return o.State, o.Description
	}
	description = f.Verdict()
	switch f.digest.Gate.Cause {
	case gates.CauseLost:
		description = compare.DescribeLost(f.c.LostParts()) + ": see the measuring workflow's log"
	case gates.CauseUnchecked:
		description = f.c.NotChecked().String()
	}
	return comparison.StateOf(f.digest.Gate), cut(description, MaxDescription)
}

// Worse reports whether the status is a failure because of a regression or a missed limit.
func (f *Finding) Worse() bool { return f.digest.Gate.Cause == gates.CauseWorse }

// Overrule makes all texts show o instead of the status that follows from the comparison.
func (f *Finding) Overrule(o Overruled) { f.opt.Overruled = &o }

// Changed reports whether the comment has news for a reader: a change, a missed limit, a lost
// benchmark, a failure or a blocking status.
func (f *Finding) Changed() bool {
	state, _ := f.Status()
	return state != Success || len(f.changed) > 0 || f.missed() || len(f.c.Missing)+len(f.c.Failures)+len(f.c.Untried)+len(f.c.Rewritten) > 0
}

// Verdict summarizes the comparison in one line, starting with the worst outcome.
func (f *Finding) Verdict() string {
	var parts []string
	var n counter
	all := f.tallies()
	for i := 0; i < len(all); i++ {
		t := all[i]
		for i+1 < len(all) && t.n > 0 && all[i+1].plain == t.plain {
			i++
			t.n += all[i].n
		}
		parts = append(parts, n.words(t.n, t.plain))
	}
	line := strings.Join(parts, ", ")
	if noise, ok := f.Noise(); ok {
		line += fmt.Sprintf("; machine noise floor %s %%", short(100*noise))
	}
	return line
}

// Noise returns the noise floor of the machine in this trial as a fraction, or false if it is
// unknown. The noise floor is the median, over all times with a verdict, of half the width of the
// interval of the change. A change typically has to exceed it to be detected.
func (f *Finding) Noise() (noise float64, ok bool) {
	var halves []float64
	for _, list := range [][]row{f.changed, f.nested, f.open, f.same} {
		for _, r := range list {
			s := r.row.Shift
			half := (math.Log1p(s.Hi) - math.Log1p(s.Lo)) / 2
			if !r.row.Exact && !s.Absolute && half-half == 0 && strings.HasPrefix(r.row.Unit, "sec") {
				halves = append(halves, half)
			}
		}
	}
	if len(halves) == 0 {
		return 0, false
	}
	slices.Sort(halves)
	return math.Expm1(halves[len(halves)/2]), true
}

// Description returns words followed by end, and cuts words if the result would be too long for the
// description of a status.
func Description(words, end string) string {
	return cut(words, MaxDescription-len([]rune(end))) + end
}

// cut shortens s to at most n characters.
func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// short formats a number with about two significant digits.
func short(x float64) string {
	switch {
	case x < 10:
		return fmt.Sprintf("%.1f", x)
	case x > 999999:
		return "> 999999"
	}
	return fmt.Sprintf("%.0f", x)
}
