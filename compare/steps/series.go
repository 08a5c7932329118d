package steps

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/compare/units"
	"github.com/perftrack/perftrack/runner/record"
)

// A Series is one benchmark of a target over the commits of one line of development, in commit
// order, the oldest first.
type Series struct {
	Target string
	record.BenchmarkID
	Branch string // "" if it is obvious
	Points []record.HistoryPoint
	Lines  []UnitLine
	Limits compare.Limits // limits in the current configuration
	Check  *Checked       // the last check of a commit on the line, or nil
}

// A UnitLine is the line of one unit of a series in one environment. It omits runs that must not be
// part of a history.
type UnitLine struct {
	Environment string // an EnvironmentID
	Unit        string // as stored
	Tidied      string // as shown
	Better      int    // +1 if higher values are better, -1 if lower, 0 if undeclared
	Course
	Outside []Step // steps to runs not shown, except unresolved regressions; see Keep
}

// In returns the lines of one environment.
func (s Series) In(environment string) []UnitLine {
	return slices.DeleteFunc(slices.Clone(s.Lines), func(l UnitLine) bool { return l.Environment != environment })
}

// DriftAt returns the value that a drift predicts for Runs[at]. ok is false if no drift contains
// that run.
func (c Course) DriftAt(at int) (value float64, ok bool) {
	for _, s := range c.Steps {
		over := slices.IndexFunc(c.Runs, func(m Point) bool { return m.Run == s.First.Run })
		if begin := over - s.Drift; s.Drift > 0 && begin <= at && at <= over {
			return s.From * math.Pow(s.To/s.From, float64(at-begin)/float64(s.Drift)), true
		}
	}
	return 0, false
}

// An AnchorCommit is the commit the values of a history are relative to. The zero value means they
// are not relative to any commit.
type AnchorCommit struct {
	Commit string // its hash or a prefix of it
	Alone  int    // runs left out because the anchor was not measured with them
	Level  int    // runs scaled to the level of the anchor measured with them
}

// A Regression is an unresolved step for the worse; see [Step].
type Regression struct {
	Target string
	record.BenchmarkID
	Branch, Environment string
	Unit, Tidied        string    // as stored and as shown
	When                time.Time // time of the commit, or zero
	Since               time.Time // time of the commit before a drift began
	Step
}

// Regressions lists the unresolved regressions and describes the lines searched for them.
type Regressions struct {
	Anchor AnchorCommit
	List   []Regression // newest first
	Lines  []LineLength // lengths of all lines searched
	Older  int          // number of unresolved regressions left out because of their age
	Hidden int          // runs left out because they must not be part of a history
	Trial  [2]string    // commits of base and head in the newest trial on the line, or ""
	Proved []Proved     // changes that the histories may be too short to show
}

// A LineLength is the number of runs in a line, the number needed for a step, and whether the runs
// are enough to find a step.
type LineLength struct {
	Runs, Needs int
	Enough      bool
}

// UnitLines returns the lines of a benchmark's points, as returned by [UnitsOf]. A unit derived from
// the time is omitted if there is a time, because the unit would show the same step twice. The Unit,
// Better and Exact fields of opt are overwritten for each line.
func UnitLines(all []*UnitPoints, opt Options) (lines []UnitLine) {
	timed := slices.ContainsFunc(all, func(u *UnitPoints) bool { return u.Tidied == "sec/op" })
	for _, u := range all {
		opt.Unit = u.Tidied
		if units.Follows(opt.Unit) && timed {
			continue
		}
		if course := u.course(opt); len(course.Runs) > 0 {
			lines = append(lines, UnitLine{Environment: u.Environment, Unit: u.Unit, Tidied: u.Tidied, Better: u.Better(), Course: course})
		}
	}
	return lines
}

// course returns the course of the baselines. A run carried over to other commits counts once,
// because it was measured only once.
func (u *UnitPoints) course(opt Options) Course {
	runs := make([]Point, 0, len(u.Points))
	declared, alike := true, opt.Unit == "B/op" || opt.Unit == "allocs/op"
	opt.Better = 0
	for i, p := range u.Points {
		if !p.Run.Baseline() || p.CarriedFrom != "" {
			continue
		}
		sum, exact := &u.Summaries[i], p.Run.Exact(u.Unit)
		declared = declared && exact
		opt.Better = cmp.Or(p.Run.Better(u.Unit), opt.Better) // the newest declaration wins
		alike = alike && (exact || sum.N > 1) && isConstant(&p.Benchmark, u.Unit)
		runs = append(runs, Point{Run: p.Run.ID, Commit: p.Run.Commit.SHA, Value: sum.Center, Samples: sum.N})
	}
	if opt.Exact, opt.Repeats = alike || declared, stat.DifferRounds; declared {
		opt.Repeats = 1 // the benchmark program declares that the unit repeats
	}
	return NewLine(opt, runs...).Course()
}

// isConstant reports whether all samples of a unit are equal.
func isConstant(b *record.Benchmark, unit string) bool {
	s, _ := b.Unit(unit)
	return len(slices.Compact(s.Present())) <= 1
}

// Keep keeps the steps and outliers of the shown runs, and all unresolved steps, however old. It
// moves all other steps to Outside and drops all other outliers. It reports whether anything is
// left to show.
func (l *UnitLine) Keep(shown map[string]bool) bool {
	found := slices.ContainsFunc(l.Runs, func(m Point) bool { return shown[m.Run] })
	if !found {
		l.Levels = nil
	}
	l.Steps = slices.DeleteFunc(slices.Clone(l.Steps), func(s Step) bool {
		out := !s.Unresolved && !shown[s.First.Run]
		if out {
			l.Outside = append(l.Outside, s)
		}
		return out
	})
	l.Outliers = slices.DeleteFunc(l.Outliers, func(o Outlier) bool { return !shown[o.Run] })
	return found || len(l.Steps)+len(l.Outside) > 0
}
