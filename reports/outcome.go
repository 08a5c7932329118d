package reports

import (
	"regexp"

	"github.com/perftrack/perftrack/runner/record"
)

// An Outcome is the result of a benchmark in one unit or in all units, as shown by CI systems.
// Package reports/ci writes outcomes.
type Outcome struct {
	Target string
	record.BenchmarkID
	Unit  string // "" for the whole benchmark
	Trial string // set if several trials are compared
	State State
	Words string // in perftrack's own words: the change and its evidence, or why there is none
	// Detail may be external text: the reason for a failure or for an acceptance.
	Detail string
}

// A State is the meaning of an outcome for the decision to merge.
type State string

// The states of outcomes.
const (
	Passed     State = "passed"      // unchanged, improved, accepted, or only measured
	Undecided  State = "undecided"   // inconclusive, or without a verdict
	Regressed  State = "regressed"   // makes the check fail
	NotChecked State = "not-checked" // there were too few rounds to show a regression
	Broken     State = "failed"      // there are no samples
	Beyond     State = "limit"       // misses a limit and makes the check fail
	Warned     State = "limit-known" // misses a limit already missed before
	Missing    State = "missing"     // head does not have the benchmark
	Suspected  State = "suspect"     // got worse in a comparison of unpaired runs
	NoResult   State = "no-result"   // the whole command failed
)

// A Place is where a benchmark is declared. Path is slash-separated and relative to the root of the
// repository; Line counts from 1.
type Place struct {
	Path string
	Line int
}

// Gates reports whether the outcome makes a check fail.
func (o Outcome) Gates() bool {
	switch o.State {
	case Regressed, Beyond, NotChecked, Broken, NoResult:
		return true
	}
	return false
}

// Failed returns the outcome for a failed benchmark or package.
func Failed(target string, f record.Failure) Outcome {
	name := f.Benchmark
	if name == "" {
		name = target
	}
	o := Outcome{Target: target, State: Broken, Words: "failed", Detail: f.Reason}
	if f.Unbuilt() { // the name belongs to a package
		o.Package, o.Name = name, name
		return o
	}
	if m := inPackage.FindStringSubmatch(name); m != nil {
		o.Package, name = m[1], m[2]
	}
	o.Name = name
	return o
}

// inPackage matches a benchmark's name preceded by its import path, as in failures. Both may
// contain dots.
var inPackage = regexp.MustCompile(`^(.+?)\.([\p{Lu}_][^./]*(?:/.*)?)$`)
