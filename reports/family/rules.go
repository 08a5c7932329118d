package family

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/reports"
)

// A severity says how soon an action is due.
type severity int

const (
	high   severity = iota // something got worse, or does not work
	medium                 // it may have: it takes a measurement to tell
	low                    // something is not known that could be
)

func (s severity) String() string { return [...]string{"high", "medium", "low"}[s] }

func (s severity) tone() reports.Tone {
	return [...]reports.Tone{reports.Bad, reports.Warn, reports.Muted}[s]
}

// An action is what somebody should do, and why.
type action struct {
	on       string // benchmark, target; from outside
	evidence string // numbers, of perftrack's own words
	command  string // that does it, or the next step; "" where there is none
	what     string // to do, where that is not what the rule says
}

// A rule finds actions. What it recommends stands in docs/reports.md under its name.
type rule struct {
	name     string
	severity severity
	what     string // to do
	measures bool   // the command measures something: trends list it as what to measure next
	find     func(v *view) []action
}

// rules are all of them, the most urgent first.
func rules() []rule {
	return []rule{
		{"regressed", high, "find the cause, then mend or accept it", true, regressed},
		{"proved", high, "find the cause, then mend or accept it", true, proved},
		{"in-force", high, "find the commit, then mend or accept it", true, inForce},
		{"failed", high, "make it run again", false, failed},
		{"limit-missed", high, "bring it within its limit, or change the limit", false, missedLimits},
		{"lost", medium, "bring the benchmark back, or say that it is gone", false, lost},
		{"suspect", medium, "measure both sides together", true, suspects},
		{"inconclusive", medium, "measure on until it is decided", true, inconclusive},
		{"drift", medium, "measure both ends together: it may be the machine's", true, drifts},
		{"off-level", medium, "measure again: an outlier, or a new level?", true, offWorse},
		{"not-clean", medium, "commit, or mend what fails, then measure again: this run stands in no history", true, notClean},
		{"off-level-better", low, "measure again: an outlier, or a new level?", true, offBetter},
		{"bottleneck", low, "look here first if it should be faster", false, hottest},
		{"no-trial", low, "measure a change beside its base: only that gives a verdict", true, noTrial},
		{"uncalibrated", low, "measure the noise of this machine", true, uncalibrated},
		{"no-profile", low, "profile: it is not known where the time goes", true, noProfile},
		{"too-few", low, "measure more commits: a step could not be seen", true, tooFew},
		{"environments", low, "measure on one machine: these numbers are not compared", false, environments},
	}
}

// shownActions is how many actions of one rule are listed.
const shownActions = 5

// actionTable are the actions of the rules that keep passes.
func (v *view) actionTable(heading string, keep func(rule) bool) reports.Table {
	t := reports.Table{Heading: heading, Columns: []reports.Column{
		{Title: "severity"}, {Title: "what to do"}, {Title: "about", Code: true}, {Title: "evidence"}, {Title: "command", Code: true, Whole: true}, {Title: "rule"},
	}}
	for _, r := range rules() {
		if !keep(r) {
			continue
		}
		found := r.find(v)
		more := max(0, len(found)-shownActions)
		for i, a := range found[:len(found)-more] {
			evidence := a.evidence
			if more > 0 && i == shownActions-1 {
				evidence += fmt.Sprintf(" (and %d more like it)", more)
			}
			t.Rows = append(t.Rows, []reports.Cell{{Text: r.severity.String(), Tone: r.severity.tone()}, text(cmp.Or(a.what, r.what)), text(a.on), text(evidence), text(a.command), text(r.name)})
		}
	}
	return t
}

// urgent counts the actions of a severity.
func (v *view) urgent(s severity) (n int) {
	for _, r := range rules() {
		if r.severity == s {
			n += len(r.find(v))
		}
	}
	return n
}

// nextTable is what to measure next.
func (v *view) nextTable() reports.Table {
	t := v.actionTable("What to measure next", func(r rule) bool { return r.measures })
	t.Rows = slices.DeleteFunc(t.Rows, func(row []reports.Cell) bool { return row[4].Text == "" })
	if len(t.Rows) == 0 {
		t.Columns, t.Words = nil, []string{"No rule asks for a measurement: no row is undecided, no step unexplained, and no line too short."}
	}
	return t
}
