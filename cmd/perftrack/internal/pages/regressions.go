package pages

import (
	"context"
	"sync"

	"github.com/perftrack/perftrack/reports/site/documents"
)

// A gathered holds the documents built from the histories of all benchmarks.
type gathered struct {
	reading     sync.Mutex
	regressions *documents.Regressions
	releases    *documents.Releases
}

// Regressions returns the regressions of all benchmarks.
func (s *Site) Regressions(ctx context.Context) (*documents.Regressions, error) {
	if err := s.gather(ctx); err != nil {
		return nil, err
	}
	return s.gathered.regressions, nil
}

// gather builds the documents from the histories of all benchmarks, unless an earlier call has
// built them.
func (s *Site) gather(ctx context.Context) error {
	s.gathered.reading.Lock()
	defer s.gathered.reading.Unlock()
	if s.gathered.regressions != nil {
		return nil
	}
	index, err := s.Index(ctx)
	if err != nil {
		return err
	}
	commits, err := s.Commits(ctx)
	if err != nil {
		return err
	}
	regressions, releases := documents.NewRegressionList(index, commits), documents.NewReleaseList(index, commits)
	for i := range index.Benchmarks {
		b, err := s.look(ctx, i)
		if err != nil {
			return err
		}
		regressions.Add(b)
		releases.Add(b)
	}
	s.gathered.regressions, s.gathered.releases = regressions.Document(), releases.Document()
	return nil
}
