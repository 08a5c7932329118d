package site

import "slices"

// Moved says where the commits, runs and environments of an earlier site are now, by their places then.
type Moved struct{ Commit, Run, Environment func(int) int }

func (m Moved) commit(at int) int {
	if at < 0 {
		return at
	}
	return m.Commit(at)
}

// Row returns a row with the places of now.
func (m Moved) Row(r BenchmarkRow) BenchmarkRow {
	r.Lines = slices.Clone(r.Lines)
	for i := range r.Lines {
		l := &r.Lines[i]
		l.Environment, l.ChangeAt, l.Last = m.Environment(l.Environment), m.commit(l.ChangeAt), m.commit(l.Last)
	}
	return r
}

// Presence returns a presence with the places of now, of the benchmark at that place.
func (m Moved) Presence(p Presence, benchmark int) Presence {
	p.Benchmark, p.Runs = benchmark, slices.Clone(p.Runs)
	for i := range p.Runs {
		p.Runs[i].Commit = m.commit(p.Runs[i].Commit)
	}
	return p
}

// Benchmark returns a document with the places of now.
func (m Moved) Benchmark(b *Benchmark) *Benchmark {
	out := *b
	out.Lines = slices.Clone(b.Lines)
	for i := range out.Lines {
		l := &out.Lines[i]
		l.Environment = m.Environment(l.Environment)
		commits, runs := make([]int, len(l.Commit)), make([]int, len(l.Run))
		for k, at := range l.Commit {
			commits[k] = m.commit(at)
		}
		for k, at := range l.Run {
			runs[k] = m.Run(at)
		}
		l.Commit, l.Run = commits, runs
	}
	return &out
}
