package site

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports/comparison"
)

// geomeansOf are the geometric means of the changes of each unit of a package: in a trial of the
// rows that were decided, since one that may be anything would be averaged as if it were known. A
// row that shows the change of another is left out, and one without a ratio, as a first
// allocation. Several trials have none: a benchmark would count as often as it was measured.
func geomeansOf(c *compare.Comparison) (means []Geomean) {
	if c.Trials > 1 {
		return nil
	}
	var open []bool // of which of them a row was not decided
	for i := range c.Tables {
		t := &c.Tables[i]
		if comparison.Detail(t) || !t.Comparable {
			continue
		}
		place := slices.IndexFunc(means, func(g Geomean) bool {
			return g.Target == t.Target && g.Package == t.Package && g.Unit == t.Unit
		})
		if place < 0 {
			place = len(means)
			means = append(means, Geomean{Target: t.Target, Package: t.Package, Unit: t.Unit})
			open = append(open, false)
		}
		g := &means[place]
		for _, r := range t.Rows {
			if !r.Compared() || r.CorrelatedWith != nil || t.Trial && r.Derived { // derived rows follow from the time and are never decided
				continue
			}
			g.Of++
			open[place] = open[place] || t.Trial && !decided(r.Verdict)
			g.Better = r.Better
			if change := math.Log1p(r.Change()); change-change == 0 && (!t.Trial || decided(r.Verdict)) {
				g.Change += Number(change)
				g.Rows++
			}
		}
	}
	for i := range means {
		if open[i] && comparison.Counts(means[i].Unit) {
			means[i].Change = Number(math.NaN()) // that counts are the same is known sooner than that they differ
			continue
		}
		means[i].Change = Number(math.Expm1(float64(means[i].Change) / float64(means[i].Rows)))
	}
	return slices.DeleteFunc(means, func(g Geomean) bool { return g.Of == 0 })
}

// decided reports whether a verdict says how large a change is: that it is there, or that it is
// smaller than the threshold.
func decided(v compare.Verdict) bool { return changed(v) || v == compare.Unchanged }
