package compare

import (
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// Unbuilt are the packages of the head side that do not build: whatever they measure was
// not checked, and no rate of error is known of what was not.
func (c *Comparison) Unbuilt() (packages []string) {
	for _, f := range c.Failures {
		if f.Side == record.Head && f.Unbuilt() {
			packages = append(packages, f.Benchmark)
		}
	}
	return packages
}

// A FailedTarget is a target that was to be measured and was not, as a side failed.
type FailedTarget struct {
	Target string
	Side   record.Side // that failed; "" for both
}

// FailedTargets are the targets that failed as a whole, or of which nothing was judged because a side
// failed, whichever it is: with nothing to compare with, a head of any speed would pass.
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

// judged reports whether anything of a target was compared, or needed no measurement.
func (c *Comparison) judged(target string) bool {
	return slices.ContainsFunc(c.Tables, func(t Table) bool {
		return t.Target == target && slices.ContainsFunc(t.Rows, (*Row).Compared)
	}) || slices.ContainsFunc(c.Same, func(s SameCode) bool { return s.Target == target }) ||
		slices.ContainsFunc(c.Unreached, func(u Unreached) bool { return u.Target == target })
}

// BrokenByHead are the benchmarks that fail on the head side and not on the base side.
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

// includes reports whether what failed is what another failure is of, or all around it.
func (f Failure) includes(other Failure) bool {
	return f.Target == other.Target && (f.Benchmark == other.Benchmark || f.Benchmark == "" || f.Benchmark == f.Target ||
		f.Unbuilt() && strings.HasPrefix(other.Benchmark, f.Benchmark+"."))
}

// FailsInBoth reports whether what failed did so on both sides: no change made it fail.
func (c *Comparison) FailsInBoth(f Failure) bool {
	return slices.ContainsFunc(c.Failures, func(other Failure) bool {
		return other.Side != f.Side && other.Target == f.Target && other.Benchmark == f.Benchmark
	})
}

// CountMissing counts the benchmarks that head does not have, without those that it has and that fail.
func (c *Comparison) CountMissing() (n int) {
	for _, u := range c.Missing {
		fails := func(f Failure) bool { return f.Side == record.Head && f.Names(u.Target, u.BenchmarkID) }
		if u.Unit == "" && !slices.ContainsFunc(c.Failures, fails) {
			n++
		}
	}
	return n
}

// Failed counts what failed in one way.
type Failed struct {
	What FailedWhat
	Side record.Side // where; "" on both
	N    int
}

// A FailedWhat is what a failure is of: of a package or a target nobody knows how many benchmarks
// it has.
type FailedWhat string

// What can fail.
const (
	FailedBenchmark FailedWhat = "benchmark"
	FailedPackage   FailedWhat = "package" // does not build
	FailedBuild     FailedWhat = "build"   // of a target that is one program
	FailedWholly    FailedWhat = "target"  // for another reason
)

// what the failure is of.
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

// CountFailures counts what failed, each once, in a fixed order.
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

// An Untried is what the base is known to have and the trial does not: benchmarks, or all of a
// target.
type Untried struct {
	Target     string
	Benchmarks []string // of which it is known; none for all of the target
	More       int      // that are not named
}
