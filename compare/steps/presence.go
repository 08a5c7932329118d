package steps

import (
	"cmp"
	"slices"

	"github.com/perftrack/perftrack/runner/record"
)

// A Presence lists the runs on one branch that measured a benchmark.
type Presence struct {
	Benchmark int // the caller's number for the benchmark, returned by Gone
	Target    string
	record.BenchmarkID
	Runs []Measured
}

// A Measured is a run with the position of its commit on the branch.
type Measured struct {
	Run    string
	Seq    int64
	Commit int
	Whole  bool // see IsWhole
}

// MeasuredAt returns the Measured for a run of the commit at the given position on the branch.
func MeasuredAt(r record.RunInfo, commit int) Measured {
	return Measured{r.ID, r.Seq, commit, IsWhole(r)}
}

// IsWhole reports whether a run measured every benchmark of its target. A run outside a trial
// measured all of them unless it records a selection. A trial without a recorded selection may have
// measured only the benchmark to explain.
func IsWhole(r record.RunInfo) bool {
	p := &r.Protocol
	all := p.SelectsAll() || p.Selection == nil && r.Trial == ""
	return r.Baseline() && all && p.Part == nil && p.Starved == nil && len(p.SameCode)+len(p.Unreached) == 0
}

// compare orders runs by the position of their commits on the branch and then by Seq.
func (m Measured) compare(other Measured) int {
	return cmp.Or(cmp.Compare(m.Commit, other.Commit), cmp.Compare(m.Seq, other.Seq))
}

// Last returns the newest run of a benchmark. It must have at least one.
func (p Presence) Last() Measured { return slices.MaxFunc(p.Runs, Measured.compare) }

// staleCommits is the number of measured commits a stale benchmark is missing from.
const staleCommits = 10

// Gone returns the numbers of the benchmarks missing from the newest complete run (lost), and of
// other benchmarks missing from the newest 10 measured commits (stale). It looks for a benchmark
// only in runs of the same target, suite and kind.
func Gone(all []Presence) (lost, stale []int) {
	type group struct {
		target, suite string
		kind          record.Kind
	}
	newest := map[group]Measured{}
	commits := map[group]map[int]bool{}
	groupOf := func(p Presence) group { return group{p.Target, p.Suite, p.Kind} }
	for _, p := range all {
		g := groupOf(p)
		if commits[g] == nil {
			commits[g], newest[g] = map[int]bool{}, Measured{Commit: -1}
		}
		for _, m := range p.Runs {
			commits[g][m.Commit] = true
			if m.Whole && m.compare(newest[g]) > 0 {
				newest[g] = m
			}
		}
	}
	lost, stale = []int{}, []int{}
	for _, p := range all {
		if len(p.Runs) == 0 {
			continue
		}
		g, last := groupOf(p), p.Last()
		newer := 0
		for c := range commits[g] {
			if c > last.Commit {
				newer++
			}
		}
		switch {
		case last.compare(newest[g]) < 0:
			lost = append(lost, p.Benchmark)
		case newer >= staleCommits:
			stale = append(stale, p.Benchmark)
		}
	}
	return lost, stale
}
