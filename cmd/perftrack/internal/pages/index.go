package pages

import (
	"context"

	"github.com/perftrack/perftrack/reports/site"
)

// Index lists the benchmarks.
func (s *Site) Index(context.Context) (*site.Index, error) {
	return &site.Index{Meta: s.meta, Environments: s.environments}, nil
}

// Benchmark is not made yet.
func (s *Site) Benchmark(context.Context, string) (*site.Benchmark, error) {
	return nil, site.ErrUnknown
}

// Runs are not made yet.
func (s *Site) Runs(context.Context) (*site.Runs, error) { return &site.Runs{}, nil }

// Run is not made yet.
func (s *Site) Run(context.Context, string) (*site.Run, error) { return nil, site.ErrUnknown }
