package site

import (
	"cmp"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// A Presence is where a benchmark was measured on the site's branch.
type Presence struct {
	Benchmark int // place in the index
	Target    string
	record.BenchmarkID
	Runs []Measured
}

// Measured is a run, and the place of its commit in the order of the branch.
type Measured struct {
	Run    string
	Seq    int64
	Commit int
	Whole  bool // of all that there was to measure
}

// MeasuredAt is a run of which the index has the commit.
func MeasuredAt(r record.RunInfo, commit int) Measured {
	return Measured{r.ID, r.Seq, commit, IsWhole(r)}
}

// IsWhole reports whether a run is of all that there was to measure. One that was measured alone, and
// does not say what was selected, is; a trial that does not say it may be of one benchmark that
// was explained.
func IsWhole(r record.RunInfo) bool {
	selected := !compare.SelectionIs(&r.Run, "") && (r.Facts.Get(record.KeySelection) != "" || r.Trial != "")
	whole := r.Baseline() && !selected
	for _, key := range []string{record.KeyShard, record.KeySameCode, record.KeyUnreached, record.KeyStarved} {
		whole = whole && r.Facts.Get(key) == ""
	}
	return whole
}

// compare orders runs along the branch.
func (m Measured) compare(other Measured) int {
	return cmp.Or(cmp.Compare(m.Commit, other.Commit), cmp.Compare(m.Seq, other.Seq))
}

// staleCommits is how many newer commits have to be measured before what they lack is stale.
const staleCommits = 10

// Gone returns the benchmarks that the newest run lacks which measured all there was, and
// of the others those that none of the newest 10 commits has that were measured. Only runs of
// the same target, suite and kind tell: those of another one lack it always.
func Gone(all []Presence) (lost, stale []int) {
	type group struct {
		target, suite string
		kind          record.Kind
	}
	newest := map[group]Measured{}
	commits := map[group]map[int]bool{}
	of := func(p Presence) group { return group{p.Target, p.Suite, p.Kind} }
	for _, p := range all {
		g := of(p)
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
		g, last := of(p), slices.MaxFunc(p.Runs, Measured.compare)
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

// Cover says how much the newest runs have of all that is known: of each target those of the newest commit.
func (n *Now) Cover(all []Presence) {
	newest, whole := map[string]int{}, map[string]bool{}
	for _, p := range all {
		for _, m := range p.Runs {
			at, known := newest[p.Target]
			if !known || m.Commit > at {
				newest[p.Target] = m.Commit
			}
			whole[p.Target] = whole[p.Target] || m.Whole
		}
	}
	n.Whole = len(newest) > 0
	for target := range newest {
		n.Whole = n.Whole && whole[target]
	}
	for _, p := range all {
		if p.Kind == record.Scope || len(p.Runs) == 0 {
			continue
		}
		n.Known++
		if slices.MaxFunc(p.Runs, Measured.compare).Commit == newest[p.Target] {
			n.Newest++
		}
	}
}

// NewNow returns how things stand by the rows of the index. What other documents say is the
// caller's to add.
func NewNow(benchmarks []BenchmarkRow, lost, stale []int) Now {
	now := Now{Lost: lost, Stale: stale}
	var noise []float64
	for _, b := range benchmarks {
		for i, r := range b.Lines {
			if r.Branch != "" {
				continue
			}
			if r.State == "too-few" {
				now.TooFew++
			}
			if i == 0 && r.Noise != nil {
				noise = append(noise, *r.Noise)
			}
		}
	}
	now.Noise = medianOf(noise)
	return now
}

// InForce counts the regressions of a history that are.
func InForce(h History) (n int) {
	for _, l := range h.Lines {
		for _, s := range l.Steps {
			if s.InForce && h.First {
				n++
			}
		}
	}
	return n
}
