package history

import (
	"context"
	"errors"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Outline summarizes each benchmark's history on HEAD's line or the chosen branch. If no branch is
// chosen and a benchmark has no runs on HEAD's line, it summarizes another line. Scopes of profiles
// are only counted, unless there are no other benchmarks. Outline uses the valid summaries stored
// by [Keep]. If keep is not "", it stores slowly computed summaries in the file keep, and reuses
// them as long as their inputs are the same.
func Outline(ctx context.Context, a *workspace.Session, opt Options, keep string) (all steps.Overview, err error) {
	r, err := openReader(ctx, a, opt)
	if err != nil {
		return all, err
	}
	defer func() { err = errors.Join(err, r.db.Close()) }()
	checked, err := r.checked(ctx, a)
	if err != nil {
		return all, err
	}
	chosen := slices.DeleteFunc(slices.Clone(r.all), func(b store.BenchmarkInfo) bool { return b.Kind == record.Scope })
	if all.Scopes = len(r.all) - len(chosen); len(chosen) == 0 {
		chosen, all.Scopes = r.all, 0
	}
	found, _, err := r.summaries(ctx, a, chosen, keep)
	if err != nil {
		return all, err
	}
	for i, b := range chosen {
		if o := r.outline(&found[i].Summary, checked[checkedName{b.Target, b.BenchmarkID}]); o != nil {
			all.Outlines = append(all.Outlines, *o)
		}
	}
	if len(all.Outlines) == 0 && r.opt.Unit != "" && len(chosen) > 0 {
		if _, err := withUnit(chosen, r.opt.Unit); err != nil {
			return all, fault.Data(err)
		}
	}
	all.Hidden, all.Level = len(r.notes.hidden), len(r.notes.levelled)
	return all, nil
}

// outline returns the outline of a benchmark with its newest check, or nil if the benchmark has no
// runs that match the options.
func (r *reader) outline(s *summary, check *steps.Checked) *steps.Outline {
	o := &s.Outline
	switch {
	case o.Name == "", !s.Measured && r.opt.Branch != "":
		return nil
	case !s.Measured: // the check may be from a bisection, whose runs are not part of a history
		o.Check = check
	case s.First && (r.standsFor(check, s.Newest) || !s.Enough): // with too few runs to find a step, the check is the only evidence
		o.Check = check
	}
	return o
}
