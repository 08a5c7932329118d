package history

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
)

// A Coverage describes the benchmarks in the newest runs on a branch, and the failing and missing
// ones.
type Coverage struct {
	Failing []Failing
	Lost    []Lost
	Paces   []Pace // for each target with dated runs
	Behind  bool   // newer runs are for commits unknown here, so this job was restarted for an older commit

	newest map[benchmarkName]int // position of the newest commit with samples of the benchmark
	place  map[string]int        // positions of the branch's commits, counted from the oldest
}

// A Failing is a benchmark, package or target that failed in the newest runs.
type Failing struct {
	Target string
	record.Failure
	Commit string
}

// A Lost is a benchmark that is missing from the newest runs although it did not fail.
type Lost struct {
	Target string
	record.BenchmarkID
	Last  string // newest commit with samples of the benchmark
	Since string // first commit measured without it
}

type benchmarkName struct {
	target string
	record.BenchmarkID
}

// A MeasuredIn is a benchmark together with its runs on a branch.
type MeasuredIn struct {
	Target string
	record.BenchmarkID
	Runs []record.RunInfo
}

// These constants define when a benchmark counts as lost, and for how long a lost or failing
// benchmark is reported.
const (
	runsBefore  = 3  // minimum number of successive runs with it, because partial imports differ in their benchmarks
	recentlyFor = 10 // maximum number of commits measured since then
)

// NewCoverage returns the coverage of a branch, given its benchmarks with their runs, and its
// failed runs. place holds the positions of the branch's commits, counted from the oldest. A run
// counts only for the suites of its benchmarks, so a run with only a profile counts for no suite.
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
	// Drop a failure not retried for a long time, because the target or benchmark was probably
	// removed on purpose.
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

// compare orders runs by commit, and runs of the same commit by time.
func (c Coverage) compare(a, b record.RunInfo) int {
	whenA, _ := a.Measured()
	whenB, _ := b.Measured()
	return cmp.Or(cmp.Compare(c.place[a.Commit.SHA], c.place[b.Commit.SHA]), whenA.Compare(whenB))
}

// failing returns the failures of a target without a later whole run. The successful part of a run,
// stored separately from its failed part, does not count as a later run.
func (c Coverage) failing(all []record.RunInfo) (out []Failing) {
	for i := len(all) - 1; i >= 0; i-- {
		r := all[i]
		later := func(other record.RunInfo) bool { return c.compare(other, r) > 0 && steps.IsWhole(other) }
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

// lost reports whether a benchmark is lost: the last whole runs in an environment contain it, but a
// later whole run in that environment does not, and no run has measured it since. all holds the
// runs for the benchmark's suite. Environments are judged separately, because another machine may
// never have measured the benchmark.
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
	inARow := map[string]int{} // number of successive whole runs with the benchmark, by environment
	for _, r := range all {
		if c.compare(r, last) > 0 {
			later[c.place[r.Commit.SHA]] = true
		}
		switch env := r.EnvironmentID; {
		case !steps.IsWhole(r):
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

// MeasuredAfter reports whether a benchmark named by the failure has samples at the given commit or
// after it.
func (c Coverage) MeasuredAfter(target string, f record.Failure, commit string) bool {
	for b, place := range c.newest {
		names := f.Benchmark == "" && b.target == target || (compare.Failure{Target: target, Failure: f}).Names(b.target, b.BenchmarkID)
		if names && place >= c.place[commit] {
			return true
		}
	}
	return false
}

// Measures reports whether a benchmark has samples at the given commit or after it.
func (c Coverage) Measures(target string, id record.BenchmarkID, commit string) bool {
	place, ok := c.newest[benchmarkName{target, id}]
	return ok && place >= c.place[commit]
}

// A Pace describes how often a target is measured. Usual is the usual gap between runs, or 0 if
// there are too few runs.
type Pace struct {
	Target string
	Newest time.Time // time of the newest run
	Commit string    // commit of the newest run
	Usual  time.Duration
}

// These constants select the runs for finding the usual gap between runs, and the pauses to report.
const (
	paceWindow = 60 * 24 * time.Hour // time considered before the newest run
	paceSpan   = 21 * 24 * time.Hour // minimum time between the first and the last run, to cover two or three weekends
	paceGaps   = 10                  // minimum number of gaps
	together   = time.Hour           // runs less than this apart count as one
	leastPause = 24 * time.Hour      // shorter pauses are never reported
)

// paceOf returns the pace of a target, given its runs. It takes the second longest gap as the usual
// one, so that a single outage does not count.
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

// Stopped reports whether the time since the newest run is more than twice the usual gap. A much
// longer pause is taken to be intended, so it is not reported.
func (p Pace) Stopped(now time.Time) bool {
	pause := now.Sub(p.Newest)
	return p.Usual > 0 && pause > max(2*p.Usual, leastPause) && pause <= max(paceWindow, 4*p.Usual)
}
