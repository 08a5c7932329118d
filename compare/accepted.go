package compare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// Accepted are the acceptances in force: changes of benchmarks that were
// intended, each from a commit on. In what order they come means nothing.
type Accepted []record.Acceptance

// In returns those whose commit is one of commits, as the ones that a pull
// request adds: an acceptance covers a comparison if the change that it accepts
// lies between base and head.
func (a Accepted) In(commits []string) (out Accepted) {
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

// Of returns those of one benchmark. A benchmark is the same in every suite, and
// as a scope.
func (a Accepted) Of(target string, id record.BenchmarkID) (out Accepted) {
	for _, one := range a {
		if one.Target == target && one.Package == id.Package && one.Benchmark == id.Name {
			out = append(out, one)
		}
	}
	return out
}

// Reason returns why a change of the row was accepted. It holds for every unit,
// and whatever the verdict is; where several fit, the last stored one speaks.
func (a Accepted) Reason(r *Row) (reason string, ok bool) {
	if of := a.Of(r.Target, r.BenchmarkID); len(of) > 0 {
		return of[len(of)-1].Reason, true
	}
	return "", false
}

// Explain says at each regression that a covers, and at each limit that head misses for it,
// why it was accepted.
func (a Accepted) Explain(c *Comparison) {
	_, accepted := a.Regressions(c)
	for _, r := range accepted {
		reason, _ := a.Reason(r)
		r.Reason = "accepted"
		r.Notes = append(r.Notes, Caveat{CodeAccepted, "accepted", reason})
	}
	for r := range c.Rows() {
		for i := range r.Limits {
			if reason, ok := a.Reason(r); ok && r.Limits[i].Worse {
				r.Limits[i].Accepted = cmp.Or(reason, "no reason given")
			}
		}
	}
}

// Regressions splits the rows that regressed: those that nobody accepted, which
// gate, and those that a covers, which are shown as accepted and do not. Narrow a
// to the commits that are compared, see [Accepted.In].
func (a Accepted) Regressions(c *Comparison) (open, accepted []*Row) {
	for r := range c.Rows() {
		if r.Verdict != Regressed {
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

// Acceptance returns why [Accepted.Explain] found a change of the row intended: its own, or that of
// the row whose change it shows.
func (r *Row) Acceptance() (reason string, ok bool) {
	for _, one := range []*Row{r, r.CorrelatedWith} {
		if one == nil {
			continue
		}
		if i := slices.IndexFunc(one.Notes, func(n Caveat) bool { return n.Code == CodeAccepted }); i >= 0 {
			return one.Notes[i].Detail, true
		}
	}
	return "", false
}

// Accepted reports whether the change of the row is intended.
func (r *Row) Accepted() bool {
	_, ok := r.Acceptance()
	return ok
}

// Unaccepted counts the rows that regressed and that [Accepted.Explain] has not marked:
// those that gate.
func (c *Comparison) Unaccepted() (n int) {
	for r := range c.Rows() {
		if r.Verdict == Regressed && !r.Accepted() {
			n++
		}
	}
	return n
}

// Start returns the position of the newest commit at which a change of the
// benchmark was accepted: what was measured before it is no baseline any more. The
// position of a commit is its place in the history, as of the commits that the
// acceptances name; those of commits without one do not count. The second result
// is false where the history has no accepted change.
func (a Accepted) Start(target string, id record.BenchmarkID, position map[string]int) (start int, ok bool) {
	for _, one := range a.Of(target, id) {
		if p, known := position[one.Commit]; known && (!ok || p > start) {
			start, ok = p, true
		}
	}
	return start, ok
}

// Changed returns a function that reports whether a change of the benchmark was
// accepted between two measured commits: after last, in first or before it.
func (a Accepted) Changed(target string, id record.BenchmarkID, position map[string]int) func(last, first string) bool {
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

// A Trailer accepts a change in the message of the commit that makes it, of one
// benchmark, or with * of all:
//
//	perf-accept: GELU_1000 exact gradients cost one more pass
type Trailer struct{ Benchmark, Reason string }

// Intended returns why the trailers accept a change of the benchmark with the name,
// if they do. What is said of it alone comes before what is said of all.
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

// Trailers returns the perf-accept trailers of a commit message, which stand in
// its last paragraph, as git has it; one without a reason is none. The benchmark is
// named with or without "Benchmark" before it. A reason goes on in the lines below
// that begin with a blank. Who may write the message may
// accept: read only those of branches in the repository itself, never of a fork.
func Trailers(message string) (out []Trailer) {
	message = strings.TrimSpace(strings.ReplaceAll(message, "\r\n", "\n"))
	at := strings.LastIndex(message, "\n\n")
	if at < 0 {
		return nil // the only paragraph is the subject
	}
	going := false // the line above is of a perf-accept trailer
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
