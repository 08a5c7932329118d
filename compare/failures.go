package compare

import (
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// Unbuilt returns the packages that do not build on the head side. Their benchmarks were not
// checked, and no error rate covers them.
func (c *Comparison) Unbuilt() (packages []string) {
	for _, f := range c.Failures {
		if f.Side == record.Head && f.Unbuilt() {
			packages = append(packages, f.Benchmark)
		}
	}
	return packages
}

// A FailedTarget is a target that could not be measured because one side failed.
type FailedTarget struct {
	Target string
	Side   record.Side // the failed side; "" for both
}

// FailedTargets returns the targets that failed as a whole, and those in which nothing was judged
// because a side failed. They must not pass the gate: without anything to compare with, a head of
// any speed would pass.
func (c *Comparison) FailedTargets() (targets []FailedTarget) {
	for _, f := range c.Failures {
		i := slices.IndexFunc(targets, func(t FailedTarget) bool { return t.Target == f.Target })
		switch {
		case i >= 0 && targets[i].Side != f.Side:
			targets[i].Side = ""
		case i < 0 && (f.what() == FailedWholly || !c.judged(f.Target)):
			targets = append(targets, FailedTarget{f.Target, f.Side})
		}
	}
	for _, u := range c.Untried {
		tried := func(r *record.Run) bool { return r.Target == u.Target }
		if len(u.Benchmarks) == 0 && slices.ContainsFunc(c.Head.Runs, tried) {
			targets = append(targets, FailedTarget{u.Target, record.Head})
		}
	}
	return targets
}

// judged reports whether anything in a target was compared or needed no measurement.
func (c *Comparison) judged(target string) bool {
	return slices.ContainsFunc(c.Tables, func(t Table) bool {
		return t.Target == target && slices.ContainsFunc(t.Rows, (*Row).Compared)
	}) || slices.ContainsFunc(c.Same, func(s SameCode) bool { return s.Target == target }) ||
		slices.ContainsFunc(c.Unreached, func(u Unreached) bool { return u.Target == target })
}

// BrokenByHead returns the benchmarks that fail on the head side but not on the base side.
func (c *Comparison) BrokenByHead() (broken []Failure) {
	for _, f := range c.Failures {
		if f.Side != record.Head || f.Benchmark == "" || f.Unbuilt() {
			continue
		}
		if !slices.ContainsFunc(c.Failures, func(b Failure) bool { return b.Side == record.Base && b.includes(f) }) {
			broken = append(broken, f)
		}
	}
	return broken
}

// includes reports whether the subject of f equals or contains the subject of other.
func (f Failure) includes(other Failure) bool {
	return f.Target == other.Target && (f.Benchmark == other.Benchmark || f.Benchmark == "" || f.Benchmark == f.Target ||
		f.Unbuilt() && strings.HasPrefix(other.Benchmark, f.Benchmark+"."))
}

// FailsInBoth reports whether the benchmark, package or target also failed on the other side, so
// that the change is not the cause.
func (c *Comparison) FailsInBoth(f Failure) bool {
	return slices.ContainsFunc(c.Failures, func(other Failure) bool {
		return other.Side != f.Side && other.Target == f.Target && other.Benchmark == f.Benchmark
	})
}

// CountMissing counts the benchmarks missing on the head side, except those failing there.
func (c *Comparison) CountMissing() (n int) {
	for _, u := range c.Missing {
		fails := func(f Failure) bool { return f.Side == record.Head && f.Names(u.Target, u.BenchmarkID) }
		if u.Unit == "" && !slices.ContainsFunc(c.Failures, fails) {
			n++
		}
	}
	return n
}

// Failed is the number of failures of one kind.
type Failed struct {
	What FailedWhat
	Side record.Side // the failed side; "" for both
	N    int
}

// A FailedWhat is the kind of thing that failed. A failed package or target is counted as one,
// because the number of benchmarks in it is unknown.
type FailedWhat string

// The values of FailedWhat.
const (
	FailedBenchmark FailedWhat = "benchmark"
	FailedPackage   FailedWhat = "package" // a package that does not build
	FailedBuild     FailedWhat = "build"   // a target that consists of one program, which does not build
	FailedWholly    FailedWhat = "target"  // a target that failed for another reason
)

// what returns the kind of thing that failed.
func (f Failure) what() FailedWhat {
	switch {
	case f.Unbuilt() && f.Benchmark == f.Target:
		return FailedBuild
	case f.Unbuilt():
		return FailedPackage
	case f.Benchmark == "":
		return FailedWholly
	}
	return FailedBenchmark
}

// CountFailures returns the number of failures of each kind, in a fixed order. A failure on both
// sides counts once.
func (c *Comparison) CountFailures() (all []Failed) {
	type failed struct{ target, benchmark string }
	n := map[Failed]map[failed]bool{}
	for _, f := range c.Failures {
		key := Failed{What: f.what(), Side: f.Side}
		if c.FailsInBoth(f) {
			key.Side = ""
		}
		if n[key] == nil {
			n[key] = map[failed]bool{}
		}
		n[key][failed{f.Target, f.Benchmark}] = true
	}
	for _, what := range []FailedWhat{FailedBuild, FailedPackage, FailedWholly, FailedBenchmark} {
		for _, side := range []record.Side{record.Head, record.Base, ""} {
			key := Failed{What: what, Side: side}
			if of := len(n[key]); of > 0 {
				key.N = of
				all = append(all, key)
			}
		}
	}
	return all
}

func (c *Comparison) addFailures(side record.Side, runs []*record.Run) {
	for i, r := range runs {
		if len(r.Benchmarks) == 0 && slices.ContainsFunc(runs[i+1:], func(later *record.Run) bool { return later.Target == r.Target }) {
			continue // the trial was continued, so the later run has the result
		}
		for _, failure := range r.Failures {
			f := Failure{Side: side, Target: r.Target, Failure: failure}
			// A failure was temporary if its benchmark was measured when the trial was continued.
			if !slices.ContainsFunc(runs[i+1:], f.passed) {
				c.Failures = append(c.Failures, f)
			}
		}
	}
}

// passed reports whether a later run has samples for the failed benchmark or benchmarks.
func (f Failure) passed(later *record.Run) bool {
	return slices.ContainsFunc(later.Benchmarks, func(b record.Benchmark) bool { return f.Names(later.Target, b.BenchmarkID) })
}

// of reports whether the failure concerns a row's benchmark: it names the benchmark, one that
// contains it, or a target that consists of one program.
func (f Failure) of(r *Row) bool { return f.Names(r.Target, r.BenchmarkID) }

// Names reports whether the failure covers a benchmark, either alone or together with everything
// else that failed with it.
func (f Failure) Names(target string, id record.BenchmarkID) bool {
	switch {
	case f.Target != target:
		return false
	case f.Benchmark == target, f.Unbuilt() && f.Benchmark == id.Package:
		return true
	}
	for name := id.Name; name != ""; name = name[:max(0, strings.LastIndexByte(name, '/'))] {
		if f.Benchmark == name || f.Benchmark == id.Package+"."+name {
			return true
		}
	}
	return false
}
