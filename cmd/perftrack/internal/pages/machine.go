package pages

import (
	"context"

	"github.com/perftrack/perftrack/reports/site"
)

// Machine is not made yet.
func (s *Site) Machine(context.Context) (*site.Machine, error) {
	return &site.Machine{}, nil
}

// detects is the smallest change that a check finds, median over benchmarks of the newest
// calibration; nil without one.
func (s *Site) detects(context.Context) (*float64, error) {
	return nil, nil
}
