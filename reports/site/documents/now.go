package documents

import (
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
)

// Cover counts the benchmarks ever measured and those in the newest runs, and sets Whole. The
// newest runs of a target are those at its newest commit.
func (n *Now) Cover(all []steps.Presence) {
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
		if p.Last().Commit == newest[p.Target] {
			n.Newest++
		}
	}
}

// NewNow returns the state computed from the rows of the index. The caller must add the fields that
// depend on other documents.
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

// Unresolved counts the unresolved regressions in a history, neither recovered nor accepted. It
// returns 0 for a branch other than the site's.
func Unresolved(h History) (n int) {
	for _, l := range h.Lines {
		for _, s := range l.Steps {
			if s.Unresolved && h.First {
				n++
			}
		}
	}
	return n
}
