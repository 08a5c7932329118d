package workspace

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/program"
)

// engineTarget is the built-in engine as a target, for use without a configuration.
var engineTarget = config.Target{Name: "engine", Kind: config.Engine}

// targets returns the targets to measure: the named ones or, without names, the targets in
// perftrack.toml or else the targets found by discover.
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
			return nil, fault.Usagef("unknown target %q: known targets are %s (see `perftrack list targets`)%s", name, nameList(known), where.patternHint(name))
		}
		chosen = append(chosen, t)
	}
	return a.addMatching(ctx, where, known, chosen, patterns)
}

// LocateTargets returns the user's place and the targets with the given names, or all targets if
// names is empty. It pins benchmarks to cpus or, if cpus is "", to the configured CPUs. procs is a
// list of GOMAXPROCS values, or "" for each target's own.
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

// CountTargets returns the number of targets, or 0 if the number is unknown.
func (a *Session) CountTargets(ctx context.Context, where Place) int {
	all, err := a.targets(ctx, where, nil)
	if err != nil {
		return 0 // measuring a target by name may still work
	}
	return len(all)
}

// AllTargets returns all targets.
func (a *Session) AllTargets(ctx context.Context, where Place) ([]config.Target, error) {
	return a.targets(ctx, where, nil)
}

// EachTarget calls measure for one target after another. If a filter has no match in one of several
// targets, EachTarget continues, because the filter may be meant for another target, and returns
// the error as unmatched.
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

// ListTargets returns the targets measured by `perftrack run`, and the path of the configuration
// file or "".
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

// FindTarget returns the target called name.
func FindTarget(targets []config.Target, name string) (config.Target, bool) {
	for _, t := range targets {
		if t.Name == name {
			return t, true
		}
	}
	return config.Target{}, false
}

// nameList lists the names of the targets, including the engine, which can always be named.
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

// ChooseTarget returns the target called name or, if name is "", the only target.
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

// IsNothingToMeasure reports whether err means there was nothing to measure.
func IsNothingToMeasure(err error) bool {
	var benchmarks *program.NoBenchmarksError
	var scopes *runner.NoScopesError
	return errors.As(err, &benchmarks) || errors.As(err, &scopes)
}
