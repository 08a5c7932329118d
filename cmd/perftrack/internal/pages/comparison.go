package pages

import (
	"context"

	"github.com/perftrack/perftrack/reports/site"
)

// Comparison is not made yet.
func (s *Site) Comparison(context.Context, string) (*site.Comparison, error) {
	return nil, site.ErrUnknown
}

// comparisons are not listed yet: trials, the newest first.
func (s *Site) comparisons(context.Context) ([]site.ComparisonRow, error) {
	return nil, nil
}
