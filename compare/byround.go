package compare

import (
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/compare/stat"
)

// ByRound returns a function that returns a row's samples by round, starting with round 1, in the
// form used to decide a trial. A round that lacks a sample on one side is NaN on both. If a side
// has several samples in a round, their median is used. For unpaired runs, which have no rounds in
// common, the function returns nil.
func (t *Table) ByRound() func(*Row) []stat.Pair {
	if !t.Trial {
		return func(*Row) []stat.Pair { return nil }
	}
	all, means := t.Rounds(), t.Means()
	return func(r *Row) []stat.Pair {
		if r.ByMean {
			return means[r.BenchmarkID]
		}
		return all[pairs.SeriesUnit{BenchmarkID: r.BenchmarkID, Unit: r.OrigUnit}]
	}
}
