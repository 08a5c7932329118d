package pages

import (
	"context"

	"github.com/perftrack/perftrack/reports/site"
)

// Releases is not made yet.
func (s *Site) Releases(context.Context) (*site.Releases, error) {
	return &site.Releases{}, nil
}
