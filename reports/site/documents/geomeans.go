package documents

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/reports/comparison/rowcells"
)

// geomeansOf returns the geometric mean of the changes in each unit of each package. In a trial it
// includes only decided rows, because an undecided change is not known. It leaves out rows
// repeating the change of another row and rows without a ratio, such as the first allocation of a
// benchmark. It returns nil for several trials, because a benchmark would count once per trial.
func geomeansOf(c *compare.Comparison) (means []Geomean) {
	if c.Trials > 1 {
		return nil
	}
	var open []bool // whether a row of the mean is undecided
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
			if !r.HasDelta() || r.CorrelatedWith != nil || t.Trial && r.Derived { // derived rows follow from the time and are never decided
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
		if open[i] && rowcells.Allocates(means[i].Unit) {
			means[i].Change = Number(math.NaN()) // equal counts are decided sooner than different ones, so a mean of decided rows would be biased
			continue
		}
		means[i].Change = Number(math.Expm1(float64(means[i].Change) / float64(means[i].Rows)))
	}
	return slices.DeleteFunc(means, func(g Geomean) bool { return g.Of == 0 })
}

// decided reports whether a verdict is certain about a change, or certain that any change is
// smaller than the threshold.
func decided(v compare.Verdict) bool { return changed(v) || v == compare.Unchanged }
