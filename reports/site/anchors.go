package site

import (
	"math"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// anchors finds what was measured beside the points of a history: builds of a baseline. Only
// those of the commit that the newest point has count, as ratios to two of them are not one
// line.
type anchors struct {
	all    []record.HistoryPoint
	commit string
}

func (h History) anchors() *anchors {
	a := &anchors{}
	for _, p := range h.All {
		if compare.IsAnchor(&p.Run.Run) {
			a.all = append(a.all, p)
		}
	}
	for i := len(h.Points) - 1; i >= 0 && len(a.all) > 0 && a.commit == ""; i-- {
		if base := a.of(&h.Points[i], ""); base != nil {
			a.commit = base.Run.Commit.SHA
		}
	}
	return a
}

func (a *anchors) of(p *record.HistoryPoint, commit string) *record.HistoryPoint {
	if !compare.Anchored(&p.Run.Run) {
		return nil
	}
	return compare.FindAnchor(p, a.all, commit)
}

// ratios are those of the points of a stretch, nil where none has one.
func (a *anchors) ratios(s *stretch) (ratios []Number) {
	if a.commit == "" {
		return nil
	}
	found := false
	for _, p := range s.points {
		v := math.NaN()
		if base := a.of(p, a.commit); base != nil {
			if ratio, ok := compare.Relative(p, base); ok {
				if samples, ok := ratio.Benchmark.Unit(compare.RatioUnit(s.unit)); ok {
					sum, _ := compare.Summarize(samples, false, reports.Confidence)
					v, found = sum.Center, true
				}
			}
		}
		ratios = append(ratios, Number(v))
	}
	if !found {
		return nil
	}
	return ratios
}
