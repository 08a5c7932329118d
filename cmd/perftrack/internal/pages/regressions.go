package pages

import (
	"context"

	"github.com/perftrack/perftrack/reports/site"
)

// Regressions is not made yet.
func (s *Site) Regressions(context.Context) (*site.Regressions, error) {
	return &site.Regressions{}, nil
}
