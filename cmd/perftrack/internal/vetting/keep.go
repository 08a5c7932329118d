package vetting

import (
	"path/filepath"
	"slices"

	"github.com/perftrack/perftrack/runner/gobench"
	"github.com/perftrack/perftrack/runner/vet"
	"github.com/perftrack/perftrack/runner/vet/shortrun"
)

// keep adds the findings in a package to the result. They consist of the rules' findings, without
// unconfirmed suspicions, and of signs in the timings not explained by a rule.
func (c *checker) keep(path string, signs []shortrun.Sign, ran shortrun.Timings) {
	held := map[vet.Finding]bool{}
	for _, s := range signs {
		c.confirm(path, s, held)
	}
	for _, f := range c.found[path] {
		switch {
		case held[f]:
		case f.Sure == vet.Suspected:
			if !c.judged(path, f.Benchmark, ran) || f.Operations() > 0 && c.unshown[path] {
				c.result.Unrun++
			}
		default:
			if f.Rule == vet.Discarded && slow(f.Benchmark, ran) {
				f.Sure = vet.Possible
			}
			c.add(f)
		}
	}
}

// judged reports whether the short runs covered a benchmark with the given function.
func (c *checker) judged(path, function string, ran shortrun.Timings) bool {
	for name := range ran {
		if c.isPart(path, gobench.Function(name), function) {
			return true
		}
	}
	return false
}

// isPart reports whether function is the benchmark function itself or receives its *testing.B.
func (c *checker) isPart(path, benchmark, function string) bool {
	return function == benchmark || slices.Contains(c.reached[path][benchmark], function)
}

// slow reports whether an operation takes more than 2 ns in every benchmark of the function, so the
// compiler must have kept some of the work.
func slow(function string, ran shortrun.Timings) bool {
	quickest := -1.0
	for name, t := range ran {
		if gobench.Function(name) == function && (quickest < 0 || t.Op < quickest) {
			quickest = t.Op
		}
	}
	return quickest > 2
}

// explains lists, for each kind of sign, the rules with findings that explain it in the same
// function.
var explains = map[shortrun.Kind][]vet.Rule{
	shortrun.TooFast:      {vet.Discarded, vet.ConstantInput, vet.NoLoop, vet.LeftEarly, vet.TimerStopped, vet.TimerReset, vet.Parallel, vet.ConsumedRead, vet.Idle},
	shortrun.NotRepeated:  {vet.NoLoop, vet.LeftEarly, vet.TimerStopped, vet.TimerReset, vet.OuterB, vet.Parallel, vet.Idle},
	shortrun.Growing:      {vet.Grows, vet.SizeOfN, vet.LoopVariable, vet.Defers, vet.Unawaited, vet.OuterB, vet.Parallel},
	shortrun.MostlyPaused: {vet.TimerStopped},
	shortrun.SetupCounted: {vet.SetupTimed, vet.NoLoop},
}

// alone holds the remedies for the kinds of signs reported even without a rule to explain them.
var alone = map[shortrun.Kind]string{
	shortrun.TooFast:     "for b.Loop() around the measured code, with its result used",
	shortrun.NotRepeated: "a loop over b.N or b.Loop() around the measured code",
	shortrun.Growing:     "equal operations of fixed size, with no state kept between them",
}

// confirm adds the findings confirmed by the sign to the result, as certain ones, and marks them in
// held. Without such findings, the sign may itself become a finding.
func (c *checker) confirm(path string, s shortrun.Sign, held map[vet.Finding]bool) {
	function, explained := gobench.Function(s.Name), false
	for _, f := range c.found[path] {
		if !c.isPart(path, function, f.Benchmark) || !slices.Contains(explains[s.Kind], f.Rule) || f.Operations() > 0 && f.Sure == vet.Suspected {
			continue // an instrumented run did not confirm it
		}
		explained = true
		if !held[f] {
			held[f] = true
			sure := f
			sure.Sure, sure.Found = vet.Certain, f.Found+" ("+s.Name+": "+s.Found+")"
			c.add(sure)
		}
	}
	remedy, ok := alone[s.Kind]
	if explained || !ok || s.Kind == shortrun.TooFast && vet.MeantEmpty(s.Name) {
		return
	}
	for _, f := range c.declared[path] {
		if f.Benchmark == function {
			f.Rule, f.Sure, f.Found, f.Remedy = vet.Rule(s.Kind), vet.Likely, s.Name+": "+s.Found, remedy
			c.add(f)
		}
	}
}

// add adds a finding to the result. If the finding's file is in c.Dir, its path becomes relative to
// c.Dir.
func (c *checker) add(f vet.Finding) {
	if path, err := filepath.Rel(c.Dir, f.File); err == nil && filepath.IsLocal(path) {
		f.File = filepath.ToSlash(path)
	}
	c.result.Findings = append(c.result.Findings, f)
}
