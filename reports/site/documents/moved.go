package documents

import (
	"slices"

	"github.com/perftrack/perftrack/compare/steps"
)

// Moved maps the indices of commits, runs and environments in an earlier site to those in this one.
type Moved struct{ Commit, Run, Environment func(int) int }

func (m Moved) commit(at int) int { return moved(at, m.Commit) }

// moved returns the new index of at, or at if it is negative, which means that there is none.
func moved(at int, to func(int) int) int {
	if at < 0 {
		return at
	}
	return to(at)
}

// Row returns the row with the new indices.
func (m Moved) Row(r BenchmarkRow) BenchmarkRow {
	r.Lines = slices.Clone(r.Lines)
	for i := range r.Lines {
		l := &r.Lines[i]
		l.Environment, l.ChangeAt, l.Last = moved(l.Environment, m.Environment), m.commit(l.ChangeAt), m.commit(l.Last)
	}
	return r
}

// Presence returns the presence with the new indices of its commits and the given index of its
// benchmark.
func (m Moved) Presence(p steps.Presence, benchmark int) steps.Presence {
	p.Benchmark, p.Runs = benchmark, slices.Clone(p.Runs)
	for i := range p.Runs {
		p.Runs[i].Commit = m.commit(p.Runs[i].Commit)
	}
	return p
}

// Benchmark returns the document with the new indices.
func (m Moved) Benchmark(b *Benchmark) *Benchmark {
	out := *b
	out.Lines = slices.Clone(b.Lines)
	for i := range out.Lines {
		l := &out.Lines[i]
		l.Environment = moved(l.Environment, m.Environment)
		commits, runs := make([]int, len(l.Commit)), make([]int, len(l.Run))
		for k, at := range l.Commit {
			commits[k] = m.commit(at)
		}
		for k, at := range l.Run {
			runs[k] = moved(at, m.Run)
		}
		l.Commit, l.Run = commits, runs
	}
	return &out
}
