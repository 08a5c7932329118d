package pages

import (
	"context"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/reports/site/documents"
	"github.com/perftrack/perftrack/runner/record"
)

// maxRunValues is the approximate maximum number of values in a static site's documents about runs.
// Only the newest runs get a document. A server builds the document of any run on request.
const maxRunValues = 300_000

// Runs returns the document that lists all runs, comparisons and profiles.
func (s *Site) Runs(ctx context.Context) (*documents.Runs, error) {
	runs := &documents.Runs{List: make([]documents.RunRow, len(s.runs))}
	values := 0
	for i, r := range s.runs {
		row := documents.NewRunRow(r, s.at)
		if row.Commit >= 0 && row.Commit < s.oldest() {
			runs.List[i] = row
			continue
		}
		values += 4 * r.Benchmarks // time, B/op, allocs/op and one derived unit
		row.HasValues = r.Benchmarks > 0 && (s.opt.Live || values <= maxRunValues)
		runs.List[i] = row
	}
	var err error
	if runs.Comparisons, err = s.comparisons(ctx); err != nil {
		return nil, err
	}
	if runs.Profiles, err = s.profiles(ctx); err != nil {
		return nil, err
	}
	s.noticeDamage()
	runs.Comparisons, runs.Profiles = listed(runs.Comparisons), listed(runs.Profiles)
	return runs, nil
}

// listed returns list, or an empty list if it is nil.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Run returns the document of the run with the given id.
func (s *Site) Run(ctx context.Context, id string) (*documents.Run, error) {
	if !slices.ContainsFunc(s.runs, func(r record.RunInfo) bool { return r.ID == id }) {
		return nil, documents.ErrUnknown
	}
	run, err := s.db.Get(ctx, id)
	if err != nil {
		return nil, fault.IO(err)
	}
	return documents.NewRun(id, run, s.at, s.lines.Place().Config.Better), nil
}

// measured returns the time when a run was measured, or the time of its commit if it is unknown.
func (s *Site) measured(r record.RunInfo) int64 {
	if at, known := r.Measured(); known {
		return at.Unix()
	}
	return s.when(r)
}
