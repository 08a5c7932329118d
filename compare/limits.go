package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/compare/units"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
)

// A limit bounds a value rather than a change, so a single run can be judged by it. The machine's
// noise has its full effect on the value: the interval describes this machine on that day.

// Limits holds the limits in a configuration, and the error rate for judging them.
type Limits struct {
	List  limit.List
	Alpha float64 // probability that the interval is wrong at a given end; 0 means the default of Options
}

// A Judged is the result of judging one side's samples by a limit.
type Judged struct {
	State          limit.State // "" if the side has no sample
	Center, Lo, Hi float64     // the median and its interval: infinite if there are too few samples
	N              int
	Needs          int // number of samples needed for an interval, if there were too few
}

// Judge judges samples by the limits of a benchmark. It returns the limits and a result for each of
// them, with values in the tidied unit. exact reports whether the unit was declared exact.
func (ls Limits) Judge(bench string, s record.Samples, exact bool) (of limit.List, found []Judged) {
	values, unit := units.Tidied(s)
	of = ls.List.Of(bench, unit)
	return of, ls.judgeAll(of, values, unit, exact)
}

// JudgeOn judges values in a tidied unit by the limits of a subject, as [Limits.Judge] does.
func (ls Limits) JudgeOn(on limit.Subject, name string, values []float64, unit string, exact bool) (of limit.List, found []Judged) {
	of = ls.List.OfOn(on, name, unit)
	return of, ls.judgeAll(of, values, unit, exact)
}

func (ls Limits) judgeAll(of limit.List, values []float64, unit string, exact bool) (found []Judged) {
	for _, l := range of {
		found = append(found, ls.judge(l, values, unit, exact))
	}
	return found
}

func (ls Limits) judge(l limit.Limit, values []float64, unit string, exact bool) Judged {
	if len(values) == 0 {
		return Judged{}
	}
	alpha := Options{Alpha: ls.Alpha}.withDefaults().Alpha
	j := Judged{N: len(values)}
	if j.Center, j.Lo, j.Hi = stat.MedianInterval(values, alpha); exact && constant(values) {
		j.Lo, j.Hi = values[0], values[0]
	} else if needs := stat.MedianNeeds(alpha); j.N < needs {
		j.Needs = needs
	}
	j.State = l.Judge(j.Lo, j.Hi, unit)
	return j
}

// A RunLimit is a limit applied to a benchmark in a run.
type RunLimit struct {
	limit.Limit
	Run  *record.Run
	ID   record.BenchmarkID
	Unit string // the tidied unit
	Judged
}

// Of judges all benchmarks in the runs, in order. It skips runs of anchors. unmatched names the
// limits without a match; ok is false if all limits match.
func (ls Limits) Of(runs ...*record.Run) (all []RunLimit, unmatched Caveat, ok bool) {
	matched := Matching{}
	for _, run := range runs {
		if anchors.Is(run) {
			continue
		}
		for i := range run.Benchmarks {
			b := &run.Benchmarks[i]
			for _, s := range b.Series() {
				if b.Kind == record.Bench && len(s.Present()) > 0 {
					matched.Add(ls.List, limit.Benchmark, b.Name, s.Unit)
				}
			}
			all = append(all, ls.OfBenchmark(run, b)...)
		}
	}
	unmatched, ok = matched.Caveat(ls.List)
	return all, unmatched, ok
}

// OfBenchmark judges one benchmark of a run. There are no limits for profiles.
func (ls Limits) OfBenchmark(run *record.Run, b *record.Benchmark) (all []RunLimit) {
	for _, s := range b.Series() {
		if b.Kind != record.Bench || len(s.Present()) == 0 {
			continue
		}
		_, unit := units.Tidied(s)
		of, found := ls.Judge(b.Name, s, run.Exact(s.Unit))
		for k, l := range of {
			all = append(all, RunLimit{Limit: l, Run: run, ID: b.BenchmarkID, Unit: unit, Judged: found[k]})
		}
	}
	return all
}

// addLimits judges each row by its benchmark's limits. A harmless change is blamed only if both
// sides are judged wrongly. The probability of this is alpha squared if the true value equals the
// limit, and less otherwise.
func (c *Comparison) addLimits() {
	ls := Limits{c.Options.Limits, c.Options.Alpha}
	for i := range c.Tables {
		t := &c.Tables[i]
		for _, r := range t.Rows {
			if t.Kind != record.Bench {
				continue
			}
			for _, l := range ls.List.Of(r.Name, r.Unit) {
				one := RowLimit{Limit: l}
				one.Base, one.Head = ls.judge(l, r.values[base], r.Unit, r.declared), ls.judge(l, r.values[head], r.Unit, r.declared)
				one.Worse = one.Head.State == limit.Missed &&
					(one.Base.State == limit.Met || one.Base.State == limit.Unknown && t.Trial && !c.failedInBase(r))
				r.Limits = append(r.Limits, one)
			}
		}
	}
	c.noteLimits(c.Options.Limits)
}

// failedInBase reports whether base has the row's benchmark but could not measure it.
func (c *Comparison) failedInBase(r *Row) bool {
	return slices.ContainsFunc(c.Failures, func(f Failure) bool {
		return f.Side == record.Base && f.Target == r.Target && (f.Benchmark == "" || f.Names(r.Target, r.BenchmarkID))
	})
}

// noteLimits adds a caveat about limits without a matching row, unless no benchmarks were measured.
func (c *Comparison) noteLimits(all limit.List) {
	matched, benchmarks := Matching{}, false
	for r := range c.Rows() {
		if r.Kind == record.Bench {
			benchmarks = true
			matched.Add(all, limit.Benchmark, r.Name, r.Unit)
		}
	}
	if note, ok := matched.Caveat(all); ok && benchmarks {
		c.addCaveat(note)
	}
}

// FailedLimits returns the number of limits that head misses but base does not, except those whose
// miss was accepted. It counts only limits in trials unless unpaired is set.
func (c *Comparison) FailedLimits(unpaired bool) (n int) {
	for _, t := range c.Tables {
		for _, r := range t.Rows {
			for _, l := range r.Limits {
				if l.Worse && l.Accepted == "" && (unpaired || t.Trial) {
					n++
				}
			}
		}
	}
	return n
}

// UndecidedLimits returns the number of limits that head's samples do not decide.
func (c *Comparison) UndecidedLimits() (n int) {
	for r := range c.Rows() {
		for _, l := range r.Limits {
			if l.Head.State == limit.Undecided {
				n++
			}
		}
	}
	return n
}

// Matching is the set of limits with a match.
type Matching map[limit.Limit]bool

// Add records those limits in all that bound a subject in a unit.
func (m Matching) Add(all limit.List, on limit.Subject, name, unit string) {
	for _, l := range all {
		if l.BoundsOn(on, name, unit) {
			m[l] = true
		}
	}
}

// maxNamed is the largest number of limits that a caveat names.
const maxNamed = 5

// Caveat returns a note naming the limits in all without a match; ok is false if all limits
// matched.
func (m Matching) Caveat(all limit.List) (note Caveat, ok bool) {
	var names []string
	for _, l := range all {
		if !m[l] && !slices.Contains(names, l.String()) {
			names = append(names, l.String())
		}
	}
	if n := len(names); n > maxNamed {
		names = append(names[:maxNamed:maxNamed], fmt.Sprintf("and %d more", n-maxNamed))
	}
	return Caveat{CodeLimit, "limits that match no benchmark and unit", strings.Join(names, "; ")}, len(names) > 0
}
