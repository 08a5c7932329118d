package pages

import (
	"context"
	"sync"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/reports/site/documents"
)

// A gathered holds the documents built from the histories of all benchmarks.
type gathered struct {
	reading     sync.Mutex
	regressions *documents.Regressions
	releases    *documents.Releases
}

// gatheredAtOnce is the number of documents in memory at the same time while they are gathered.
const gatheredAtOnce = 32

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
	for from := 0; from < len(index.Benchmarks); from += gatheredAtOnce {
		some := make([]*documents.Benchmark, min(gatheredAtOnce, len(index.Benchmarks)-from))
		if err := history.EachOf(ctx, len(some), func(ctx context.Context, i int) (err error) {
			some[i], err = s.look(ctx, from+i)
			return err
		}); err != nil {
			return err
		}
		for _, b := range some {
			regressions.Add(b)
			releases.Add(b)
		}
	}
	s.gathered.regressions, s.gathered.releases = regressions.Document(), releases.Document()
	return nil
}
