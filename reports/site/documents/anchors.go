package documents

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/compare/units"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// anchors finds the builds of a baseline commit (anchors) measured next to the points of a history.
// It uses only the anchors of a single commit, from the newest point with an anchor, because ratios
// to different baselines are not comparable.
type anchorPoints struct {
	all    []record.HistoryPoint
	stored []record.HistoryPoint // all stored points of the benchmark, including anchors
	commit string
}

func (h History) anchors() *anchorPoints {
	a := &anchorPoints{stored: h.All}
	for _, p := range h.All {
		if anchors.Is(&p.Run.Run) {
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

// raw returns a point as it was measured, before its values were moved to the level of its anchor.
func (a *anchorPoints) raw(p *record.HistoryPoint) *record.HistoryPoint {
	if i := slices.IndexFunc(a.stored, func(q record.HistoryPoint) bool { return q.Run.ID == p.Run.ID }); i >= 0 {
		return &a.stored[i]
	}
	return p
}

func (a *anchorPoints) of(p *record.HistoryPoint, commit string) *record.HistoryPoint {
	if !anchors.Fits(&p.Run.Run) {
		return nil
	}
	return anchors.Find(p, a.all, commit)
}

// ratios returns each point's ratio to its anchor, or NaN for a point without an anchor. It returns
// nil if no point has a ratio.
func (a *anchorPoints) ratios(u *steps.UnitPoints) (ratios []Number) {
	if a.commit == "" {
		return nil
	}
	found := false
	for _, p := range u.Points {
		v := math.NaN()
		if base := a.of(p, a.commit); base != nil {
			if ratio, ok := anchors.Relative(a.raw(p), base); ok {
				if samples, ok := ratio.Benchmark.Unit(units.Ratio(u.Unit)); ok {
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
