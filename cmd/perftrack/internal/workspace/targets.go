package workspace

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
)

// engineTarget is the built-in engine where no configuration names a target.
var engineTarget = config.Target{Name: "engine", Kind: config.Engine}

// targets returns the targets to measure: those named, else all of
// perftrack.toml, else what there is without one: see discover.
func (a *Session) targets(ctx context.Context, where Place, names []string) ([]config.Target, error) {
	known := where.Config.Targets
	if len(known) == 0 {
		var err error
		known, err = a.discover(ctx, where)
		setProcs(known, where.Procs)
		if err != nil && !slices.Contains(names, engineTarget.Name) {
			return nil, err
		}
	}
	if len(names) == 0 {
		return known, nil
	}
	var chosen []config.Target
	var patterns []string
	for _, name := range names {
		if isPattern(name) {
			patterns = append(patterns, name)
			continue
		}
		t, ok := FindTarget(known, name)
		if !ok && name == engineTarget.Name {
			t, ok = engineTarget, true
		}
		if !ok {
			return nil, fault.Usagef("no target %q: there are %s (see `perftrack list targets`)%s", name, nameList(known), where.patternHint(name))
		}
		chosen = append(chosen, t)
	}
	return a.addMatching(ctx, where, known, chosen, patterns)
}

// LocateTargets finds the place in which the user stands, pinned to the CPUs of the list or of
// the configuration, and the targets with these names, or all if there are none. Procs is a list
// of GOMAXPROCS, "" for that of each target's configuration.
func (a *Session) LocateTargets(ctx context.Context, cpus, procs string, names []string) (Place, []config.Target, error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return where, nil, err
	}
	if err := errors.Join(where.Pin(cpus), where.SetProcs(procs)); err != nil {
		return where, nil, err
	}
	targets, err := a.targets(ctx, where, names)
	if err != nil {
		return where, targets, err
	}
	a.noticeLeftOut(ctx, where, targets)
	return where, targets, a.checkProcs(where, targets)
}

// CountTargets returns how many targets there are to choose from, whichever are chosen; 0
// where that cannot be found out.
func (a *Session) CountTargets(ctx context.Context, where Place) int {
	all, err := a.targets(ctx, where, nil)
	if err != nil {
		return 0 // whoever names one may know better
	}
	return len(all)
}

// AllTargets returns the targets that there are to choose from.
func (a *Session) AllTargets(ctx context.Context, where Place) ([]config.Target, error) {
	return a.targets(ctx, where, nil)
}

// EachTarget measures one target after the other. Where a filter matches nothing of one of
// several targets, it goes on, for the filter may be meant for another, and returns that as
// unmatched.
func EachTarget(targets []config.Target, measure func(config.Target) error) (unmatched, err error) {
	for _, t := range targets {
		err := measure(t)
		if IsNothingToMeasure(err) && len(targets) > 1 {
			unmatched = err
			continue
		}
		if err != nil {
			return unmatched, err
		}
	}
	return unmatched, nil
}

// ListTargets returns what `perftrack run` can measure here, and the configuration
// file that says so, if any.
func (a *Session) ListTargets(ctx context.Context) (targets []config.Target, configPath string, err error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return nil, "", err
	}
	if targets, err = a.targets(ctx, where, nil); err == nil {
		a.noticeLeftOut(ctx, where, targets)
	}
	return targets, where.ConfigPath, err
}

// FindTarget returns the target of that name.
func FindTarget(targets []config.Target, name string) (config.Target, bool) {
	for _, t := range targets {
		if t.Name == name {
			return t, true
		}
	}
	return config.Target{}, false
}

// nameList names the targets, and the engine, which is not of the module in which the user stands.
func nameList(targets []config.Target) string {
	var names []string
	for _, t := range targets {
		if t.Kind == config.Engine {
			t.Name += " (built into perftrack)"
		}
		names = append(names, t.Name)
	}
	if _, ok := FindTarget(targets, engineTarget.Name); !ok {
		names = append(names, engineTarget.Name+" (built into perftrack)")
	}
	return strings.Join(names, ", ")
}

// ChooseTarget returns the target of that name, or for "" the only one there is.
func (a *Session) ChooseTarget(ctx context.Context, where Place, name string) (config.Target, error) {
	var names []string
	if name != "" {
		names = []string{name}
	}
	targets, err := a.targets(ctx, where, names)
	if err != nil {
		return config.Target{}, err
	}
	if len(targets) != 1 {
		return config.Target{}, fault.Usagef("there are %d targets: choose one with --target: %s", len(targets), nameList(targets))
	}
	return targets[0], nil
}

// IsNothingToMeasure reports whether err says that there was nothing to measure.
func IsNothingToMeasure(err error) bool {
	var benchmarks *runner.NoBenchmarksError
	var scopes *runner.NoScopesError
	return errors.As(err, &benchmarks) || errors.As(err, &scopes)
}
