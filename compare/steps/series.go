package steps

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// A Series is one benchmark of a target over the commits of one line of
// development, in commit order, the oldest first.
type Series struct {
	Target string
	record.BenchmarkID
	Branch string // "" where it goes without saying
	Points []record.HistoryPoint
	Lines  []UnitLine
	Limits compare.Limits // that the configuration sets now
	Check  *Checked       // what was proved last of a commit of the line; nil without that
}

// A UnitLine is what the runs of a series in one environment show of one unit.
// Runs that may not stand in a history are no part of it.
type UnitLine struct {
	Environment string // an EnvironmentID
	Unit        string // as stored
	Tidied      string // as shown
	Course
	Outside []Step // not in force, to runs that are not shown: see Keep
}

// In returns the lines of one environment.
func (s Series) In(environment string) []UnitLine {
	return slices.DeleteFunc(slices.Clone(s.Lines), func(l UnitLine) bool { return l.Environment != environment })
}

// DriftAt returns the value that a drift predicts for Runs[at]. ok is false if no drift
// contains that run.
func (c Course) DriftAt(at int) (value float64, ok bool) {
	for _, s := range c.Steps {
		over := slices.IndexFunc(c.Runs, func(m Point) bool { return m.Run == s.First.Run })
		if begin := over - s.Drift; s.Drift > 0 && begin <= at && at <= over {
			return s.From * math.Pow(s.To/s.From, float64(at-begin)/float64(s.Drift)), true
		}
	}
	return 0, false
}

// An AnchorCommit is the commit to which the values of a history are ratios. The zero
// value means that they are shown as they were measured.
type AnchorCommit struct {
	Commit string // its hash, or the beginning
	Alone  int    // runs left out because they were not measured beside it
	Level  int    // runs whose values are told at the level of the anchor that each has
}

// A Regression is a step for the worse that is in force.
type Regression struct {
	Target string
	record.BenchmarkID
	Branch, Environment string
	Unit, Tidied        string    // as stored and as shown
	When                time.Time // of the commit, zero where it has none
	Since               time.Time // of the commit that a drift began after
	Step
}

// Regressions are those in force, and what was searched to find them.
type Regressions struct {
	Anchor AnchorCommit
	List   []Regression // the newest first
	Lines  []LineLength // of all lines that were searched
	Older  int          // in force, and left out for their age
	Hidden int          // runs left out because they may not stand in a history
	Trial  [2]string    // commits of base and head of the newest trial of the line, "" without one
	Proved []Proved     // what the histories may be too short to show
}

// A LineLength says how many runs a line has, how many a step needs, and whether these are
// enough to find one.
type LineLength struct {
	Runs, Needs int
	Enough      bool
}

// UnitLines returns what the points of one benchmark show, for each environment and
// unit in the order in which they appear. A unit that follows from the time is left out
// where there is the time: it would be the same step twice. The options' Unit, Better
// and Exact are those of each line, whatever is given.
func UnitLines(points []record.HistoryPoint, opt Options) []UnitLine {
	var environments, units []string
	for _, p := range points {
		if !slices.Contains(environments, p.Run.EnvironmentID) {
			environments = append(environments, p.Run.EnvironmentID)
		}
		for _, s := range p.Benchmark.Samples {
			if !slices.Contains(units, s.Unit) {
				units = append(units, s.Unit)
			}
		}
	}
	slices.SortFunc(units, record.CompareUnits)
	timed := slices.Contains(units, "ns/op") || slices.Contains(units, "sec/op")
	var out []UnitLine
	for _, environment := range environments {
		for _, unit := range units {
			_, opt.Unit = compare.Summarize(record.Samples{Unit: unit}, false, 0.95) // of no values: the unit alone
			if compare.Follows(opt.Unit) && timed {
				continue
			}
			if course := courseOf(points, environment, unit, opt); len(course.Runs) > 0 {
				out = append(out, UnitLine{Environment: environment, Unit: unit, Tidied: opt.Unit, Course: course})
			}
		}
	}
	return out
}

// courseOf is what the baselines of one environment show of one unit. A run that was carried
// over to other commits counts once, as it was measured once.
func courseOf(points []record.HistoryPoint, environment, unit string, opt Options) Course {
	var runs []Point
	declared, alike := true, opt.Unit == "B/op" || opt.Unit == "allocs/op"
	opt.Better = 0
	for _, p := range points {
		s, ok := p.Benchmark.Unit(unit)
		if !ok || p.Run.EnvironmentID != environment || !p.Run.Baseline() || p.CarriedFrom != "" {
			continue
		}
		exact := p.Run.Exact(unit)
		sum, _ := compare.Summarize(s, exact, 0.95)
		if sum.N == 0 {
			continue
		}
		declared = declared && exact
		opt.Better = cmp.Or(p.Run.Better(unit), opt.Better) // the newest that says it
		alike = alike && (exact || sum.N > 1) && len(slices.Compact(s.Present())) <= 1
		runs = append(runs, Point{Run: p.Run.ID, Commit: p.Run.Commit.SHA, Value: sum.Center, Samples: sum.N})
	}
	if opt.Exact, opt.Repeats = alike || declared, stat.DifferRounds; declared {
		opt.Repeats = 1 // its producer says that it repeats
	}
	line := NewLine(opt)
	for _, m := range runs {
		line.Append(m)
	}
	return line.Course()
}

// Keep keeps the steps and outliers of the runs that are shown, and the steps that are
// in force, however long ago they came in; the other steps are Outside. It reports whether
// there is anything left.
func (l *UnitLine) Keep(shown map[string]bool) bool {
	found := slices.ContainsFunc(l.Runs, func(m Point) bool { return shown[m.Run] })
	if !found {
		l.Levels = nil
	}
	l.Steps = slices.DeleteFunc(slices.Clone(l.Steps), func(s Step) bool {
		out := !s.InForce && !shown[s.First.Run]
		if out {
			l.Outside = append(l.Outside, s)
		}
		return out
	})
	l.Outliers = slices.DeleteFunc(l.Outliers, func(o Outlier) bool { return !shown[o.Run] })
	return found || len(l.Steps)+len(l.Outside) > 0
}
