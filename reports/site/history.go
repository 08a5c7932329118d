package site

import (
	"cmp"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// A Told is what git and the acceptances say of a step of one benchmark. Its functions may
// be nil.
type Told struct {
	// Reason is why a change between two commits was accepted, "" where nobody said.
	Reason func(last, first string) string
	// Commits counts those after last up to first on the site's branch, 0 where that is unknown.
	Commits   func(last, first string) int
	OneTarget bool // there is no other target in the site
}

// A History is a benchmark over the commits of one line of development.
type History struct {
	steps.Series
	First bool // the site's branch
	// All are the points of the benchmark as they are stored, those of anchors among them.
	All []record.HistoryPoint
	// Levelled reports whether the values of a run are told at the level of the anchor beside it; nil for none.
	Levelled func(run string) bool
	Told

	made []*stretch // see Prepare
}

// Prepare computes what rows and lines have in common, for a history of which both are made.
func (h *History) Prepare() { h.made = h.stretches() }

// A stretch is the points of a history in one environment and unit, the oldest first.
type stretch struct {
	environment string
	unit        string // as stored
	tidied      string
	points      []*record.HistoryPoint
	sums        []compare.Summary
	course      *steps.Course // nil where steps are those of another unit, or no run may stand in a history
}

// stretches returns what a history has of each environment and unit. Those of the environment
// measured last go first, and in it the time. What follows from another unit has no course.
func (h History) stretches() []*stretch {
	if h.made != nil {
		return h.made
	}
	var all []*stretch
	type key struct{ environment, unit string }
	at := map[key]*stretch{}
	newest := map[string]int64{}
	for i := range h.Points {
		p := &h.Points[i]
		newest[p.Run.EnvironmentID] = max(newest[p.Run.EnvironmentID], measured(&p.Run.Run))
		for _, s := range p.Benchmark.Samples {
			k := key{p.Run.EnvironmentID, s.Unit}
			sum, tidied := compare.Summarize(s, p.Run.Exact(s.Unit), reports.Confidence)
			if sum.N == 0 {
				continue
			}
			one := at[k]
			if one == nil {
				one = &stretch{environment: k.environment, unit: k.unit, tidied: tidied}
				at[k], all = one, append(all, one)
			}
			one.points, one.sums = append(one.points, p), append(one.sums, sum)
		}
	}
	for i := range h.Lines {
		if one := at[key{h.Lines[i].Environment, h.Lines[i].Unit}]; one != nil {
			one.course = &h.Lines[i].Course
		}
	}
	slices.SortStableFunc(all, func(x, y *stretch) int {
		return cmp.Or(cmp.Compare(newest[y.environment], newest[x.environment]), cmp.Compare(x.environment, y.environment), record.CompareUnits(x.unit, y.unit))
	})
	return all
}

// better is what the newest run says that says it.
func (s *stretch) better() int {
	for _, p := range slices.Backward(s.points) {
		if b := p.Run.Better(s.unit); b != 0 {
			return b
		}
	}
	return 0
}

// places returns where the runs of the course are among the points.
func (s *stretch) places() []int {
	at := make([]int, 0, len(s.course.Runs))
	i := 0
	for _, r := range s.course.Runs { // a part of the points, in their order
		for i < len(s.points) && s.points[i].Run.ID != r.Run {
			i++
		}
		at = append(at, i)
		i++
	}
	return at
}

// stateOf says in one word what became of a step.
func stateOf(s steps.Step) string {
	switch {
	case s.Verdict == compare.Regressed && s.Accepted:
		return "accepted"
	case s.InForce:
		return "regressed"
	case s.Verdict == compare.Regressed, s.Recovers:
		return "recovered"
	}
	return string(s.Verdict)
}

// NewLines returns the lines of a history.
func NewLines(h History, at Places) []Line {
	lines := []Line{}
	anchors := h.anchors()
	for _, s := range h.stretches() {
		l := s.line(at)
		if !h.First {
			l.Branch = cmp.Or(h.Branch, "another branch")
		}
		l.Ratio = anchors.ratios(s)
		for i, p := range s.points {
			if h.Levelled == nil || !h.Levelled(p.Run.ID) {
				continue
			}
			if base := anchors.of(p, ""); base != nil && compare.AnchorLevel(base, s.unit) > 0 { // no count, nor a rate
				l.Levelled = append(l.Levelled, i)
			}
		}
		if s.course != nil {
			places := s.places()
			l.Needs, l.Enough = s.course.Needs, s.course.Enough
			for _, v := range s.course.Levels {
				l.Levels = append(l.Levels, Level{places[v.First], places[v.End-1] + 1, Number(v.Center)})
			}
			l.Steps = h.steps(s, places)
			l.Outliers = s.outliers(places)
		}
		lines = append(lines, l)
	}
	return lines
}

// maxRunSamples is how many samples a line has at most of its newest runs, about.
const maxRunSamples = 2000

// line is what the points measured.
func (s *stretch) line(at Places) Line {
	n := len(s.points)
	l := Line{
		Environment: at.Environment(s.environment), Unit: s.tidied, Better: s.better(), Derived: s.course == nil && compare.Follows(s.tidied),
		Commit: make([]int, n), Run: make([]int, n), Value: make([]Number, n), Lo: make([]Number, n), Hi: make([]Number, n), N: make([]int, n),
		Samples: [][]Number{}, Levels: []Level{}, Steps: []Step{}, Outliers: []Outlier{},
	}
	for i, p := range s.points {
		sum := s.sums[i]
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
	for _, p := range slices.Backward(s.points) {
		samples := tidySamples(&p.Benchmark, s.unit)
		if left -= len(samples); left < 0 {
			break
		}
		l.Samples = append(l.Samples, samples)
	}
	slices.Reverse(l.Samples)
	return l
}

// tidySamples are the samples of one unit in the order of rounds, in the tidied unit.
func tidySamples(b *record.Benchmark, unit string) []Number {
	s, _ := b.Unit(unit)
	one, _ := compare.Summarize(record.Samples{Unit: unit, Values: []float64{1}}, false, reports.Confidence)
	out := make([]Number, len(s.Values))
	for i, v := range s.Values {
		out[i] = Number(v * one.Center)
	}
	return out
}

func (s *stretch) outliers(places []int) []Outlier {
	out := []Outlier{}
	i := 0
	for _, o := range s.course.Outliers { // in the order of the runs
		for i < len(places) && s.course.Runs[i].Run != o.Run {
			i++
		}
		if i < len(places) {
			out = append(out, Outlier{places[i], Number(o.Change), o.Open})
		}
	}
	return out
}

// steps are those of a stretch, with what is to be done about each.
func (h History) steps(s *stretch, places []int) []Step {
	at := make(map[string]int, len(places))
	for i, r := range s.course.Runs {
		at[r.Run] = places[i]
	}
	out := []Step{}
	for _, v := range s.course.Steps {
		one := Step{
			Last: at[v.Last.Run], First: at[v.First.Run], Drift: v.Drift, From: Number(v.From), To: Number(v.To),
			Change: Number(v.Shift.Center), Lo: Number(v.Shift.Lo), Hi: Number(v.Shift.Hi), Absolute: v.Shift.Absolute, Now: Number(v.Now), State: stateOf(v), Found: v.Found.Commit,
		}
		last, first := v.Last.Commit, v.First.Commit
		if h.Commits != nil {
			one.Commits = h.Commits(last, first)
		}
		if h.Reason != nil && one.State == "accepted" {
			one.Reason = h.Reason(last, first)
		}
		p := Place{
			Target: h.Target, BenchmarkID: h.BenchmarkID, Unit: s.unit, After: last, UpTo: first, Found: v.Found, Commits: one.Commits, Drift: v.Drift,
			OneTarget: h.OneTarget, DefaultUnits: s.unit == "ns/op" || s.unit == "sec/op",
		}
		if h.Kind == record.Bench && last != first { // a scope is searched by the benchmark that it is of
			one.Bisect = FindCommand(p)
		}
		if v.Verdict == compare.Regressed && !v.Accepted {
			one.Accept = AcceptCommand(p)
		}
		out = append(out, one)
	}
	return out
}

// numberOrNil is a number for those fields of the index that may be missing.
func numberOrNil(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	if v != math.Trunc(v) { // counts stay whole
		v = float64(rounded(v))
	}
	return &v
}
