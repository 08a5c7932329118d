package histories

import (
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// A Found is a step of a history, together with the enclosing rows that show the same step.
type Found struct {
	History
	Step steps.Step
	With []string
}

// Steps returns all steps, newest first. If nested rows show the same step, only the innermost
// row is returned.
func Steps(all []History) (out []Found) {
	type key struct {
		target, environment, unit, suite, pkg, last, first string
		kind                                               record.Kind
	}
	keyOf := func(c History, s steps.Step) key {
		return key{c.Target, c.Environment, c.Unit, c.Suite, c.Package, s.Last.Run, s.First.Run, c.Kind}
	}
	groups := map[key][]string{}
	for _, c := range all {
		for _, s := range c.Steps {
			groups[keyOf(c, s)] = append(groups[keyOf(c, s)], c.Name)
		}
	}
	for _, c := range all {
		for _, s := range c.Steps {
			around := naming.Nesting(c.Kind, groups[keyOf(c, s)])
			if !ContainsOthers(around, c.Name) {
				out = append(out, Found{c, s, Outside(around, c.Name)})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Found) int { return b.When(b.Step.First).Compare(a.When(a.Step.First)) })
	return out
}

// ContainsOthers reports whether the row with the given name contains another row. around maps each
// row to the rows that directly contain it.
func ContainsOthers(around map[string][]string, name string) bool {
	for _, parents := range around {
		if slices.Contains(parents, name) {
			return true
		}
	}
	return false
}

// StepWord describes the state of a step.
func StepWord(s steps.Step) string {
	word := "step"
	switch {
	case s.Unresolved:
		word = "unresolved"
	case s.Accepted:
		word = "accepted"
	case s.Verdict == compare.Regressed:
		word = "resolved"
	case s.Recovers:
		word = "recovered"
	case s.Verdict == compare.Improved:
		word = "improved"
	}
	if s.Drift > 0 {
		word += ", drift over " + reports.Plural(s.Drift, "run")
	}
	return word
}

// Outside returns all rows that contain the named row directly or indirectly.
func Outside(around map[string][]string, name string) (all []string) {
	for _, p := range around[name] {
		if !slices.Contains(all, p) {
			all = append(all, p)
			for _, q := range Outside(around, p) {
				if !slices.Contains(all, q) {
					all = append(all, q)
				}
			}
		}
	}
	return all
}
