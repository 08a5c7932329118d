// Package acceptance decides whether a change in a benchmark is intended, and up to what size, from
// stored acceptances and the trailers of commit messages.
package acceptance

import (
	"cmp"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// List is a list of acceptances, in any order. Each acceptance declares that a change in a
// benchmark is intended, starting at its commit.
type List []record.Acceptance

// In returns the acceptances whose commit is in commits. When comparing two commits, pass the
// commits between base and head, such as those of a pull request.
func (a List) In(commits []string) (out List) {
	in := make(map[string]bool, len(commits))
	for _, sha := range commits {
		in[sha] = true
	}
	for _, one := range a {
		if in[one.Commit] {
			out = append(out, one)
		}
	}
	return out
}

// Of returns the acceptances of one benchmark. It ignores the suite and the kind, so an acceptance
// of a benchmark also covers a scope with the same name.
func (a List) Of(target string, id record.BenchmarkID) (out List) {
	for _, one := range a {
		if one.Target == target && one.Package == id.Package && one.Benchmark == id.Name {
			out = append(out, one)
		}
	}
	return out
}

// Reason returns the reason given for accepting a change in the row. An acceptance covers all units
// of its benchmark, for every verdict. If several acceptances apply, Reason uses the last one.
func (a List) Reason(r *compare.Row) (reason string, ok bool) {
	if of := a.Of(r.Target, r.BenchmarkID); len(of) > 0 {
		return of[len(of)-1].Reason, true
	}
	return "", false
}

// Explain adds the reason to each accepted regression, and to each limit that head misses in an
// accepted row.
func (a List) Explain(c *compare.Comparison) {
	_, accepted := a.Regressions(c)
	for _, r := range accepted {
		reason, _ := a.Reason(r)
		r.Reason = "accepted"
		r.Notes = append(r.Notes, compare.Caveat{Code: compare.CodeAccepted, Text: "accepted", Detail: reason})
	}
	for r := range c.Rows() {
		for i := range r.Limits {
			if reason, ok := a.Reason(r); ok && r.Limits[i].Worse {
				r.Limits[i].Accepted = cmp.Or(reason, "no reason given")
			}
		}
	}
}

// Regressions splits the regressed rows into open ones, which fail the gate, and accepted ones,
// which are only shown. First use [List.In] to narrow a to the compared commits.
func (a List) Regressions(c *compare.Comparison) (open, accepted []*compare.Row) {
	for r := range c.Rows() {
		if r.Verdict != compare.Regressed {
			continue
		}
		if _, ok := a.Reason(r); ok {
			accepted = append(accepted, r)
		} else {
			open = append(open, r)
		}
	}
	return open, accepted
}

// Start returns the position of the newest commit with an accepted change in the benchmark. Runs
// before it no longer serve as a baseline. position maps each commit in the history to its index;
// acceptances at other commits are ignored. ok is false if the history has no accepted change.
func (a List) Start(target string, id record.BenchmarkID, position map[string]int) (start int, ok bool) {
	for _, one := range a.Of(target, id) {
		if p, known := position[one.Commit]; known && (!ok || p > start) {
			start, ok = p, true
		}
	}
	return start, ok
}

// Changed returns a function that reports whether a change in the benchmark was accepted between
// two measured commits, that is, at any commit after last up to and including first.
func (a List) Changed(target string, id record.BenchmarkID, position map[string]int) func(last, first string) bool {
	of := a.Of(target, id)
	return func(last, first string) bool {
		from, knowsLast := position[last]
		to, knowsFirst := position[first]
		for _, one := range of {
			p, known := position[one.Commit]
			if one.Commit == first || known && knowsLast && knowsFirst && from < p && p <= to {
				return true
			}
		}
		return false
	}
}

// A Trailer in a commit message accepts the change that the commit makes to one benchmark or, with
// *, to all benchmarks:
//
//	perf-accept: GELU_1000 exact gradients cost one more pass
type Trailer struct{ Benchmark, Reason string }

// Intended returns the reason from the trailer that accepts a change in the named benchmark. A
// trailer for that benchmark takes precedence over one for all benchmarks. ok is false if there is
// neither.
func Intended(trailers []Trailer, name string) (reason string, ok bool) {
	for _, t := range trailers {
		if t.Benchmark == name || record.WithoutProcs(t.Benchmark) == name {
			return t.Reason, true
		}
		if t.Benchmark == allBenchmarks && !ok {
			reason, ok = t.Reason, true
		}
	}
	return reason, ok
}

const allBenchmarks = "*"

const trailerKey = "perf-accept"

// Trailers returns the perf-accept trailers in the last paragraph of a commit message, where git
// expects trailers. A trailer without a reason is ignored. The benchmark's name may begin with
// "Benchmark", and the reason may continue on indented lines. Anyone who can write the message can
// accept a change, so read only messages from branches of the repository itself, never from a fork.
func Trailers(message string) (out []Trailer) {
	message = strings.TrimSpace(strings.ReplaceAll(message, "\r\n", "\n"))
	at := strings.LastIndex(message, "\n\n")
	if at < 0 {
		return nil // the only paragraph is the subject
	}
	going := false // whether the line above belongs to a perf-accept trailer
	for line := range strings.Lines(message[at+2:]) {
		text := strings.TrimRight(line, " \t\n")
		if going && strings.TrimLeft(text, " \t") != text {
			t := &out[len(out)-1]
			t.Reason = record.OneLine(t.Reason + " " + text)
			continue
		}
		key, value, ok := strings.Cut(text, ":")
		going = ok && strings.EqualFold(strings.TrimRight(key, " "), trailerKey)
		if going {
			benchmark, reason, _ := strings.Cut(strings.TrimSpace(value), " ")
			out = append(out, Trailer{strings.TrimPrefix(benchmark, "Benchmark"), record.OneLine(reason)})
		}
	}
	kept := out[:0]
	for _, t := range out {
		if t.Benchmark != "" && t.Reason != "" {
			kept = append(kept, t)
		}
	}
	return kept
}
