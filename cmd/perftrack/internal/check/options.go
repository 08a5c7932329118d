package check

import (
	"context"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

// Options are the settings of `perftrack check`.
type Options struct {
	Targets []string
	Base    string        // "" means the merge base with the default branch
	Head    string        // "" means the work tree
	Budget  time.Duration // for the whole check; 0 means no limit
	// UsualBudget replaces Budget, once everything is built, with the usual time for the number of
	// benchmarks; see usualBudget.
	UsualBudget bool
	All         bool // also measure benchmarks that reach no changed code
	// NewTrial begins another trial in addition to those of earlier checks, with the remaining
	// error rate.
	NewTrial bool
	// IfNeeded is the tip of the base's branch. The check is skipped if neither the configuration
	// at the tip nor the base's configuration requires it. If IfNeeded is "", the check always
	// measures.
	IfNeeded string
	// Part is the part of the benchmarks to measure; the zero value means all of them.
	Part record.Part
	// RoundsPart is the part of the rounds to measure, of all benchmarks; the zero value means all of
	// them. Other machines measure the other rounds, and nothing is decided before all are united.
	RoundsPart record.Part
	// Spread selects workers that measure instead of this machine.
	Spread Spread
	Flags  measure.Flags // Rounds is unused, because looks decide when to stop
}

// locate finds the place, the targets and their sources, and sets the base unless it is given.
func (o *Options) locate(ctx context.Context, a *workspace.Session) (where workspace.Place, targets []config.Target, sources measure.Sources, err error) {
	if where, targets, err = a.LocateTargets(ctx, o.Flags.CPUs, o.Flags.Procs, o.Targets); err != nil {
		return where, nil, sources, err
	}
	if o.Base == "" {
		if o.Base, err = defaultBase(ctx, where, o.Head); err != nil {
			return where, nil, sources, err
		}
	}
	sources = measure.Sources{Rev: o.Head, Beside: o.Base}
	return where, targets, sources, sources.CheckTargets(targets)
}
