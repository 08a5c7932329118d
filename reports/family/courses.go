package family

import (
	"slices"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// A course is the history of one unit of a benchmark in one environment.
type course struct {
	steps.Series
	steps.UnitLine
	runs map[string]*record.RunInfo // by run id
}

// courses returns the courses of all series. For scopes, it returns only the courses of time and
// bytes.
func courses(subject *Subject) (out []course) {
	runs := make(map[string]*record.RunInfo, len(subject.Runs))
	for i := range subject.Runs {
		runs[subject.Runs[i].ID] = &subject.Runs[i]
	}
	for _, s := range subject.Series {
		for _, l := range s.Lines {
			if len(l.Runs) == 0 || s.Kind == record.Scope && l.Tidied != "sec/op" && l.Tidied != "B/op" {
				continue
			}
			out = append(out, course{Series: s, UnitLine: l, runs: runs})
		}
	}
	return out
}

// when returns the time of the run's commit.
func (c course) when(p steps.Point) time.Time {
	if r := c.runs[p.Run]; r != nil {
		return when(&r.Run)
	}
	return time.Time{}
}

// newestRun returns the run of the newest point, or an empty one if it is unknown.
func (c course) newestRun() *record.RunInfo {
	if r := c.runs[c.Runs[len(c.Runs)-1].Run]; r != nil {
		return r
	}
	return &record.RunInfo{}
}

func (c course) values() (out []float64) {
	for _, p := range c.Runs {
		out = append(out, p.Value)
	}
	return out
}

// newest returns the center of the newest level, or the newest value if no level reaches up to it.
func (c course) newest() float64 {
	if n := len(c.Levels); n > 0 && c.Levels[n-1].End == len(c.Runs) {
		return c.Levels[n-1].Center
	}
	return c.Runs[len(c.Runs)-1].Value
}

// oldest returns the center of the oldest level, or the oldest value if no level begins with it.
func (c course) oldest() float64 {
	if len(c.Levels) > 0 && c.Levels[0].First == 0 {
		return c.Levels[0].Center
	}
	return c.Runs[0].Value
}

// change returns the relative change from the oldest level to the newest. The cell is empty if
// there are too few runs to find a step.
func (c course) change() reports.Cell {
	if !c.Enough {
		return reports.Cell{}
	}
	return relative(ratio(c.newest(), c.oldest()))
}

// states holds the cell that describes each state of a course.
var states = map[steps.State]reports.Cell{
	steps.Regressed: {Text: "regression in force", Tone: reports.Bad},
	steps.Drifting:  {Text: "drift for the worse", Tone: reports.Bad},
	steps.Off:       {Text: reports.NewestOff, Tone: reports.Warn},
	steps.Improved:  {Text: "improved", Tone: reports.Good},
	steps.Accepted:  {Text: "accepted"},
	steps.Changed:   {Text: "changed"},
	steps.Recovered: {Text: "recovered"},
	steps.Steady:    {Text: "no step"},
	steps.TooFew:    {Text: "too few runs to tell", Tone: reports.Warn},
}

// state describes the current state of the course.
func (c course) state() reports.Cell { return states[c.Stand.State] }

// better returns -1 if lower values are better in this unit, +1 if higher values are, and 0 if
// unknown.
func (c course) better() int {
	for _, u := range c.newestRun().Units {
		if u.Name == c.Unit && u.Better != 0 {
			return u.Better
		}
	}
	return directionOf(c.Tidied)
}

// directionOf returns, for a unit without a declared direction, -1 if lower values are better, +1
// if higher values are, and 0 if unknown.
func directionOf(unit string) int {
	switch unit {
	case "GFLOPS", "tok/s", "B/s", "samples/s":
		return 1
	case "sec/op", "B/op", "allocs/op":
		return -1
	}
	return 0
}

// at returns the median of the values measured at a commit, or NaN if there are none.
func (c course) at(commit string) float64 {
	var at []float64
	for _, p := range c.Runs {
		if p.Commit == commit {
			at = append(at, p.Value)
		}
	}
	return median(at)
}

// A foundStep is a step of a course, together with the enclosing rows that show the same step.
type foundStep struct {
	course
	step steps.Step
	with []string
}

// foundSteps returns all steps, newest first. If nested rows show the same step, only the innermost
// row is returned.
func foundSteps(all []course) (out []foundStep) {
	type key struct {
		target, environment, unit, suite, pkg, last, first string
		kind                                               record.Kind
	}
	keyOf := func(c course, s steps.Step) key {
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
			if !containsOthers(around, c.Name) {
				out = append(out, foundStep{c, s, outside(around, c.Name)})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b foundStep) int { return b.when(b.step.First).Compare(a.when(a.step.First)) })
	return out
}

// containsOthers reports whether the row with the given name contains another row. around maps each
// row to the rows that directly contain it.
func containsOthers(around map[string][]string, name string) bool {
	for _, parents := range around {
		if slices.Contains(parents, name) {
			return true
		}
	}
	return false
}

// stepWord describes the state of a step.
func stepWord(s steps.Step) string {
	word := "step"
	switch {
	case s.InForce:
		word = "in force"
	case s.Accepted:
		word = "accepted"
	case s.Verdict == compare.Regressed:
		word = "no longer in force"
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
