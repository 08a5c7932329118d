package pages

import (
	"context"

	"github.com/perftrack/perftrack/reports/site/documents"
)

// Releases returns the document that compares releases.
func (s *Site) Releases(ctx context.Context) (*documents.Releases, error) {
	if err := s.gather(ctx); err != nil {
		return nil, err
	}
	return s.gathered.releases, nil
}
