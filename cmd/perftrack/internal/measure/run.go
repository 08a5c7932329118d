package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

// Options are the options of `perftrack run` and `perftrack profile`.
type Options struct {
	Targets []string
	Rev     string // measure this revision instead of the work tree
	Against string // interleave it with this base, as a trial
	Anchor  string // interleave it with this anchor, outside the history; see compare.ProcedureAnchor
	Profile bool   // measure the scopes in a suite's profile instead of benchmarks
	Quick   bool
	Flags   Flags
}

// A Result holds the stored runs.
type Result struct {
	Runs   []StoredRun
	Trial  string         // "" if only one side was measured
	Limits compare.Limits // from the configuration
}

// Run measures targets and stores their runs. When ctx is canceled, it stores the samples so far as
// partial runs and returns them with the error.
func Run(ctx context.Context, a *workspace.Session, opt Options) (res Result, err error) {
	where, targets, err := a.LocateTargets(ctx, opt.Flags.CPUs, opt.Flags.Procs, opt.Targets)
	if err != nil {
		return res, err
	}
	res.Limits = compare.Limits{List: where.Config.Limits(), Alpha: cmp.Or(a.Alpha, where.Config.Defaults.Alpha)}
	if opt.Profile {
		res.Limits.List = where.Config.ProfileLimits()
	}
	sources := Sources{Rev: opt.Rev, Beside: cmp.Or(opt.Against, opt.Anchor)}
	if err := sources.CheckTargets(targets); err != nil {
		return res, err
	}
	revs := []string{opt.Rev}
	if sources.Beside != "" {
		revs = append(revs, sources.Beside)
	}
	if err := opt.Flags.CheckBench(ctx, where, targets, revs...); err != nil {
		return res, err
	}
	db, path, err := a.OpenForWriting(ctx)
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if sources.Beside != "" {
		res.Trial = a.NewTrialID()
	}
	var unbuilt error
	unmatched, err := workspace.EachTarget(targets, func(t config.Target) error {
		spec := Spec{
			Session: a, Where: where, DB: db, Database: path, Target: t, Sources: sources, Trial: res.Trial,
			Plan: opt.plan(t), Facts: func(r *record.Run) { opt.note(r, t) },
			SplitFailed: !opt.Profile,
		}
		stored, err := spec.Measure(ctx)
		if len(stored) > 0 && len(stored[0].Benchmarks) == 0 && isUnbuilt(err) {
			stored = nil // it contains only the build error, which is returned
		}
		res.Runs = append(res.Runs, stored...)
		if len(targets) > 1 && isUnbuilt(err) && ctx.Err() == nil { // the other targets may build
			if len(buildErrors(err)) > 0 { // build errors name only packages
				err = fmt.Errorf("target %s: %w", t.Name, err)
			}
			unbuilt = errors.Join(unbuilt, err)
			return nil
		}
		return err
	})
	switch {
	case err != nil:
		return res, errors.Join(unbuilt, err)
	case unbuilt != nil:
		return res, fault.Build(errors.Join(unbuilt, Failed(res.Runs)))
	case len(res.Runs) == 0:
		return res, unmatched
	}
	return res, Failed(res.Runs)
}

// plan returns the plan for a target: the number of rounds and their length.
func (opt Options) plan(t config.Target) runner.Plan {
	trial := opt.Against != "" || opt.Anchor != ""
	var p runner.Plan
	switch {
	case opt.Profile && trial:
		p = opt.Flags.ScopesPlan(t, runner.ProfileTrialRounds)
	case opt.Profile && opt.Quick:
		p = opt.Flags.ScopesPlan(t, 1)
	case opt.Profile:
		p = opt.Flags.ScopesPlan(t, runner.ProfileRounds)
	case opt.Quick: // takes precedence over the configuration
		t.Rounds, t.Benchtime = 0, ""
		rounds := runner.QuickRounds
		if trial {
			rounds = runner.QuickTrialRounds
		}
		p = opt.Flags.Plan(t, rounds, runner.QuickBenchtime)
	case trial:
		p = opt.Flags.Plan(t, runner.TrialRounds, runner.TrialBenchtime)
	default:
		p = opt.Flags.Plan(t, runner.DefaultRounds, runner.DefaultBenchtime)
	}
	p.OneSided, p.Share = opt.Against != "", opt.Against != "" // an anchor keeps its own benchmarks
	return p
}

// note records the selected part of the target and the measuring procedure in a run.
func (opt Options) note(r *record.Run, t config.Target) {
	if selection := opt.Flags.Selection(t); !selection.All() || opt.Against != "" || opt.Anchor != "" {
		r.Protocol.Selection = selection
	}
	if opt.Anchor != "" {
		r.Protocol.Procedure = anchors.Procedure
	}
}
