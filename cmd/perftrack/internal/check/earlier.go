package check

import (
	"context"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// decidedHere returns the trials decided by this version's procedure. A trial with another
// procedure is never continued, because its looks were planned for that procedure.
func (c *check) decidedHere(trials []store.Trial) []store.Trial {
	other := func(r record.RunInfo) bool { return !pairs.Decides(&r.Run) }
	var newest *store.Trial
	kept := slices.DeleteFunc(slices.Clone(trials), func(t store.Trial) bool {
		if slices.ContainsFunc(t.Runs, other) {
			newest = &t
			return true
		}
		return false
	})
	if len(kept) == 0 && newest != nil {
		c.session.Noticef("starting a new trial, because trial %s is decided by %s",
			newest.ID, pairs.DecisionName(newest.Runs[slices.IndexFunc(newest.Runs, other)].Protocol.Decision))
	}
	return kept
}

// onCPUs reports whether a trial was measured on these CPUs. Trials on other CPUs do not count as
// evidence.
func onCPUs(t store.Trial, cpus string) bool {
	return !slices.ContainsFunc(t.Runs, func(r record.RunInfo) bool { return r.Env.Get(record.KeyCPUAffinity) != cpus })
}

// measuredHere reports whether a trial was measured in this environment, as far as the environment
// is known before the build. It also looks at targets outside this check.
func (c *check) measuredHere(ctx context.Context, t store.Trial, targets []config.Target) bool {
	for _, target := range slices.Concat(targets, workspace.BaseLayouts(c.rules, c.where.Config.Targets)) {
		of := func(r record.RunInfo) bool { return r.Target == target.Name && r.Side == record.Head }
		if !slices.ContainsFunc(t.Runs, of) {
			continue
		}
		env, err := program.Environment(ctx, target, c.where.ModuleDir(), c.where.CPUs)
		if err != nil {
			continue // the measurement reports the error
		}
		if slices.ContainsFunc(t.Runs, func(r record.RunInfo) bool {
			return r.Target == target.Name && r.Side == record.Head && !comparison.SameEnvironment(env, r.Env)
		}) {
			return false
		}
	}
	return true
}

// isCheck reports whether the trial is a check of the two commits, wherever it was measured.
func isCheck(t store.Trial, base, head string) bool {
	sides := map[record.Side]bool{}
	for _, r := range t.Runs {
		want := map[record.Side]string{record.Base: base, record.Head: head}[r.Side]
		if r.Commit.SHA != want || r.Commit.Dirty || r.Protocol.Procedure != pairs.ProcedureCheck {
			return false
		}
		sides[r.Side] = true
	}
	return len(sides) == 2
}

// before returns the runs of the target in the trial, from earlier checks and, once the target is
// finished, from this check.
func (c *targetCheck) before() []*record.Run { return c.check.trial.of(c.target.Name) }

// lastRound returns the last round of earlier checks, or 0.
func (c *targetCheck) lastRound() (last int) {
	for _, r := range c.before() {
		last = max(last, r.LastRound())
	}
	return last
}

// selection returns the benchmarks of the target selected by the flags.
func (c *targetCheck) selection() record.Selection { return *c.check.opt.Flags.Selection(c.target) }

// decidedAlready reports whether earlier checks in this environment decided the whole selection,
// and prints a notice if so. For another environment, [targetCheck.built] begins a new trial.
func (c *targetCheck) decidedAlready(ctx context.Context) (bool, error) {
	k := c.check
	before := c.before()
	sofar := k.judge(before, false)
	rows := slices.Collect(sofar.Rows())
	if len(rows) == 0 || k.opt.All && len(sofar.Unreached) > 0 || len(sofar.Failures)+len(sofar.Starved) > 0 || !c.measuredAll((*record.Protocol).Selects) || slices.ContainsFunc(rows, func(r *compare.Row) bool { return r.Open }) {
		return false, nil
	}
	env, err := program.Environment(ctx, c.target, k.where.ModuleDir(), k.where.CPUs)
	if err != nil {
		return false, err
	}
	for _, r := range before {
		if r.Side == record.Head && !comparison.SameEnvironment(env, r.Env) {
			return false, nil
		}
	}
	k.session.Noticef("earlier checks of the same commits have already decided every benchmark in %s", c.target.Name)
	return true, nil
}

// measuredAll reports whether an earlier check in the trial completed the selection at each of the
// target's GOMAXPROCS values. with compares a run's protocol with the selection. A narrower check
// is not evidence for the other benchmarks.
func (c *targetCheck) measuredAll(with func(*record.Protocol, record.Selection) bool) bool {
	return slices.ContainsFunc(c.before(), func(r *record.Run) bool {
		return r.Side == record.Head && r.Status != record.Partial && with(&r.Protocol, c.selection()) && covers(r, c.target.Procs)
	})
}

// covers reports whether a run was meant to measure each benchmark at every GOMAXPROCS in procs.
func covers(r *record.Run, procs config.Procs) bool {
	if len(procs) == 0 {
		return true
	}
	had, err := config.ParseProcs(r.Facts.Get(record.KeyProcs))
	return err == nil && !slices.ContainsFunc(procs, func(n int) bool { return !slices.Contains(had, n) })
}
