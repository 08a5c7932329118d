package pages

import (
	"context"

	"github.com/perftrack/perftrack/reports/site"
)

// Profile is not made yet.
func (s *Site) Profile(context.Context, string) (*site.Profile, error) {
	return nil, site.ErrUnknown
}

// Flame is not made yet.
func (s *Site) Flame(context.Context, string) ([]byte, error) {
	return nil, site.ErrUnknown
}

// profiles are not listed yet.
func (s *Site) profiles(context.Context) ([]site.ProfileRow, error) {
	return nil, nil
}
