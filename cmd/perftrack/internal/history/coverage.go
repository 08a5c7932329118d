package history

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports/site"
	"github.com/perftrack/perftrack/runner/record"
)

// A Coverage is what the newest runs of a branch measure, and what they no longer do.
type Coverage struct {
	Failing []Failing
	Lost    []Lost
	Paces   []Pace // of each target that has runs with a time
	Behind  bool   // the branch was measured since at commits that are not here: a job of an older commit runs again

	newest map[benchmarkName]int // place of the newest commit with samples
	place  map[string]int        // of the branch's commits, the oldest first
}

// A Failing is a benchmark, a package or a whole target that the newest runs tried in vain.
type Failing struct {
	Target string
	record.Failure
	Commit string
}

// A Lost is a benchmark that the newest runs do not have, though nothing of it failed.
type Lost struct {
	Target string
	record.BenchmarkID
	Last  string // newest commit that has it
	Since string // first commit measured without it
}

type benchmarkName struct {
	target string
	record.BenchmarkID
}

// A MeasuredIn is a benchmark and the runs of a branch that have it.
type MeasuredIn struct {
	Target string
	record.BenchmarkID
	Runs []record.RunInfo
}

// When a benchmark counts as lost, and for how long it, or one that fails and is tried no more, is news.
const (
	runsBefore  = 3  // so many runs in a row have to have had it: imports of parts have others each time
	recentlyFor = 10 // measured commits later it is none
)

// NewCoverage tells of benchmarks and their runs, and of the failed runs of a branch, where place orders
// the commits. A run counts for the suites that it has a benchmark of: one of a profile has none.
func NewCoverage(benchmarks []MeasuredIn, failed []record.RunInfo, place map[string]int) Coverage {
	c := Coverage{newest: map[benchmarkName]int{}, place: place}
	type group struct{ target, suite string }
	runs, known := map[group][]record.RunInfo{}, map[group]map[string]bool{}
	add := func(g group, r record.RunInfo) {
		if known[g] == nil {
			known[g] = map[string]bool{}
		}
		if !known[g][r.ID] {
			known[g][r.ID], runs[g] = true, append(runs[g], r)
		}
	}
	const anySuite = "\x00"
	measured := map[int]bool{}
	for _, b := range benchmarks {
		name := benchmarkName{b.Target, b.BenchmarkID}
		for _, r := range b.Runs {
			c.newest[name] = max(c.newest[name], place[r.Commit.SHA])
			measured[place[r.Commit.SHA]] = true
			add(group{b.Target, b.Suite}, r)
			add(group{b.Target, anySuite}, r)
		}
	}
	for _, r := range failed {
		add(group{r.Target, anySuite}, r)
	}
	for _, g := range slices.SortedFunc(maps.Keys(runs), func(a, b group) int { return cmp.Compare(a.target, b.target) }) {
		slices.SortStableFunc(runs[g], c.compare)
		if g.suite != anySuite {
			continue
		}
		c.Failing = append(c.Failing, c.failing(runs[g])...)
		if p := paceOf(runs[g]); !p.Newest.IsZero() {
			c.Paces = append(c.Paces, p)
		}
	}
	// What nobody tries any more was taken out: a target, or a benchmark that always failed.
	c.Failing = slices.DeleteFunc(c.Failing, func(f Failing) bool {
		later := 0
		for at := range measured {
			if at > place[f.Commit] {
				later++
			}
		}
		return later > recentlyFor
	})
	for _, b := range benchmarks {
		if l, ok := c.lost(b, runs[group{b.Target, b.Suite}]); ok {
			c.Lost = append(c.Lost, l)
		}
	}
	return c
}

// compare orders runs by their commits, and those of one commit by when they were measured.
func (c Coverage) compare(a, b record.RunInfo) int {
	whenA, _ := a.Measured()
	whenB, _ := b.Measured()
	return cmp.Or(cmp.Compare(c.place[a.Commit.SHA], c.place[b.Commit.SHA]), whenA.Compare(whenB))
}

// failing returns what failed in the failed runs of a target after which nothing was measured whole.
// The part of a run that succeeded is stored beside the failed part, and is not after it.
func (c Coverage) failing(all []record.RunInfo) (out []Failing) {
	for i := len(all) - 1; i >= 0; i-- {
		r := all[i]
		later := func(other record.RunInfo) bool { return c.compare(other, r) > 0 && site.IsWhole(other) }
		if r.Status != record.Failed || slices.ContainsFunc(all[i:], later) {
			continue
		}
		for _, f := range r.Failures {
			one := Failing{r.Target, f, r.Commit.SHA}
			same := func(o Failing) bool { return o.Benchmark == f.Benchmark }
			if !slices.ContainsFunc(out, same) && !c.MeasuredAfter(r.Target, f, r.Commit.SHA) {
				out = append(out, one)
			}
		}
	}
	slices.Reverse(out)
	return out
}

// lost reports whether the newest whole run in an environment that had the benchmark lacks it, and
// nothing measured it since. Environments are apart: another machine may never have had it.
func (c Coverage) lost(b MeasuredIn, all []record.RunInfo) (l Lost, ok bool) {
	for _, f := range c.Failing {
		if (compare.Failure{Target: f.Target, Failure: f.Failure}).Names(b.Target, b.BenchmarkID) {
			return l, false
		}
	}
	has := map[string]bool{}
	var last record.RunInfo
	for i, r := range b.Runs {
		if has[r.ID] = true; i == 0 || c.compare(r, last) > 0 {
			last = r
		}
	}
	later := map[int]bool{}
	inARow := map[string]int{} // whole runs that had it, by environment
	for _, r := range all {
		if c.compare(r, last) > 0 {
			later[c.place[r.Commit.SHA]] = true
		}
		switch env := r.EnvironmentID; {
		case !site.IsWhole(r):
		case has[r.ID]:
			inARow[env]++
		case c.compare(r, last) > 0 && inARow[env] >= runsBefore && !ok:
			l, ok = Lost{b.Target, b.BenchmarkID, last.Commit.SHA, r.Commit.SHA}, true
		case c.compare(r, last) < 0:
			inARow[env] = 0
		}
	}
	return l, ok && len(later) <= recentlyFor
}

// Has reports whether a commit is on the branch.
func (c Coverage) Has(commit string) bool { return c.place[commit] > 0 }

// MeasuredAfter reports whether any benchmark that a failure names has samples of a commit or one after it.
func (c Coverage) MeasuredAfter(target string, f record.Failure, commit string) bool {
	for b, place := range c.newest {
		names := f.Benchmark == "" && b.target == target || (compare.Failure{Target: target, Failure: f}).Names(b.target, b.BenchmarkID)
		if names && place >= c.place[commit] {
			return true
		}
	}
	return false
}

// Measures reports whether a benchmark has samples of a commit or one after it.
func (c Coverage) Measures(target string, id record.BenchmarkID, commit string) bool {
	place, ok := c.newest[benchmarkName{target, id}]
	return ok && place >= c.place[commit]
}

// A Pace is how often a target is measured.
type Pace struct {
	Target string
	Newest time.Time // when its newest run was measured
	Commit string    // of that run
	Usual  time.Duration
}

// What a usual gap is learnt from.
const (
	paceWindow = 60 * 24 * time.Hour // before the newest run
	paceSpan   = 21 * 24 * time.Hour // at least: with two week-ends or three
	paceGaps   = 10                  // at least
	together   = time.Hour           // runs that follow each other in less are one
	leastPause = 24 * time.Hour      // shorter ones are never news
)

// paceOf returns the pace of the runs of one target. Usual is the second longest gap, so that one outage
// teaches nothing; 0 where there are too few to know.
func paceOf(runs []record.RunInfo) (p Pace) {
	var times []time.Time
	for _, r := range runs {
		at, known := r.Measured()
		if !known || !r.Baseline() && r.CarriedFrom() == "" {
			continue
		}
		times = append(times, at)
		if at.After(p.Newest) {
			p = Pace{Target: r.Target, Newest: at, Commit: r.Commit.SHA}
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	var gaps []time.Duration
	var first time.Time
	for i, at := range times {
		if p.Newest.Sub(at) > paceWindow {
			continue
		}
		if first.IsZero() {
			first = at
		} else if gap := at.Sub(times[i-1]); gap >= together {
			gaps = append(gaps, gap)
		}
	}
	if len(gaps) >= paceGaps && p.Newest.Sub(first) >= paceSpan {
		slices.Sort(gaps)
		p.Usual = gaps[len(gaps)-2]
	}
	return p
}

// Stopped reports whether nothing was measured for longer than usual: more than twice the usual gap. After
// the window that the usual gap is learnt from, it is intended.
func (p Pace) Stopped(now time.Time) bool {
	pause := now.Sub(p.Newest)
	return p.Usual > 0 && pause > max(2*p.Usual, leastPause) && pause <= max(paceWindow, 4*p.Usual)
}
