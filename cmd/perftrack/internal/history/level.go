package history

import (
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// atLevel tells the points that were measured beside an anchor as if the machine had always been as fast as
// when the anchor was at its best, in each environment. As measured, a machine that was busy during some
// of a backfill would draw steps between commits of equal code.
func (r *reader) atLevel(points, all []record.HistoryPoint) {
	type place struct{ environment, commit string }
	levels := map[place]map[string]float64{}
	anchors := make([]*record.HistoryPoint, len(points))
	for i := range points {
		p := &points[i]
		if !compare.Anchored(&p.Run.Run) {
			continue
		}
		anchor := compare.FindAnchor(p, all, "")
		if anchor == nil || !compare.IsAnchor(&anchor.Run.Run) {
			continue
		}
		anchors[i] = anchor
		at := place{p.Run.EnvironmentID, anchor.Run.Commit.SHA}
		if levels[at] == nil {
			levels[at] = map[string]float64{}
		}
		for _, s := range anchor.Benchmark.Samples {
			if v := compare.AnchorLevel(anchor, s.Unit); v > 0 && (levels[at][s.Unit] == 0 || v < levels[at][s.Unit]) {
				levels[at][s.Unit] = v
			}
		}
	}
	for i, anchor := range anchors {
		if anchor != nil {
			points[i] = compare.AtLevel(&points[i], anchor, levels[place{points[i].Run.EnvironmentID, anchor.Run.Commit.SHA}])
			r.noting.Lock()
			r.levelled[points[i].Run.ID] = true
			r.noting.Unlock()
		}
	}
}
