package check

import (
	"context"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// decidedByPairs returns the trials that the procedure of new ones decides. One that another
// perftrack measured by its own is never gone on with: its looks were planned for that.
func (c *check) decidedByPairs(trials []store.Trial) []store.Trial {
	other := func(r record.RunInfo) bool { return !compare.Decides(&r.Run) }
	var newest *store.Trial
	kept := slices.DeleteFunc(slices.Clone(trials), func(t store.Trial) bool {
		if slices.ContainsFunc(t.Runs, other) {
			newest = &t
			return true
		}
		return false
	})
	if len(kept) == 0 && newest != nil {
		c.session.Noticef("trial %s is decided by %s: a new trial begins",
			newest.ID, compare.DecisionName(newest.Runs[slices.IndexFunc(newest.Runs, other)].Facts.Get(record.KeyDecision)))
	}
	return kept
}

// onCPUs reports whether a trial was measured on these CPUs; one on others has nothing
// to say of them.
func onCPUs(t store.Trial, cpus string) bool {
	return !slices.ContainsFunc(t.Runs, func(r record.RunInfo) bool { return r.Env.Get(record.KeyCPUAffinity) != cpus })
}

// measuredHere reports whether a trial is of this environment, as far as it is known
// before anything is built: also of the targets that are not checked now.
func (c *check) measuredHere(ctx context.Context, t store.Trial, targets []config.Target) bool {
	for _, target := range slices.Concat(targets, c.baseLayouts(c.where.Config.Targets)) {
		of := func(r record.RunInfo) bool { return r.Target == target.Name && r.Side == record.Head }
		if !slices.ContainsFunc(t.Runs, of) {
			continue
		}
		env, err := runner.Environment(ctx, target, c.where.ModuleDir(), c.where.CPUs)
		if err != nil {
			continue // whoever measures it says so
		}
		if slices.ContainsFunc(t.Runs, func(r record.RunInfo) bool {
			return r.Target == target.Name && r.Side == record.Head && !comparison.SameEnvironment(env, r.Env)
		}) {
			return false
		}
	}
	return true
}

// isCheck reports whether the trial is a check of the two commits, wherever it was made.
func isCheck(t store.Trial, base, head string) bool {
	sides := map[record.Side]bool{}
	for _, r := range t.Runs {
		want := map[record.Side]string{record.Base: base, record.Head: head}[r.Side]
		if r.Commit.SHA != want || r.Commit.Dirty || r.Facts.Get(record.KeyProcedure) != compare.ProcedureCheck {
			return false
		}
		sides[r.Side] = true
	}
	return len(sides) == 2
}

// before returns what was measured of the target by the trial, by earlier checks and, once the target has
// ended, by this one.
func (c *course) before() []*record.Run { return c.check.trial.of(c.target.Name) }

// selection is what of the target is measured, in the words of the command line.
func (c *course) selection() string { return c.check.opt.Flags.Selection(c.target) }

// decidedAlready reports, and says, that earlier checks in this environment left
// nothing open of what is selected of the target. In another environment [course.built]
// begins a new trial.
func (c *course) decidedAlready(ctx context.Context) (bool, error) {
	k := c.check
	before := c.before()
	sofar := k.judge(before, false)
	rows := slices.Collect(sofar.Rows())
	if len(rows) == 0 || k.opt.All && len(sofar.Unreached) > 0 || len(sofar.Failures)+len(sofar.Starved) > 0 || !c.measuredAll(compare.SelectionIs) || slices.ContainsFunc(rows, func(r *compare.Row) bool { return r.Open }) {
		return false, nil
	}
	env, err := runner.Environment(ctx, c.target, k.where.ModuleDir(), k.where.CPUs)
	if err != nil {
		return false, err
	}
	for _, r := range before {
		if r.Side == record.Head && !comparison.SameEnvironment(env, r.Env) {
			return false, nil
		}
	}
	k.session.Noticef("every benchmark of %s is decided already, by earlier checks of the same commits", c.target.Name)
	return true, nil
}

// measuredAll reports whether an earlier check of the trial came to its end with what is selected
// of the target, at each GOMAXPROCS of the list: a narrower one has nothing to say of the rest.
func (c *course) measuredAll(with func(*record.Run, string) bool) bool {
	return slices.ContainsFunc(c.before(), func(r *record.Run) bool {
		return r.Side == record.Head && r.Status != record.Partial && with(r, c.selection()) && covers(r, c.target.Procs)
	})
}

// covers reports whether a run was to measure each benchmark at each of them.
func covers(r *record.Run, procs config.Procs) bool {
	if len(procs) == 0 {
		return true
	}
	had, err := config.ParseProcs(r.Facts.Get(record.KeyProcs))
	return err == nil && !slices.ContainsFunc(procs, func(n int) bool { return !slices.Contains(had, n) })
}
