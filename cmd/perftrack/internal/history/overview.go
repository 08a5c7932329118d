package history

import (
	"context"
	"errors"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports/filecache"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Outline summarizes each benchmark's history on HEAD's line or the chosen branch. If no branch is
// chosen and a benchmark has no runs on HEAD's line, it summarizes another line. Scopes of profiles
// are only counted, unless there are no other benchmarks. If keep is not "", Outline stores a
// result that took long to compute in the file keep, and returns it again as long as the inputs are
// the same.
func Outline(ctx context.Context, a *workspace.Session, opt Options, keep string) (all steps.Overview, err error) {
	r, err := openReader(ctx, a, opt)
	if err != nil {
		return all, err
	}
	defer func() { err = errors.Join(err, r.db.Close()) }()
	return keptOr(r, a, filecache.File{Path: keep, Form: keptForm}, func() (steps.Overview, error) { return r.outlines(ctx, a) })
}

// outlines computes the outlines of all benchmarks.
func (r *reader) outlines(ctx context.Context, a *workspace.Session) (all steps.Overview, err error) {
	checked, err := r.checked(ctx, a)
	if err != nil {
		return all, err
	}
	chosen := slices.DeleteFunc(slices.Clone(r.all), func(b store.BenchmarkInfo) bool { return b.Kind == record.Scope })
	if all.Scopes = len(r.all) - len(chosen); len(chosen) == 0 {
		chosen, all.Scopes = r.all, 0
	}
	found := make([]*steps.Outline, len(chosen))
	did := a.Counting("computing the histories", len(chosen))
	if err := eachOf(len(chosen), func(i int) (err error) {
		found[i], err = r.outline(ctx, chosen[i], checked)
		did()
		return err
	}); err != nil {
		return all, err
	}
	for _, o := range found {
		if o != nil {
			all.Outlines = append(all.Outlines, *o)
		}
	}
	if len(all.Outlines) == 0 && r.opt.Unit != "" && len(chosen) > 0 {
		if _, err := withUnit(chosen, r.opt.Unit); err != nil {
			return all, fault.Data(err)
		}
	}
	all.Hidden, all.Level = len(r.hidden), len(r.levelled)
	return all, nil
}

// outline returns the outline of a benchmark, or nil if no runs of the benchmark match the options.
func (r *reader) outline(ctx context.Context, b store.BenchmarkInfo, checked map[checkedName]*steps.Checked) (*steps.Outline, error) {
	if r.opt.Unit != "" && len(shownUnits(b, r.opt.Unit)) == 0 {
		return nil, nil
	}
	series, err := r.series(ctx, b)
	if err != nil {
		return nil, err
	}
	o := &steps.Outline{Target: b.Target, BenchmarkID: b.BenchmarkID}
	if len(series) == 0 {
		if r.opt.Branch != "" {
			return nil, nil
		}
		o.Check = checked[checkedName{b.Target, b.BenchmarkID}] // the check may be from a bisection, with runs outside any history
		return o, nil
	}
	shown := series[0]
	o.Branch, o.Others = shown.Branch, len(series)-1
	newest, commit, enough := "", "", false
	for _, p := range shown.Points {
		commit = p.Run.Commit.SHA
		if newest = p.Run.EnvironmentID; !commitTime(p.Run).IsZero() {
			o.When = commitTime(p.Run)
		}
	}
	for _, l := range shown.In(newest) {
		enough = enough || l.Enough || len(l.Steps) > 0
	}
	// If there are still too few runs to find a step, the check is the only evidence.
	if check := checked[checkedName{b.Target, b.BenchmarkID}]; shown.first && (r.standsFor(check, commit) || !enough) {
		o.Check = check
	}
	environments := map[string]bool{}
	for _, l := range shown.Lines {
		environments[l.Environment] = true
	}
	for _, l := range shown.In(newest) {
		o.Lines = append(o.Lines, l.Brief())
	}
	o.Others += max(0, len(environments)-1)
	return o, nil
}
