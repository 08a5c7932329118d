package vet

import (
	"path/filepath"
	"slices"

	"github.com/perftrack/perftrack/runner/vet/shortrun"
	"github.com/perftrack/perftrack/runner/vet/source"
)

// keep adds what the rules found in a package and the run confirms, and what the run alone
// shows. Without a run nothing that is only suspected is kept.
func (c *checker) keep(path string, signs []shortrun.Sign, ran shortrun.Timings) {
	held := map[source.Finding]bool{}
	for _, s := range signs {
		c.confirm(path, s, held)
	}
	for _, f := range c.found[path] {
		switch {
		case held[f]:
		case f.Sure == source.Suspected:
			if !c.judged(path, f.Benchmark, ran) || f.Operations() > 0 && c.unshown[path] {
				c.result.Unrun++
			}
		default:
			if f.Rule == source.Discarded && slow(f.Benchmark, ran) {
				f.Sure = source.Possible
			}
			c.add(f)
		}
	}
}

// judged reports whether a run judged any benchmark that a function is part of.
func (c *checker) judged(path, function string, ran shortrun.Timings) bool {
	for name := range ran {
		if c.isPart(path, shortrun.Function(name), function) {
			return true
		}
	}
	return false
}

// isPart reports whether a function is the benchmark function, or one that it gives its b to.
func (c *checker) isPart(path, benchmark, function string) bool {
	return function == benchmark || slices.Contains(c.reached[path][benchmark], function)
}

// slow reports whether a benchmark takes long enough to show that not all of its work was
// left out.
func slow(function string, ran shortrun.Timings) bool {
	quickest := -1.0
	for name, t := range ran {
		if shortrun.Function(name) == function && (quickest < 0 || t.Op < quickest) {
			quickest = t.Op
		}
	}
	return quickest > 2
}

// explains lists, by kind of sign, the rules whose findings in the same function are its cause.
var explains = map[shortrun.Kind][]source.Rule{
	shortrun.TooFast:      {source.Discarded, source.ConstantInput, source.NoLoop, source.LeftEarly, source.TimerStopped, source.TimerReset, source.Parallel, source.ConsumedRead, source.Idle},
	shortrun.NotRepeated:  {source.NoLoop, source.LeftEarly, source.TimerStopped, source.TimerReset, source.OuterB, source.Parallel, source.Idle},
	shortrun.Growing:      {source.Grows, source.SizeOfN, source.LoopVariable, source.Defers, source.Unawaited, source.OuterB, source.Parallel},
	shortrun.MostlyPaused: {source.TimerStopped},
	shortrun.SetupCounted: {source.SetupTimed, source.NoLoop},
}

// alone are the signs that are findings even where no rule says why.
var alone = map[shortrun.Kind]string{
	shortrun.TooFast:     "for b.Loop() around work whose result is used",
	shortrun.NotRepeated: "a loop over b.N or b.Loop() around what is measured",
	shortrun.Growing:     "operations that are all alike: nothing that one leaves behind for the next, no size that depends on b.N",
}

// confirm makes findings that a sign confirms certain, and the sign itself a finding where no
// rule says why.
func (c *checker) confirm(path string, s shortrun.Sign, held map[source.Finding]bool) {
	function, explained := shortrun.Function(s.Name), false
	for _, f := range c.found[path] {
		if !c.isPart(path, function, f.Benchmark) || !slices.Contains(explains[s.Kind], f.Rule) || f.Operations() > 0 && f.Sure == source.Suspected {
			continue // of the last kind a run has said that it is not so
		}
		explained = true
		if !held[f] {
			held[f] = true
			sure := f
			sure.Sure, sure.Found = source.Certain, f.Found+" ("+s.Name+": "+s.Found+")"
			c.add(sure)
		}
	}
	remedy, ok := alone[s.Kind]
	if explained || !ok || s.Kind == shortrun.TooFast && source.MeantEmpty(s.Name) {
		return
	}
	for _, f := range c.declared[path] {
		if f.Benchmark == function {
			f.Rule, f.Sure, f.Found, f.Remedy = source.Rule(s.Kind), source.Likely, s.Name+": "+s.Found, remedy
			c.add(f)
		}
	}
}

// add adds a finding, with its file as a path from where the user stands if it is below.
func (c *checker) add(f source.Finding) {
	if path, err := filepath.Rel(c.Dir, f.File); err == nil && filepath.IsLocal(path) {
		f.File = filepath.ToSlash(path)
	}
	c.result.Findings = append(c.result.Findings, f)
}
