package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
)

// A limit is of a value itself, not of a change, so that one run can be judged by it. What
// the machine does enters in full: the interval is of what this machine does that day.

// Limits are the limits of a configuration, and the error rate by which they are judged.
type Limits struct {
	List  limit.List
	Alpha float64 // chance that the interval errs at one given end; 0 is the default of Options
}

// A Judged is what the samples of one side say of a limit.
type Judged struct {
	State          limit.State // "" where the side has no sample
	Center, Lo, Hi float64     // of the median, in the unit of the samples; Lo and Hi are infinite for too few samples
	N              int
	Needs          int // samples that an interval takes, where there were too few
}

// Judge judges samples by the limits of a benchmark, which it returns beside what it finds.
// Exact is whether the unit was declared so. The values are in the tidied unit.
func (ls Limits) Judge(bench string, s record.Samples, exact bool) (of limit.List, found []Judged) {
	values, unit := tidied(s)
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

// A RunLimit is a limit of a benchmark of a run.
type RunLimit struct {
	limit.Limit
	Run  *record.Run
	ID   record.BenchmarkID
	Unit string // tidied
	Judged
}

// Of judges all benchmarks of runs, in the order of the runs, but for anchors. The caveat
// names the limits that bound nothing of them; ok is false where there are none.
func (ls Limits) Of(runs ...*record.Run) (all []RunLimit, unmatched Caveat, ok bool) {
	matched := Matching{}
	for _, run := range runs {
		if IsAnchor(run) {
			continue
		}
		for i := range run.Benchmarks {
			b := &run.Benchmarks[i]
			for _, s := range b.Samples {
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

// OfBenchmark judges one benchmark of a run, that of a profile by none.
func (ls Limits) OfBenchmark(run *record.Run, b *record.Benchmark) (all []RunLimit) {
	for _, s := range b.Samples {
		if b.Kind != record.Bench || len(s.Present()) == 0 {
			continue
		}
		_, unit := tidied(s)
		of, found := ls.Judge(b.Name, s, run.Exact(s.Unit))
		for k, l := range of {
			all = append(all, RunLimit{Limit: l, Run: run, ID: b.BenchmarkID, Unit: unit, Judged: found[k]})
		}
	}
	return all
}

// A RowLimit is a limit of a row of a comparison.
type RowLimit struct {
	limit.Limit
	Base, Head Judged
	// Worse says that head misses what base meets, or in a trial does not have.
	Worse    bool
	Accepted string // why that is intended, see [Accepted.Explain]
}

// addLimits judges each row by the limits of its benchmark. That both sides were judged
// wrongly, so that a change which changed nothing is blamed, has a chance of the square of
// alpha if the true value lies at the limit, and less anywhere else.
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

// failedInBase reports whether base has a row's benchmark and could not measure it.
func (c *Comparison) failedInBase(r *Row) bool {
	return slices.ContainsFunc(c.Failures, func(f Failure) bool {
		return f.Side == record.Base && f.Target == r.Target && (f.Benchmark == "" || f.Names(r.Target, r.BenchmarkID))
	})
}

// noteLimits adds the caveat of the limits that bound no row. Of profiles, and where nothing
// was measured, there is nothing to say.
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

// FailedLimits counts the limits that head misses and base does not, of trials, or with
// apart of any runs, and that nobody accepted.
func (c *Comparison) FailedLimits(apart bool) (n int) {
	for _, t := range c.Tables {
		for _, r := range t.Rows {
			for _, l := range r.Limits {
				if l.Worse && l.Accepted == "" && (apart || t.Trial) {
					n++
				}
			}
		}
	}
	return n
}

// UndecidedLimits counts the limits of head that its samples do not decide.
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

// Matching has the limits that bound something.
type Matching map[limit.Limit]bool

// Add notes the limits that bound a subject in a unit.
func (m Matching) Add(all limit.List, on limit.Subject, name, unit string) {
	for _, l := range all {
		if l.BoundsOn(on, name, unit) {
			m[l] = true
		}
	}
}

// maxNamed is how many limits a caveat names.
const maxNamed = 5

// Caveat names the limits that bound nothing.
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
	return Caveat{CodeLimit, "limits that nothing measured here has the name and the unit of", strings.Join(names, "; ")}, len(names) > 0
}
