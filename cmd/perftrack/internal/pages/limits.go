package pages

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/profiles"
	"github.com/perftrack/perftrack/reports/site/documents"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// benchmarkLimits judges the limits on benchmark i by the newest run on the site's branch.
func benchmarkLimits(i int, histories []documents.History) (rows []documents.LimitRow) {
	for _, h := range histories {
		if !h.First || len(h.Limits.List) == 0 || h.Kind != record.Bench {
			continue
		}
		for _, p := range slices.Backward(h.Points) {
			if !p.Run.Baseline() || len(p.Benchmark.Samples) == 0 {
				continue
			}
			for _, l := range h.Limits.OfBenchmark(&p.Run.Run, &p.Benchmark) {
				rows = append(rows, documents.NewLimitRow(l, i))
			}
			return rows
		}
	}
	return rows
}

// profileLimits judges the limits on profiles by the newest run of each suite.
func (s *Site) profileLimits(ctx context.Context) (rows []documents.LimitRow, err error) {
	where := s.lines.Place()
	limits := compare.Limits{List: where.Config.ProfileLimits(), Alpha: where.Config.Defaults.Alpha}
	if len(limits.List) == 0 {
		return nil, nil
	}
	var places []int // indices of the runs with the newest value of a scope
	for _, b := range s.benchmarks {
		if i := s.at.Run(b.Last); i >= 0 && b.Kind == record.Scope {
			places = append(places, i)
		}
	}
	slices.SortFunc(places, cmp.Compare) // newest first
	type suite struct{ target, pkg, suite string }
	seen := map[suite]int{}
	for _, at := range slices.Compact(places) {
		run, err := s.db.Get(ctx, s.runs[at].ID)
		switch {
		case errors.Is(err, store.ErrDamaged):
			continue
		case err != nil:
			return nil, fault.IO(err)
		}
		found, _, _ := profiles.Judge(limits, run)
		for _, l := range found {
			key := suite{run.Target, l.ID.Package, l.ID.Suite}
			if first, known := seen[key]; known && first != at {
				continue
			}
			seen[key] = at
			rows = append(rows, documents.NewLimitRow(l, -1))
		}
	}
	return rows, nil
}
