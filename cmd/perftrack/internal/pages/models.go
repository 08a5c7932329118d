package pages

import (
	"context"

	"github.com/perftrack/perftrack/reports/site"
)

// Models is not made yet.
func (s *Site) Models(context.Context) (*site.Models, error) {
	return &site.Models{}, nil
}
