package documents

import (
	"cmp"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/history"
	"github.com/perftrack/perftrack/runner/record"
)

// Annotations look up the steps of one benchmark in git and in the acceptances. The functions may
// be nil.
type Annotations struct {
	// Reason returns why a change between two commits was accepted, or "" if it was not accepted.
	Reason func(last, first string) string
	// Commits returns the number of commits on the site's branch after last, up to and including
	// first. It returns 0 if unknown.
	Commits   func(last, first string) int
	OneTarget bool // the site has only one target
	Opaque    bool // the functions of the target cannot be profiled
}

// A History is the history of a benchmark on one branch.
type History struct {
	steps.Series
	First bool // the branch is the site's branch
	// All holds the stored points of the benchmark, including anchors (builds of a baseline commit
	// measured next to other points).
	All []record.HistoryPoint
	// Levelled reports whether the values of a run were moved to the level of the anchor next to
	// it. It may be nil.
	Levelled func(run *record.RunInfo) bool
	Annotations
	Units []*steps.UnitPoints // see [steps.WithCourses]; computed if nil
}

func (h History) byUnit() []*steps.UnitPoints {
	if h.Units != nil {
		return h.Units
	}
	return h.ByUnit()
}

// NewLines returns the lines of a history, one for each unit and environment.
func NewLines(h History, at Lookup) []Line {
	lines := []Line{}
	beside := h.anchors()
	for _, u := range h.byUnit() {
		l := newLine(u, at)
		if !h.First {
			l.Branch = cmp.Or(h.Branch, "another branch")
		}
		l.Ratio = beside.ratios(u)
		for i, p := range u.Points {
			if h.Levelled == nil || !h.Levelled(p.Run) {
				continue
			}
			if base := beside.of(p, ""); base != nil && anchors.Level(base, u.Unit) > 0 { // counts and rates are not moved
				l.Levelled = append(l.Levelled, i)
			}
		}
		if u.Course != nil {
			places := u.Positions()
			l.Needs, l.Enough = u.Course.Needs, u.Course.Enough
			for _, v := range u.Course.Levels {
				l.Levels = append(l.Levels, Level{places[v.First], places[v.End-1] + 1, Number(v.Center)})
			}
			l.Steps = h.steps(u, places)
			for _, o := range u.Outliers() {
				l.Outliers = append(l.Outliers, Outlier{o.At, Number(o.Change), o.Open})
			}
		}
		lines = append(lines, l)
	}
	shareColumns(lines)
	return lines
}

// shareColumns lets equal columns share their memory, because a site holds the lines of all
// benchmarks at once.
func shareColumns(lines []Line) {
	for i := range lines {
		l := &lines[i]
		share(&l.Lo, l.Value)
		share(&l.Hi, l.Value)
		if i > 0 {
			share(&l.Commit, lines[i-1].Commit)
			share(&l.Run, lines[i-1].Run)
			share(&l.N, lines[i-1].N)
		}
	}
}

func share[S ~[]E, E comparable](column *S, other S) {
	if slices.Equal(*column, other) {
		*column = other
	}
}

// maxRunSamples is roughly the maximum number of samples in a line. Only the newest runs have
// samples.
const maxRunSamples = 2000

// newLine returns a line with the columns for the points, but without steps.
func newLine(u *steps.UnitPoints, at Lookup) Line {
	n := len(u.Points)
	l := Line{
		Environment: at.Environment(u.Environment), Unit: u.Tidied, Better: u.Better(), Derived: u.Derived(),
		Commit: make([]int, n), Run: make([]int, n), Value: make([]Number, n), Lo: make([]Number, n), Hi: make([]Number, n), N: make([]int, n),
		Samples: []Numbers{}, Levels: []Level{}, Steps: []Step{}, Outliers: []Outlier{},
	}
	for i, p := range u.Points {
		sum := u.Summaries[i]
		l.Commit[i], l.Run[i] = at.Commit(p.Run.Commit.SHA), at.Run(p.Run.ID)
		l.Value[i], l.Lo[i], l.Hi[i], l.N[i] = Number(sum.Center), Number(sum.Lo), Number(sum.Hi), sum.N
		switch {
		case p.CarriedFrom != "":
			l.Carried = append(l.Carried, i)
		case !p.Run.Baseline():
			l.Aside = append(l.Aside, i)
		}
	}
	left := maxRunSamples
	for _, p := range slices.Backward(u.Points) {
		samples := tidySamples(&p.Benchmark, u.Unit)
		if left -= len(samples); left < 0 {
			break
		}
		if n := len(l.Samples); n > 0 {
			share(&samples, l.Samples[n-1])
		}
		l.Samples = append(l.Samples, samples)
	}
	slices.Reverse(l.Samples)
	return l
}

// tidySamples returns the samples of one unit in the order of rounds, converted to the tidied unit.
func tidySamples(b *record.Benchmark, unit string) Numbers {
	s, _ := b.Unit(unit)
	one, _ := compare.Summarize(record.Samples{Unit: unit, Values: []float64{1}}, false, reports.Confidence)
	out := make(Numbers, len(s.Values))
	for i, v := range s.Values {
		out[i] = Number(v * one.Center)
	}
	return out
}

// steps returns the steps of a unit with the commands for each. places holds the index of each
// run's point.
func (h History) steps(u *steps.UnitPoints, places []int) []Step {
	at := make(map[string]int, len(places))
	for i, r := range u.Course.Runs {
		at[r.Run] = places[i]
	}
	out := []Step{}
	for _, v := range u.Course.Steps {
		one := Step{
			Last: at[v.Last.Run], First: at[v.First.Run], Drift: v.Drift, From: Number(v.From), To: Number(v.To),
			Change: Number(v.Shift.Center), Lo: Number(v.Shift.Lo), Hi: Number(v.Shift.Hi), Absolute: v.Shift.Absolute, Now: Number(v.Now), State: string(v.State()), Found: v.Found.Commit,
		}
		last, first := v.Last.Commit, v.First.Commit
		if h.Commits != nil {
			one.Commits = h.Commits(last, first)
		}
		if h.Reason != nil && one.State == "accepted" {
			one.Reason = h.Reason(last, first)
		}
		p := history.StepRange{
			Target: h.Target, BenchmarkID: h.BenchmarkID, Unit: u.Unit, After: last, UpTo: first, Found: v.Found, Commits: one.Commits, Drift: v.Drift,
			OneTarget: h.OneTarget, Opaque: h.Opaque, DefaultUnits: u.Unit == "ns/op" || u.Unit == "sec/op",
		}
		if h.Kind == record.Bench && last != first { // scopes cannot be searched, only their benchmarks
			one.Bisect = p.FindCommand()
		}
		if v.Verdict == compare.Regressed && !v.Accepted {
			one.Accept = p.AcceptCommand()
		}
		out = append(out, one)
	}
	return out
}

// numberOrNil returns a pointer to v for an optional field of the index, or nil if v is NaN or
// infinite.
func numberOrNil(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	if v != math.Trunc(v) { // do not round counts
		v = float64(rounded(v))
	}
	return &v
}
