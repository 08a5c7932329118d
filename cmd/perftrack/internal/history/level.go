package history

import (
	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/runner/record"
)

// atLevel scales the points measured together with an anchor to the anchor's best time in the same
// environment, and notes their runs. Without scaling, a machine busy during part of a backfill would
// cause steps between commits with the same code. all holds every stored point of the benchmark,
// including the points of anchors.
func (r *reader) atLevel(points, all []record.HistoryPoint, n *notes) {
	type place struct{ environment, commit string }
	levels := map[place]map[string]float64{}
	beside := make([]*record.HistoryPoint, len(points))
	for i := range points {
		p := &points[i]
		if !anchors.Fits(&p.Run.Run) {
			continue
		}
		anchor := anchors.Find(p, all, "")
		if anchor == nil || !anchors.Is(&anchor.Run.Run) {
			continue
		}
		beside[i] = anchor
		at := place{p.Run.EnvironmentID, anchor.Run.Commit.SHA}
		if levels[at] == nil {
			levels[at] = map[string]float64{}
		}
		for _, s := range anchor.Benchmark.Samples {
			if v := anchors.Level(anchor, s.Unit); v > 0 && (levels[at][s.Unit] == 0 || v < levels[at][s.Unit]) {
				levels[at][s.Unit] = v
			}
		}
	}
	for i, anchor := range beside {
		if anchor != nil {
			points[i] = anchors.AtLevel(&points[i], anchor, levels[place{points[i].Run.EnvironmentID, anchor.Run.Commit.SHA}])
			n.mu.Lock()
			n.levelled[points[i].Run.Seq] = true
			n.mu.Unlock()
		}
	}
}
