package site

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// anchors finds what was measured beside the points of a history: builds of a baseline. Only
// those of the commit that the newest point has count, as ratios to two of them are not one
// line.
type anchors struct {
	all    []record.HistoryPoint
	stored []record.HistoryPoint // of the benchmark, those of anchors among them
	commit string
}

func (h History) anchors() *anchors {
	a := &anchors{stored: h.All}
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

// raw is a point as it was measured: a ratio is not of values that are told at the anchor's level.
func (a *anchors) raw(p *record.HistoryPoint) *record.HistoryPoint {
	if i := slices.IndexFunc(a.stored, func(q record.HistoryPoint) bool { return q.Run.ID == p.Run.ID }); i >= 0 {
		return &a.stored[i]
	}
	return p
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
			if ratio, ok := compare.Relative(a.raw(p), base); ok {
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
