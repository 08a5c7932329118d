package pages

import (
	"context"

	"github.com/perftrack/perftrack/reports/site"
)

// Releases are those of all benchmarks.
func (s *Site) Releases(ctx context.Context) (*site.Releases, error) {
	if err := s.gather(ctx); err != nil {
		return nil, err
	}
	return s.gathered.releases, nil
}
