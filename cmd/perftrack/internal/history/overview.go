package history

import (
	"context"
	"errors"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Outline returns how all benchmarks stand, a line each: that of HEAD or of the branch asked for,
// or, where nothing was measured there, of the branch that comes first. Scopes of profiles are only
// counted, unless there is nothing else.
func Outline(ctx context.Context, a *workspace.Session, opt Options) (all steps.Overview, err error) {
	r, err := openReader(ctx, a, opt)
	if err != nil {
		return all, err
	}
	defer func() { err = errors.Join(err, r.db.Close()) }()
	chosen := slices.DeleteFunc(slices.Clone(r.all), func(b store.BenchmarkInfo) bool { return b.Kind == record.Scope })
	if all.Scopes = len(r.all) - len(chosen); len(chosen) == 0 {
		chosen, all.Scopes = r.all, 0
	}
	found := make([]*steps.Outline, len(chosen))
	if err := eachOf(len(chosen), func(i int) (err error) {
		found[i], err = r.outline(ctx, chosen[i])
		return err
	}); err != nil {
		return all, err
	}
	for _, o := range found {
		if o != nil {
			all.Outlines = append(all.Outlines, *o)
		}
	}
	all.Hidden = len(r.hidden)
	return all, nil
}

// outline returns nil where there is nothing of what was asked for.
func (r *reader) outline(ctx context.Context, b store.BenchmarkInfo) (*steps.Outline, error) {
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
		return o, nil
	}
	shown := series[0]
	o.Branch, o.Apart = shown.Branch, len(series)-1
	newest := ""
	for _, p := range shown.Points {
		if newest = p.Run.EnvironmentID; !commitTime(p.Run).IsZero() {
			o.When = commitTime(p.Run)
		}
	}
	environments := map[string]bool{}
	for _, l := range shown.Lines {
		environments[l.Environment] = true
	}
	o.Lines, o.Apart = shown.In(newest), o.Apart+max(0, len(environments)-1)
	return o, nil
}
